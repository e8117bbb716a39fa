package gowasm

import "slices"

// A call in Go stores the return address on Go's stack, calls, and then checks whether it has to unwind because another goroutine will
// run. The address consists of the number of the function and the number of a block; the branch that unwinds has another depth at each
// call. Two numbers that never repeat compress badly. So the number of the function moves to a local, and a return replaces the branch,
// whose target is a return anyway.

// shortenCalls rewrites the calls of a function.
func shortenCalls(f *function) {
	if leavesAtEnd(f) {
		f.code = returnAfterCalls(f.code)
	}
	if number, ok := ownNumber(f.code); ok {
		f.code = addressFromLocal(f.code, number)
		f.locals = moreLocals(f.locals, 1, 1, typeI64)
	}
}

// leavesAtEnd reports whether a block around the whole function ends before i32.const 1, so that leaving the block returns 1.
func leavesAtEnd(f *function) bool {
	n, depth := len(f.code), 0
	for i, in := range f.code[2:] {
		if depth += in.nesting(); depth == 0 {
			return f.code[2][0] == opBlock && i+2 == n-3 && f.code[n-2].is(opI32Const, 1)
		}
	}
	return false
}

func returnAfterCalls(code []instruction) []instruction {
	var out []instruction
	depth := 0
	for i, in := range code {
		depth += in.nesting()
		if in[0] == opBrIf && afterCall(code[:i]) && in.number() == uint64(depth-1) {
			out = append(out, instruction{opIf, noResult}, instruction{opI32Const, 1}, instruction{opReturn}, instruction{opEnd})
		} else {
			out = append(out, in)
		}
	}
	return out
}

// afterCall reports whether code ends with a call and the reload of the stack pointer.
func afterCall(code []instruction) bool {
	n := len(code)
	return n > 2 && code[n-1].is(opLocalSet, 1) && code[n-2].is(opGet, 0) && (code[n-3][0] == opCall || code[n-3][0] == opCallAny)
}

// address reports whether code[i] is the return address that a call stores on the stack.
func address(code []instruction, i int) bool {
	return i >= 6 && i+1 < len(code) && code[i][0] == opI64Const && code[i+1][0] == opI64Store && code[i-1].is(opLocalGet, 1) &&
		code[i-2].is(opSet, 0) && code[i-3].is(opLocalTee, 1) && code[i-4][0] == opI32Sub && code[i-5].is(opI32Const, 8)
}

// blockBits is the number of bits of an address that hold the number of a block.
const blockBits = 16

// ownNumber returns the number of the function in the return addresses that it stores; ok is false if they differ or there are none.
func ownNumber(code []instruction) (number int64, ok bool) {
	for i := range code {
		if !address(code, i) {
			continue
		}
		n := code[i].constant() >> blockBits
		if ok && n != number {
			return 0, false
		}
		number, ok = n, true
	}
	return number, ok
}

// addressFromLocal keeps the number of the function in local 2. The other locals move up.
func addressFromLocal(code []instruction, number int64) []instruction {
	out := append([]instruction{}, code[0], code[1], constant(opI64Const, number<<blockBits), with(opLocalSet, 2))
	moved := moveLocals(code, 2, 1)
	for i := 2; i < len(code); i++ {
		if address(code, i) {
			out = append(out, with(opLocalGet, 2), constant(opI64Const, code[i].constant()&(1<<blockBits-1)), instruction{opI64Or})
		} else {
			out = append(out, moved[i])
		}
	}
	return out
}

// moveLocals makes room for n locals that begin with number first: the locals from there move up.
func moveLocals(code []instruction, first, n uint64) []instruction {
	out := slices.Clone(code)
	for i, in := range out {
		if in[0] >= opLocalGet && in[0] <= opLocalTee && in.number() >= first {
			out[i] = with(in[0], in.number()+n)
		}
	}
	return out
}

// moreLocals declares n locals of a type behind the first groups. A declaration is the number of groups and, for each group, the number of
// locals and their type.
func moreLocals(locals []byte, groups uint64, n, kind byte) []byte {
	more := slices.Insert(slices.Clone(locals), int(1+2*groups), n, kind)
	more[0]++
	return more
}
