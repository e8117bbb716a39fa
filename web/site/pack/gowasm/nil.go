package gowasm

// checksNil is the code that panics if the pointer on the stack is nil. Apart from the call that makes room for more stack, which compares
// numbers, no other call in Go is inside a block and unwinds.
var checksNil = []byte{
	opI64Eqz, opIf, opLocalGet, opI32Const, opI32Sub, opLocalTee, opSet, opLocalGet, opLocalGet, opI64Const, opI64Or, opI64Store,
	opI32Const, opCall, opGet, opLocalSet, opIf, opI32Const, opReturn, opEnd, opEnd,
}

// nilBlock is the index of the number of the block in checksNil, which tells the line of the panic and the inlined function.
const nilBlock = 9

// shareNilChecks gives all checks of a function that inlines no other the same number. Nobody reads it: a program that this package rewrites
// has no lines, and the collector does not look at a function that has panicked, unless it defers, and then at the end of the function.
func shareNilChecks(code []instruction) {
	var first instruction
	for i := range code {
		if !starts(code[i:], checksNil...) {
			continue
		}
		if first == nil {
			first = code[i+nilBlock]
		}
		code[i+nilBlock] = first
	}
}
