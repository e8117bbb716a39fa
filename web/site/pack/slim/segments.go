package slim

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// zerosMax is the longest run of zeros between two data segments that is written out instead of ending a segment. Go's linker
// ends one at every few zeros: about 100,000 segments, whose headers compress badly. Joined they are 5 % of the download less.
const zerosMax = 256

// memoryMax bounds what a damaged module can make us reserve. Go's data has 4 MB.
const memoryMax = 64 << 20

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
