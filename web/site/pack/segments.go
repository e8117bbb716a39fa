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

var errWasm = errors.New("this is no WebAssembly that Go writes")

// joinSegments writes the data section of a module with fewer segments. The memory that they fill is the same.
func joinSegments(module []byte) ([]byte, error) {
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
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			body = writeSegments(join(segments))
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

// readSegments reads the body of a data section and sorts its segments by address: Go's linker writes active segments of memory
// 0 that do not overlap.
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
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(segments); i++ {
		if before := &segments[i-1]; before.at+int64(len(before.data)) > segments[i].at {
			return nil, fmt.Errorf("%w: data segments overlap at %d", errWasm, segments[i].at)
		}
	}
	if len(r.rest) > 0 {
		return nil, errWasm
	}
	return segments, nil
}

// join joins neighbours: 40–44 and 50–52 become 40–52, with six zeros within.
func join(segments []segment) (joined []segment) {
	for _, s := range segments {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if gap := s.at - last.at - int64(len(last.data)); gap <= zerosMax {
				last.data = append(append(last.data, make([]byte, gap)...), s.data...)
				continue
			}
		}
		joined = append(joined, segment{s.at, append([]byte(nil), s.data...)})
	}
	return joined
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
