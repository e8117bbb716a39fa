package gowasm

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The instructions that Go's compiler emits and this package reads or writes.
const (
	opBlock    = 0x02
	opLoop     = 0x03
	opIf       = 0x04
	opEnd      = 0x0b
	opBr       = 0x0c
	opBrIf     = 0x0d
	opBrTable  = 0x0e
	opReturn   = 0x0f
	opSelect   = 0x1b
	opCall     = 0x10
	opCallAny  = 0x11 // call_indirect
	opLocalGet = 0x20
	opLocalSet = 0x21
	opLocalTee = 0x22
	opGet      = 0x23 // global.get
	opSet      = 0x24 // global.set
	opTableSet = 0x26
	opLoad     = 0x28 // i32.load, the first of the loads
	opI64Load  = 0x29
	opLoad32U  = 0x35 // i64.load32_u
	opStore    = 0x36 // the first of the stores
	opI64Store = 0x37
	opStore32  = 0x3e // the last of the stores
	opMemSize  = 0x3f
	opMemGrow  = 0x40
	opI32Const = 0x41
	opI64Const = 0x42
	opF32Const = 0x43
	opF64Const = 0x44
	opI32Eqz   = 0x45
	opI32LeU   = 0x4d
	opI64Eqz   = 0x50
	opI32Add   = 0x6a
	opI32Sub   = 0x6b
	opI64Add   = 0x7c
	opI64Or    = 0x84
	opI32Wrap  = 0xa7
	opExtendU  = 0xad // i64.extend_i32_u
	opLast     = 0xc4 // the last instruction of one byte
	opMore     = 0xfc // the first byte of instructions of two bytes

	noResult = 0x40 // the type of a block
	typeI32  = 0x7f
	typeI64  = 0x7e
	typeFunc = 0x60
)

// instruction is an encoded instruction: its opcode and its operands.
type instruction []byte

// function is the body of a function: its encoded locals and its instructions.
type function struct {
	locals []byte
	code   []instruction
}

// readFunction cuts a body into instructions.
func readFunction(body []byte) (*function, error) {
	r := wasmReader{rest: body}
	for range r.unsigned() {
		r.unsigned()
		r.bytes(1)
	}
	f := &function{locals: body[:len(body)-len(r.rest)]}
	for len(r.rest) > 0 {
		in, known := r.instruction()
		if !known {
			return nil, fmt.Errorf("%w: instruction %#x", ErrFormat, in[0])
		}
		f.code = append(f.code, in)
	}
	if n := len(f.code); r.failed || n == 0 || f.code[n-1][0] != opEnd {
		return nil, ErrFormat
	}
	return f, nil
}

// instruction reads an instruction, and reports whether it knows the opcode.
func (r *wasmReader) instruction() (in instruction, known bool) {
	rest := r.rest
	known = r.skip(r.bytes(1)[0])
	n := len(rest) - len(r.rest)
	return rest[:n:n], known
}

// skip reads the operands of an opcode and reports whether it knows the opcode.
func (r *wasmReader) skip(op byte) bool {
	switch {
	case op == opBrTable:
		for range r.unsigned() + 1 {
			r.number()
		}
	case op == opCallAny, opLoad <= op && op <= opStore32:
		r.number()
		r.number()
	case opBlock <= op && op <= opIf, op == opBr, op == opBrIf, op == opCall, opLocalGet <= op && op <= opTableSet,
		op == opMemSize, op == opMemGrow, op == opI32Const, op == opI64Const:
		r.number()
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == opMore:
		return r.skipMore()
	default:
		return op <= opLast && (op < 0x06 || op == opEnd || op == opReturn || op > opF64Const || op == 0x1a || op == opSelect)
	}
	return !r.failed
}

// skipMore reads the rest of an instruction with two bytes: a conversion that saturates, memory.copy, memory.fill.
func (r *wasmReader) skipMore() bool {
	switch op := r.unsigned(); {
	case op <= 7:
	case op == 10:
		r.bytes(2)
	case op == 11:
		r.bytes(1)
	default:
		return false
	}
	return !r.failed
}

// number skips a number in LEB128, signed or not.
func (r *wasmReader) number() {
	for r.bytes(1)[0] >= 0x80 {
	}
}

func (f *function) encode() []byte {
	out := bytes.Clone(f.locals)
	for _, i := range f.code {
		out = append(out, i...)
	}
	return out
}

// usual reports whether a function follows Go's convention: parameter 0 is the block to begin at, and local 1 is a copy of the stack
// pointer, which is global 0.
func (f *function) usual() bool {
	return len(f.code) >= 2 && f.code[0].is(opGet, 0) && f.code[1].is(opLocalSet, 1) && bytes.HasPrefix(f.locals[1:], []byte{1, typeI32})
}

// nesting returns by how many blocks the instructions behind this one are deeper.
func (i instruction) nesting() int {
	switch i[0] {
	case opBlock, opLoop, opIf:
		return 1
	case opEnd:
		return -1
	}
	return 0
}

// number returns the number after the opcode: an index, a depth.
func (i instruction) number() uint64 {
	n, _ := binary.Uvarint(i[1:])
	return n
}

// constant returns the number of i32.const and i64.const.
func (i instruction) constant() (n int64) {
	for k, b := range i[1:] {
		n |= int64(b&0x7f) << (7 * k)
		if b < 0x80 && b&0x40 != 0 {
			n |= -1 << (7 * (k + 1))
		}
	}
	return n
}

// offset returns the offset of a load or a store. It follows the alignment, which takes one byte.
func (i instruction) offset() uint64 {
	n, _ := binary.Uvarint(i[2:])
	return n
}

func (i instruction) is(op byte, n uint64) bool { return i[0] == op && i.number() == n }
func (i instruction) isLoad() bool              { return i[0] >= opLoad && i[0] < opStore }
func (i instruction) isStore() bool             { return i[0] >= opStore && i[0] <= opStore32 }

func with(op byte, n uint64) instruction    { return binary.AppendUvarint(instruction{op}, n) }
func constant(op byte, n int64) instruction { return appendSigned(instruction{op}, n) }
func (i instruction) at(n uint64) instruction {
	return binary.AppendUvarint(instruction{i[0], i[1]}, n)
}
