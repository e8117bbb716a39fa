package slim

// A call in Go writes the address to return to on Go's stack, calls, and asks whether the stack is being left, because another goroutine
// shall run. The address is the number of the function and that of a block; how to leave is a branch whose depth differs at each call.
// Two numbers that always differ are what compresses worst. So the number of the function is kept in a local, and a return takes the
// place of the branch, which leads to a return.

// shortenCalls changes the calls of a function.
func shortenCalls(f *function) {
	if leavesAtEnd(f) {
		f.code = returnAfterCalls(f.code)
	}
	if number, ok := ownNumber(f.code); ok {
		f.code = addressFromLocal(f.code, number)
		f.locals = moreLocals(f.locals)
	}
}

// leavesAtEnd says whether a block around the whole function ends before i32.const 1, so that leaving it returns 1.
func leavesAtEnd(f *function) bool {
	n, depth := len(f.code), 0
	for i, in := range f.code[2:] {
		switch in[0] {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		}
		if depth == 0 {
			return f.code[2][0] == opBlock && i+2 == n-3 && f.code[n-2].is(opI32Const, 1)
		}
	}
	return false
}

func returnAfterCalls(code []instruction) []instruction {
	var out []instruction
	depth := 0
	for i, in := range code {
		switch in[0] {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		case opBrIf:
			if afterCall(code[:i]) && in.number() == uint64(depth-1) {
				out = append(out, instruction{opIf, noResult}, instruction{opI32Const, 1}, instruction{opReturn}, instruction{opEnd})
				continue
			}
		}
		out = append(out, in)
	}
	return out
}

// afterCall says whether code ends with a call, after which the stack pointer is read again.
func afterCall(code []instruction) bool {
	n := len(code)
	return n > 2 && code[n-1].is(opLocalSet, 1) && code[n-2].is(opGet, 0) && (code[n-3][0] == opCall || code[n-3][0] == opCallAny)
}

// address says whether code[i] is the address that a call writes on the stack.
func address(code []instruction, i int) bool {
	return i >= 6 && i+1 < len(code) && code[i][0] == opI64Const && code[i+1][0] == opI64Store && code[i-1].is(opLocalGet, 1) &&
		code[i-2].is(opSet, 0) && code[i-3].is(opLocalTee, 1) && code[i-4][0] == opI32Sub && code[i-5].is(opI32Const, 8)
}

// blockBits is how many bits of an address are the number of a block.
const blockBits = 16

// ownNumber returns the number of the function in the addresses that it writes, and whether they agree.
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
	for i := 2; i < len(code); i++ {
		in := code[i]
		switch {
		case address(code, i):
			out = append(out, with(opLocalGet, 2), constant(opI64Const, in.constant()&(1<<blockBits-1)), instruction{opI64Or})
		case in[0] >= opLocalGet && in[0] <= opLocalTee && in.number() >= 2:
			out = append(out, with(in[0], in.number()+1))
		default:
			out = append(out, in)
		}
	}
	return out
}

// moreLocals declares one local of 64 bits behind the stack pointer. A declaration is a count of groups, and for each how many and
// of which type.
func moreLocals(locals []byte) []byte {
	return append([]byte{locals[0] + 1, 1, typeI32, 1, typeI64}, locals[3:]...)
}
