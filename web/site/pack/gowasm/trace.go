package gowasm

import "slices"

// value is the code that pushes a value, as it was before the instructions of a trace.
type value []instruction

// trace follows straight code and knows where each value comes from.
type trace struct {
	rooms   map[uint64]int // as in barriers
	stack   []value
	locals  map[uint64]value // those that the code sets
	saved   map[uint64]value // on Go's stack, by the offset from the stack pointer
	room    int              // for how many pointers there is room
	written map[uint64]value // in the buffer, by the offset
	failed  bool
}

func newTrace(rooms map[uint64]int) *trace {
	return &trace{rooms: rooms, locals: map[uint64]value{}, saved: map[uint64]value{}, written: map[uint64]value{}}
}

// Values that are not the same before the code: the buffer, and what is not known.
var (
	buffer  = value{{opCall}}
	unknown = value{{opEnd}}
)

func (v value) is(other value) bool { return slices.EqualFunc(v, other, slices.Equal[instruction]) }

// known reports whether the value can be pushed before the code.
func (v value) known() bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(i instruction) bool { return i[0] == opCall || i[0] == opEnd })
}

func (t *trace) push(v value) { t.stack = append(t.stack, v) }

func (t *trace) pop() value {
	if len(t.stack) == 0 {
		t.failed = true
		return unknown
	}
	last := len(t.stack) - 1
	v := t.stack[last]
	t.stack = t.stack[:last]
	return v
}

// follow follows code to its first end or jump, and returns how many instructions that are; ok is false if there are others.
func (t *trace) follow(code []instruction) (n int, ok bool) {
	for n < len(code) && code[n][0] != opEnd && !starts(code[n:], opI32Const, opLocalSet, opBr) {
		n += t.step(code[n:])
		if t.failed {
			return n, false
		}
	}
	return n, len(t.stack) == 0
}

// step follows the first instructions of code and returns how many.
func (t *trace) step(code []instruction) int {
	switch in := code[0]; {
	case in[0] == opLocalGet:
		v, set := t.locals[in.number()]
		if !set {
			v = value{in}
		}
		t.push(v)
	case in[0] == opLocalSet:
		t.locals[in.number()] = t.pop()
	case in[0] == opLocalTee:
		t.locals[in.number()] = t.pop()
		t.push(t.locals[in.number()])
	case in[0] == opI32Const, in[0] == opI64Const:
		t.push(value{in})
	case in[0] == opI32Wrap, in[0] == opExtendU:
		t.push(append(slices.Clip(t.pop()), in))
	case in[0] == opI64Add:
		b, a := t.pop(), t.pop()
		t.push(append(slices.Concat(a, b), in))
	case in.isLoad():
		t.push(t.load(in))
	case in.isStore():
		t.store(in)
	case starts(code, opCall, opGet, opLocalSet) && t.rooms[in.number()] > 0 && t.room == 0 && code[1].is(opGet, 0) && code[2].is(opLocalSet, 1):
		t.room = t.rooms[in.number()]
		t.push(buffer)
		return 3
	default:
		t.failed = true
	}
	return 1
}

// load returns what a load pushes. A part of a saved register is not known; Go does not load one.
func (t *trace) load(in instruction) value {
	from := t.pop()
	v, ok := t.saved[in.offset()]
	switch {
	case !ok || !from.is(stackPointer):
		return append(slices.Clip(from), in)
	case in[0] == opI64Load:
		return v
	}
	return unknown
}

var stackPointer = value{with(opLocalGet, 1)}

// store saves a register on the stack, or writes a pointer into the buffer.
func (t *trace) store(in instruction) {
	v, to := t.pop(), t.pop()
	switch {
	case to.is(stackPointer) && in[0] == opI64Store:
		t.saved[in.offset()] = v
	case to.is(stackPointer):
		t.saved[in.offset()] = unknown
	case to.is(append(slices.Clip(buffer), instruction{opI32Wrap})) && in[0] == opI64Store && t.written[in.offset()] == nil:
		t.written[in.offset()] = v
	default:
		t.failed = true
	}
}

// pointers returns what the code writes into the buffer, or nil if it does not fill it.
func (t *trace) pointers() (all []value) {
	for i := range t.room {
		v := t.written[uint64(8*i)]
		if !v.known() {
			return nil
		}
		all = append(all, v)
	}
	if len(t.written) != t.room {
		return nil
	}
	return all
}
