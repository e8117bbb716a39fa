package gowasm

import (
	"bytes"
	"errors"
	"testing"
)

// memoryOf is what a module's data section fills.
func memoryOf(t *testing.T, segments []segment) []byte {
	t.Helper()
	var memory []byte
	for _, s := range segments {
		if grow := int(s.at) + len(s.data) - len(memory); grow > 0 {
			memory = append(memory, make([]byte, grow)...)
		}
		copy(memory[s.at:], s.data)
	}
	return memory
}

// TestJoinSegments: fewer segments fill the same memory, other sections stay as they are.
func TestJoinSegments(t *testing.T) {
	before := []segment{{70, []byte("d")}, {64, []byte("abc")}, {70 + 1 + zerosMax, []byte("e")}, {5000, []byte("far")}, {9000, bytes.Repeat([]byte{7}, 300)}}
	other := []byte{0, 3, 1, 'x', 9} // a custom section
	module := append([]byte(wasmHeader), other...)
	body := writeSegments(before)
	module = append(module, sectionData, byte(len(body)&0x7f|0x80), byte(len(body)>>7))
	module = append(append(module, body...), other...)

	got, err := Rewrite(module, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(got[len(wasmHeader):], other) || !bytes.HasSuffix(got, other) {
		t.Errorf("other sections changed: %q", got)
	}
	r := wasmReader{rest: got[len(wasmHeader)+len(other)+1:]}
	section := r.bytes(int(r.unsigned()))
	after, err := readMemory(section)
	if err != nil {
		t.Fatal(err)
	}
	if section[0] != 3 || !bytes.Equal(after, memoryOf(t, before)) {
		t.Errorf("%d segments: %v", section[0], after)
	}
}

// TestJoinNothingElse: what is not as Go writes it is refused, not guessed.
func TestJoinNothingElse(t *testing.T) {
	good := append([]byte(wasmHeader), sectionData, 7, 1, 0, opI32Const, 8, opEnd, 1, 'x')
	if _, err := Rewrite(good, Hooks{}); err != nil {
		t.Fatal(err)
	}
	for n := range len(good) - 1 {
		if n == len(wasmHeader) {
			continue // no section is a module, too
		}
		if _, err := Rewrite(good[:n], Hooks{}); !errors.Is(err, ErrFormat) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	overlap := writeSegments([]segment{{8, []byte("abc")}, {10, []byte("d")}})
	if _, err := readMemory(overlap); !errors.Is(err, ErrFormat) {
		t.Errorf("an overlap: %v", err)
	}
	for i, b := range map[int]byte{10: 2, 11: 1, 12: 0x42, 14: 0} {
		bad := bytes.Clone(good)
		bad[i] = b
		if _, err := Rewrite(bad, Hooks{}); !errors.Is(err, ErrFormat) {
			t.Errorf("byte %d as %d: %v", i, b, err)
		}
	}
}
