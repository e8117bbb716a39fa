package gowasm

// A function finds its arguments and results behind its frame, from the stack pointer. So the size of the frame is in each of their offsets,
// and the first argument is at 288 in one function and at 64 in the next; every return adds the size once more. Here the size moves to
// a local, and another local points to the end of the frame, where the first argument is at 8 in every function.
//
// After each call the end is computed again, like the stack pointer: a call of JavaScript may call Go, whose collector can move the stack.

// frame is the part of the stack that belongs to a call.
type frame struct {
	size     int64
	prologue int    // index of the instructions that lower the stack pointer
	local    uint64 // the local for the size; the next one is for the end
}

const addressSize = 8 // bytes of a return address

// stackSmall is how far a function may go below the limit of the stack; see abi.StackSmall in Go's runtime.
const stackSmall = 128

// useFrame gives a function the two locals. It changes nothing if the function moves the stack pointer in another way than a Go function.
func useFrame(f *function) {
	if len(f.code) < 4 {
		return
	}
	fr := frame{local: 2}
	if f.code[3].is(opLocalSet, 2) && f.code[2][0] == opI64Const {
		fr.local = 3 // behind the number of the function
	}
	if !fr.find(f.code) {
		return
	}
	entry := int(2 * (fr.local - 1))
	out := append([]instruction{}, f.code[:entry]...)
	out = append(out, fr.enter()...)
	code := moveLocals(f.code, fr.local, 2)
	for i := entry; i < len(code); {
		n, same := fr.replace(code, i)
		if n == 0 {
			n, same = 1, code[i:i+1]
		}
		out = append(out, same...)
		i += n
	}
	f.code = out
	f.locals = moreLocals(f.locals, fr.local-1, 2, typeI32)
}

// find finds the prologue, and reports whether there is one and all other changes of the stack pointer are calls, their ends, and
// returns.
func (fr *frame) find(code []instruction) bool {
	const before = 3 // instructions: get 1, i32.const n, add or sub
	for i, in := range code {
		switch {
		case in.is(opLocalSet, 1) && code[i-1].is(opGet, 0):
		case in.is(opSet, 0) && code[i-1].is(opLocalTee, 1):
		case in.is(opLocalTee, 1):
			if i < before || !code[i+1].is(opSet, 0) || !code[i-before].is(opLocalGet, 1) || code[i-2][0] != opI32Const {
				return false
			}
			n, lower := code[i-2].constant(), code[i-1][0] == opI32Sub
			call := n == addressSize && starts(code[i+2:], opLocalGet, opLocalGet, opI64Const, opI64Or, opI64Store) && code[i+3].is(opLocalGet, 2)
			other := n == addressSize && starts(code[i+2:], opLocalGet, opI64Const, opI64Store)
			switch {
			case lower && call:
			case lower && fr.size == 0 && !other:
				fr.size, fr.prologue = n, i-before
			case code[i-1][0] == opI32Add && (n == fr.size || n == addressSize) && fr.size > 0:
			default:
				return false
			}
		case in.is(opLocalSet, 1), in.is(opSet, 0):
			return false
		}
	}
	return fr.size > 0
}

// enter sets the locals. Block 0 is before the prologue, where the frame is empty; all others are behind it.
func (fr *frame) enter() []instruction {
	return []instruction{
		with(opLocalGet, 1), constant(opI32Const, fr.size), with(opLocalTee, fr.local), constant(opI32Const, 0), with(opLocalGet, 0),
		{opSelect}, {opI32Add}, with(opLocalSet, fr.local+1),
	}
}

// reload takes the stack pointer behind a call and computes the end.
func (fr *frame) reload() []instruction {
	return []instruction{with(opGet, 0), with(opLocalTee, 1), with(opLocalGet, fr.local), {opI32Add}, with(opLocalSet, fr.local+1)}
}

// replace returns what replaces the first n instructions of code[i:]; n is 0 if nothing does.
func (fr *frame) replace(code []instruction, i int) (n int, same []instruction) {
	rest, size := code[i:], with(opLocalGet, fr.local)
	switch {
	case i < fr.prologue:
		if starts(rest, opI32Const, opI32Add, opI32LeU) && rest[0].constant() == fr.size-stackSmall {
			return 1, []instruction{size, constant(opI32Const, stackSmall), {opI32Sub}}
		}
	case i == fr.prologue:
		return 2, []instruction{rest[0], size}
	case starts(rest, opGet, opLocalSet) && rest[0].is(opGet, 0) && rest[1].is(opLocalSet, 1):
		return 2, fr.reload()
	case rest[0].is(opLocalGet, 1):
		return fr.fromEnd(rest)
	}
	return 0, nil
}

// returns is the code that raises the stack pointer by the frame, and then by the return address.
var returns = []byte{opLocalGet, opI32Const, opI32Add, opLocalTee, opSet, opLocalGet, opI32Const, opI32Add, opLocalTee, opSet}

// fromEnd replaces an address of an argument or a result, and the end of a return.
func (fr *frame) fromEnd(code []instruction) (n int, same []instruction) {
	end := with(opLocalGet, fr.local+1)
	behind := func(n int64) bool { return n >= fr.size+addressSize }
	switch {
	case starts(code, returns...) && code[1].constant() == fr.size && code[6].constant() == addressSize:
		return 6, []instruction{end}
	case starts(code, opLocalGet, opI32Const, opI32Add) && behind(code[1].constant()):
		return 2, []instruction{end, constant(opI32Const, code[1].constant()-fr.size)}
	case starts(code, opLocalGet, opExtendU, opI64Const, opI64Add) && behind(code[2].constant()):
		return 3, []instruction{end, code[1], constant(opI64Const, code[2].constant()-fr.size)}
	case code[1].isLoad() && behind(int64(code[1].offset())):
		return 2, []instruction{end, code[1].at(code[1].offset() - uint64(fr.size))}
	}
	for size := 1; size <= valueMax; size++ {
		if n := size + 1; n < len(code) && code[n].isStore() && isValue(code[1:n]) && behind(int64(code[n].offset())) {
			same = append([]instruction{end}, code[1:n]...)
			return n + 1, append(same, code[n].at(code[n].offset()-uint64(fr.size)))
		}
	}
	return 0, nil
}

// starts reports whether code begins with these opcodes.
func starts(code []instruction, ops ...byte) bool {
	if len(code) < len(ops) {
		return false
	}
	for i, op := range ops {
		if code[i][0] != op {
			return false
		}
	}
	return true
}
