package gowasm

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Go's garbage collector has to know each pointer that the program overwrites while it marks. So the compiler puts a write barrier before such a
// store. If a flag is set, it saves the registers, gets room in a buffer, writes the new and the old pointer there, and loads the registers
// again. That is most of the code around a store, and it rarely runs. Here a helper takes the pointers and does the rest.
//
// What the barrier saves and loads need not be known, because the program behind it is the same with and without it. Only the pointers
// have to be found (trace.go).

// barriers are the write barriers of a module.
type barriers struct {
	rooms  map[uint64]int // for each function that gets room in the buffer, by its number: for how many pointers
	helper uint64         // the number of the helper for one pointer; the next one is for two
}

// roomsMax is the largest number of pointers that Go gets room for at a time.
const roomsMax = 8

// findBarriers finds the functions gcWriteBarrier1 to gcWriteBarrier8, which follow one another: i64.const 8 n, call, return. It returns nil
// for a program without them. The functions of the module have the numbers from first.
func findBarriers(functions []*function, first uint64) *barriers {
	b := &barriers{rooms: map[uint64]int{}, helper: first + uint64(len(functions))}
	for i, f := range functions {
		n := len(b.rooms) + 1
		switch {
		case n > roomsMax:
			return b
		case starts(f.code, opI64Const, opCall, opReturn) && f.code[0].constant() == int64(8*n):
			b.rooms[first+uint64(i)] = n
		default:
			clear(b.rooms)
		}
	}
	return nil
}

// A barrier follows a jump over it: a branch if the program continues behind it, or a jump to another block.
var (
	branchOver = []byte{opBrIf, opEnd}
	jumpOver   = []byte{opIf, opI32Const, opLocalSet, opBr, opEnd, opEnd}
)

// shorten shortens the barriers of a function.
func (b *barriers) shorten(code []instruction) (out []instruction) {
	for i := 0; i < len(code); {
		over, n, same := 0, 0, []instruction(nil)
		switch rest := code[i:]; {
		case starts(rest, branchOver...) && rest[0].number() == 1:
			over = len(branchOver)
			n, same = b.call(rest[over:], nil)
		case starts(rest, jumpOver...):
			over = len(jumpOver)
			n, same = b.call(rest[over:], rest[1:4])
		}
		if n == 0 {
			over = 1
		}
		out = append(append(out, code[i:i+over]...), same...)
		i += over + n
	}
	return out
}

// call returns what replaces the first n instructions of code if they are a barrier; n is 0 if they are not. After the barrier the program
// continues, or it jumps to where the jump over it leads, which leaves two blocks more.
func (b *barriers) call(code, jump []instruction) (n int, same []instruction) {
	t := newTrace(b.rooms)
	n, ok := t.follow(code)
	pointers := t.pointers()
	if !ok || pointers == nil || !continues(code[n:], jump) {
		return 0, nil
	}
	for some := range slices.Chunk(pointers, 2) {
		same = append(append(same, slices.Concat(some...)...), with(opCall, b.helper+uint64(len(some)-1)))
	}
	return n, same
}

func continues(code, jump []instruction) bool {
	if jump == nil {
		return code[0][0] == opEnd
	}
	return starts(code, opI32Const, opLocalSet, opBr, opEnd) && slices.Equal(code[0], jump[0]) && slices.Equal(code[1], jump[1]) &&
		code[2].number()+2 == jump[2].number()
}

// helpers returns the two helpers and their types.
func (b *barriers) helpers() (functions []*function, types [][]byte) {
	var room [3]uint64
	for number, n := range b.rooms {
		if n < len(room) {
			room[n] = number
		}
	}
	store := func(to, local uint64, offset byte) []instruction {
		return []instruction{with(opLocalGet, to), {opI32Wrap}, with(opLocalGet, local), {opI64Store, 3, offset}}
	}
	for n := uint64(1); n <= 2; n++ {
		f := &function{locals: []byte{1, 1, typeI64}, code: []instruction{with(opCall, room[n]), with(opLocalSet, n)}}
		for k := range n {
			f.code = append(f.code, store(n, k, byte(8*k))...)
		}
		f.code = append(f.code, instruction{opEnd})
		functions = append(functions, f)
		types = append(types, append(binary.AppendUvarint([]byte{typeFunc}, n), append(bytes.Repeat([]byte{typeI64}, int(n)), 0)...))
	}
	return functions, types
}
