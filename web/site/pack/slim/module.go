package slim

import (
	"cmp"
	"encoding/binary"
	"errors"
)

// Parts of the WebAssembly binary format, version 1.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	sectionCode = 10
	sectionData = 11
	dataCount   = 12 // would have to change, too; Go writes none
)

var errWasm = errors.New("this is no WebAssembly that Go writes")

// Module writes a module with shorter functions, with fewer data segments, and without the tables that only tracebacks read. Apart
// from these tables, the memory that the segments fill is the same.
func Module(module []byte) ([]byte, error) {
	return changed(module, change{functions: shorten, memory: dropTables})
}

// change is what happens to the parts of a module.
type change struct {
	functions func(body []byte) ([]byte, error)
	memory    func([]byte) error
}

// changed writes a module with its functions and its memory changed, and the memory in few segments.
func changed(module []byte, c change) ([]byte, error) {
	if len(module) < len(wasmHeader) || string(module[:len(wasmHeader)]) != wasmHeader {
		return nil, errWasm
	}
	out := append(make([]byte, 0, len(module)), wasmHeader...)
	for r := (wasmReader{rest: module[len(wasmHeader):]}); len(r.rest) > 0; {
		id := r.bytes(1)
		body := r.bytes(int(r.unsigned()))
		if r.failed || id[0] == dataCount {
			return nil, errWasm
		}
		body, err := c.section(id[0], body)
		if err != nil {
			return nil, err
		}
		out = append(out, id[0])
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

func (c change) section(id byte, body []byte) ([]byte, error) {
	switch id {
	case sectionCode:
		return c.code(body)
	case sectionData:
		memory, err := readMemory(body)
		if err == nil {
			err = c.memory(memory)
		}
		return writeSegments(split(memory)), err
	}
	return body, nil
}

// code changes each function of a code section.
func (c change) code(section []byte) ([]byte, error) {
	r := wasmReader{rest: section}
	n := r.unsigned()
	out := binary.AppendUvarint(make([]byte, 0, len(section)), n)
	for range n {
		body, err := c.functions(r.bytes(int(r.unsigned())))
		if err != nil || r.failed {
			return nil, cmp.Or(err, errWasm)
		}
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// wasmReader reads a module from front to back; after the first thing that is missing, it has failed.
type wasmReader struct {
	rest   []byte
	failed bool
}

func (r *wasmReader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.failed = nil, true
		return make([]byte, 1)
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// unsigned reads how many of something follow, which is not more than there are bytes.
func (r *wasmReader) unsigned() uint64 {
	n := r.leb()
	if n > uint64(len(r.rest)) {
		r.rest, r.failed = nil, true
		return 0
	}
	return n
}

func (r *wasmReader) leb() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.rest, r.failed = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// signed reads a 32-bit number as signed LEB128; an address above 2 GB is negative, and Go has none there at the start.
func (r *wasmReader) signed() (n int64) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.bytes(1)[0]
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.failed = true
	return n
}
