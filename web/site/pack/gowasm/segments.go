package gowasm

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// zerosMax is the longest run of zeros inside a segment; a longer run ends it. Go's linker ends a segment at every few zeros, which
// gives a large program about 100,000 segments with headers that compress badly. Joining them saves 5 % of a compressed program.
const zerosMax = 256

// memoryMax limits the memory that a damaged module can make us allocate. The data of a large program has 4 MB.
const memoryMax = 64 << 20

// segment holds the bytes that a data section copies to an address of the memory.
type segment struct {
	at   int64
	data []byte
}

// joinSegments rewrites the body of a data section. It calls change with the memory that the section fills, unless change is nil.
func joinSegments(body []byte, change func(memory []byte) error) ([]byte, error) {
	memory, err := readMemory(body)
	if err == nil && change != nil {
		err = change(memory)
	}
	return writeSegments(split(memory)), err
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
			return nil, fmt.Errorf("%w: a data segment at %d", ErrFormat, s.at)
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
		kind := r.unsigned()
		at, _ := r.instruction() // an address above 2 GB would be negative; Go's data never begins there
		stop := r.bytes(1)
		data := r.bytes(int(r.unsigned()))
		if r.failed || kind != 0 || at[0] != opI32Const || len(at) > 1+5 || stop[0] != opEnd {
			return nil, fmt.Errorf("%w: data segment %d", ErrFormat, len(segments))
		}
		segments = append(segments, segment{at.constant(), data})
	}
	if r.failed || len(r.rest) > 0 {
		return nil, ErrFormat
	}
	return segments, nil
}

// split cuts memory into segments at the long runs of zeros, because memory is zero at the start anyway: 5 bytes, 300 zeros, 2 bytes,
// 6 zeros and 1 byte become segments of 5 and of 9 bytes.
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
		body = appendSized(append(body, opEnd), s.data)
	}
	return body
}

// appendSigned appends a number as signed LEB128. The standard library has only the unsigned form.
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
