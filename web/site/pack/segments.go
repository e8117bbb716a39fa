package pack

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// zerosMax is the longest run of zeros between two data segments that is written out instead of ending a segment. Go's linker
// ends one at every few zeros: about 100,000 segments, whose headers compress badly. Joined they are 5 % of the download less.
const zerosMax = 256

// Parts of the WebAssembly binary format, version 1.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	sectionData = 11
	dataCount   = 12 // would have to change, too; Go writes none
	opI32Const  = 0x41
	opEnd       = 0x0b
)

// memoryMax bounds what a damaged module can make us reserve. Go's data has 4 MB.
const memoryMax = 64 << 20

var errWasm = errors.New("this is no WebAssembly that Go writes")

// Slim writes a module with fewer data segments and without the tables that only tracebacks read (see tables.go). Apart from
// these tables, the memory that the segments fill is the same.
func Slim(module []byte) ([]byte, error) {
	return overMemory(module, dropTables)
}

// overMemory lets change work on the memory of a module at its start, and writes it with few segments.
func overMemory(module []byte, change func(memory []byte) error) ([]byte, error) {
	if len(module) < len(wasmHeader) || string(module[:len(wasmHeader)]) != wasmHeader {
		return nil, errWasm
	}
	out := append([]byte(nil), wasmHeader...)
	for r := (wasmReader{rest: module[len(wasmHeader):]}); len(r.rest) > 0; {
		id := r.bytes(1)
		body := r.bytes(int(r.unsigned()))
		if r.failed || id[0] == dataCount {
			return nil, errWasm
		}
		if id[0] == sectionData {
			memory, err := readMemory(body)
			if err == nil {
				err = change(memory)
			}
			if err != nil {
				return nil, err
			}
			body = writeSegments(split(memory))
		}
		out = append(out, id[0])
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// segment is what a data section puts at an address of the memory.
type segment struct {
	at   int64
	data []byte
}

// readMemory reads the body of a data section. Go's linker writes active segments of memory 0 that do not overlap; those of one
// section of the program are in order.
func readMemory(body []byte) ([]byte, error) {
	segments, err := readSegments(body)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	var memory []byte
	for _, s := range segments {
		if s.at < int64(len(memory)) || s.at > memoryMax {
			return nil, fmt.Errorf("%w: a data segment at %d", errWasm, s.at)
		}
		memory = append(memory, make([]byte, int(s.at)-len(memory))...)
		memory = append(memory, s.data...)
	}
	return memory, nil
}

func readSegments(body []byte) ([]segment, error) {
	r := wasmReader{rest: body}
	segments := make([]segment, 0, r.unsigned())
	for range cap(segments) {
		kind, op := r.unsigned(), r.bytes(1)
		at := r.signed()
		stop := r.bytes(1)
		data := r.bytes(int(r.unsigned()))
		if r.failed || kind != 0 || op[0] != opI32Const || stop[0] != opEnd {
			return nil, fmt.Errorf("%w: data segment %d", errWasm, len(segments))
		}
		segments = append(segments, segment{at, data})
	}
	if r.failed || len(r.rest) > 0 {
		return nil, errWasm
	}
	return segments, nil
}

// split cuts memory into segments at the long runs of zeros, which a memory has anyway: of 5 bytes, 300 zeros, 2 bytes, 6 zeros
// and 1 byte, it makes segments of 5 and of 9 bytes.
func split(memory []byte) (segments []segment) {
	start, end := -1, 0 // of the segment so far; end is behind its last byte that is not zero
	for i, b := range memory {
		switch {
		case b == 0:
			continue
		case start < 0:
			start = i
		case i-end > zerosMax:
			segments = append(segments, segment{int64(start), memory[start:end]})
			start = i
		}
		end = i + 1
	}
	if start >= 0 {
		segments = append(segments, segment{int64(start), memory[start:end]})
	}
	return segments
}

func writeSegments(segments []segment) []byte {
	body := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		body = append(body, 0, opI32Const)
		body = appendSigned(body, s.at)
		body = append(body, opEnd)
		body = binary.AppendUvarint(body, uint64(len(s.data)))
		body = append(body, s.data...)
	}
	return body
}

// appendSigned appends a number as signed LEB128. encoding/binary has only the unsigned form, and a zigzag of its own.
func appendSigned(b []byte, n int64) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
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

func (r *wasmReader) unsigned() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)) {
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
