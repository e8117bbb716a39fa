package gowasm

// checksNil is the code that panics if the pointer on the stack is nil. Apart from the call that makes room for more stack, which compares
// numbers, no other call in Go is inside a block and unwinds.
var checksNil = []byte{
	opI64Eqz, opIf, opLocalGet, opI32Const, opI32Sub, opLocalTee, opSet, opLocalGet, opLocalGet, opI64Const, opI64Or, opI64Store,
	opI32Const, opCall, opGet, opLocalSet, opIf, opI32Const, opReturn, opEnd, opEnd,
}

// nilBlock is the index of the number of the block in checksNil.
const nilBlock = 9

// shareNilChecks gives each check the number of the first block that is like its own; like is that of Hooks. The collector does not read the
// tables there: it does not look at a function that has panicked because of nil, unless it defers, and then at the end of the function.
func shareNilChecks(code []instruction, like func(block int) int) {
	for i := range code {
		if starts(code[i:], checksNil...) {
			block := &code[i+nilBlock]
			*block = constant(opI64Const, int64(like(int(block.constant()))))
		}
	}
}
