package gowasm

import (
	"cmp"
	"encoding/binary"
)

// shortenAll rewrites the functions of a code section and adds the helpers of their write barriers, whose types it returns. The functions
// have the numbers from first. like is that of Hooks.
func shortenAll(section []byte, first uint64, like func(function, block int) int) (out []byte, types [][]byte, err error) {
	r := wasmReader{rest: section}
	functions := make([]*function, r.unsigned())
	for i := range functions {
		functions[i], err = shorten(r.bytes(int(r.unsigned())))
		if err != nil || r.failed {
			return nil, nil, cmp.Or(err, ErrFormat)
		}
	}
	b := findBarriers(functions, first)
	if b != nil {
		var helpers []*function
		helpers, types = b.helpers()
		functions = append(functions, helpers...)
	}
	out = binary.AppendUvarint(make([]byte, 0, len(section)), uint64(len(functions)))
	for i, f := range functions {
		if f.usual() {
			if b != nil {
				f.code = b.shorten(f.code)
			}
			if like != nil {
				shareNilChecks(f.code, func(block int) int { return like(i, block) })
			}
			useFrame(f)
		}
		out = appendSized(out, f.encode())
	}
	return out, types, nil
}

// shorten rewrites the body of a function into shorter code that does the same.
func shorten(body []byte) (*function, error) {
	f, err := readFunction(body)
	if err == nil && f.usual() {
		jumpDirectly(f)
		shortenCalls(f)
		f.code = simplify(f.code)
	}
	return f, err
}

// rule replaces the last n instructions of code by others that do the same; n is 0 if it does not apply.
type rule func(code []instruction) (n int, same []instruction)

var rules = []rule{branchIf, addToStack, loadFromStack, storeToStack}

// simplify applies the rules to each instruction and its predecessors until no rule applies.
func simplify(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for _, in := range code {
		out = append(out, in)
		for again := true; again; {
			again = false
			for _, r := range rules {
				if n, same := r(out); n > 0 {
					out = append(out[:len(out)-n], same...)
					again = true
				}
			}
		}
	}
	return out
}

// last returns the last n instructions if they have these opcodes.
func last(code []instruction, ops ...byte) []instruction {
	n := len(code) - len(ops)
	if n < 0 || !starts(code[n:], ops...) {
		return nil
	}
	return code[n:]
}

// branchIf: if … br n … end is br_if n-1.
func branchIf(code []instruction) (int, []instruction) {
	c := last(code, opIf, opBr, opEnd)
	if c == nil || c[0][1] != noResult || c[1].number() == 0 {
		return 0, nil
	}
	return 3, []instruction{with(opBrIf, c[1].number()-1)}
}

// addToStack: an address on the stack needs no 64 bits.
func addToStack(code []instruction) (int, []instruction) {
	c := last(code, opLocalGet, opExtendU, opI64Const, opI64Add, opI32Wrap)
	if c == nil || !c[0].is(opLocalGet, 1) || c[2].constant() < 0 || c[2].constant() > stackMax {
		return 0, nil
	}
	return 5, []instruction{c[0], constant(opI32Const, c[2].constant()), {opI32Add}}
}

// stackMax is the largest constant that may be added to the stack pointer. The sum has to stay below the size of the memory, because only
// there an offset means the same as an addition.
const stackMax = 1 << 20

// fromStack returns the distance from the stack pointer that c adds to it.
func fromStack(c []instruction) (uint64, bool) {
	if !c[0].is(opLocalGet, 1) || c[1][0] != opI32Const || c[2][0] != opI32Add || c[1].constant() < 0 || c[1].constant() > stackMax {
		return 0, false
	}
	return uint64(c[1].constant()), true
}

// loadFromStack: a load has an offset, which replaces an addition.
func loadFromStack(code []instruction) (int, []instruction) {
	n := len(code) - 4
	if n < 0 || !code[n+3].isLoad() {
		return 0, nil
	}
	by, ok := fromStack(code[n:])
	if !ok {
		return 0, nil
	}
	return 4, []instruction{code[n], code[n+3].at(code[n+3].offset() + by)}
}

// storeToStack: so has a store; the code of its value is between the addition and the store.
func storeToStack(code []instruction) (int, []instruction) {
	end := len(code) - 1
	if !code[end].isStore() {
		return 0, nil
	}
	for size := 1; size <= valueMax; size++ {
		n := end - size - 3
		if n < 0 || !isValue(code[n+3:end]) {
			continue
		}
		if by, ok := fromStack(code[n:]); ok {
			same := append([]instruction{code[n]}, code[n+3:end]...)
			return size + 4, append(same, code[end].at(code[end].offset()+by))
		}
	}
	return 0, nil
}

// valueMax is the largest number of instructions that isValue knows as one value.
const valueMax = 3

// isValue reports whether code pushes exactly one value: a constant, a local, or a load through a local.
func isValue(code []instruction) bool {
	switch op := code[0][0]; len(code) {
	case 1:
		return op == opLocalGet || op >= opI32Const && op <= opF64Const
	case 2:
		return op == opLocalGet && code[1].isLoad()
	default:
		return op == opLocalGet && code[1][0] == opI32Wrap && code[2].isLoad()
	}
}
