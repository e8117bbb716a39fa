// Package gowasm rewrites a WebAssembly module that Go's linker wrote: the module becomes smaller after compression, and its functions
// run faster. The program behaves as before. Three things change:
//
//   - Jumps. Go's compiler sends every jump through a table at the beginning of the function. In a program of 20 MB, 53,500 of 59,700
//     jumps go forward, and those become branches. Loads and stores add offsets from the stack pointer themselves, which removes
//     370,000 instructions.
//   - Calls. Each call carries its return address and the depth of a branch, two numbers that never repeat. The function's part of
//     the address moves to a local, and the branch becomes a return.
//   - Data. 100,000 segments are joined across short runs of zeros.
//
// The first two make the compressed program 13% smaller (2.04 → 1.76 MB of brotli) and need 22% less CPU in Node. wasm-opt makes the same
// program larger (2.42 MB with -O1, 2.49 MB with -Oz). Code that no rule recognizes stays as it is, and an instruction that Go does
// not write today is an error.
package gowasm

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Parts of the WebAssembly binary format, version 1.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	sectionCode = 10
	sectionData = 11
	dataCount   = 12 // refused: its number would have to change, too, and Go writes no such section
)

// ErrFormat is the error for a module that does not look like the output of Go's linker.
var ErrFormat = errors.New("not a WebAssembly module as Go's linker writes it")

// Rewrite returns the module with shorter functions and fewer data segments. Before it writes the segments, it calls memory with the
// contents that they give the program's memory, starting at address 0; memory may change bytes there. A nil memory changes nothing.
func Rewrite(module []byte, memory func([]byte) error) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte(wasmHeader)) {
		return nil, ErrFormat
	}
	out := append(make([]byte, 0, len(module)), wasmHeader...)
	for r := (wasmReader{rest: module[len(wasmHeader):]}); len(r.rest) > 0; {
		id := r.bytes(1)[0]
		body := r.bytes(int(r.unsigned()))
		if r.failed || id == dataCount {
			return nil, ErrFormat
		}
		var err error
		switch id {
		case sectionCode:
			body, err = shortenAll(body)
		case sectionData:
			body, err = joinSegments(body, memory)
		}
		if err != nil {
			return nil, err
		}
		out = appendSized(append(out, id), body)
	}
	return out, nil
}

// appendSized appends a part of a module behind its size.
func appendSized(out, part []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(part))), part...)
}

// wasmReader reads a module from front to back. It fails at the first missing byte and then returns zeros.
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

// unsigned reads a count, which cannot exceed the number of bytes that are left.
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
