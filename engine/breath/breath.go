// Package breath lets long work pause, so that a browser can answer a person meanwhile. A browser has one thread: while it reads
// a text of a megabyte, nothing on the page moves. So long loops take a breath now and then, and the page's host may let
// the browser work there. Nothing that is computed depends on it.
package breath

import (
	"io"
	"iter"
	"slices"
	"unicode/utf8"
)

// Host is called at each breath. It is set once, before anything else runs, by a host that needs it; elsewhere it is nil. It
// returns when the work is to continue.
var Host func()

// Take is called inside loops that may be long.
func Take() {
	if Host != nil {
		Host()
	}
}

// Often takes a breath at every 64th call, for loops of tens of thousands of steps without a counter.
func Often() {
	if Host == nil {
		return
	}
	if calls++; calls%64 == 0 {
		Host()
	}
}

var calls int // only a browser counts: its program has one thread

// Long is the size from which reading a text or packing a link takes so long that it should be done in parts.
const Long = 16 << 10

// part is how much of a text is read between two breaths.
const part = 4 << 10

// Reader reads a text and takes a breath before each part of it.
type Reader struct{ text string }

// NewReader returns a reader of a text.
func NewReader(text string) *Reader { return &Reader{text} }

// Read reads the next bytes.
func (r *Reader) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	Take()
	n := copy(p[:min(len(p), part)], r.text)
	r.text = r.text[n:]
	return n, nil
}

// Parts yields the parts of a text, with a breath before each. No part ends within a character.
func Parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			Take()
			n := min(len(text), part)
			for back := 0; back < utf8.UTFMax-1 && n < len(text) && !utf8.RuneStart(text[n]); back++ {
				n--
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// Write writes bytes in parts, with a breath before each.
func Write(w io.Writer, b []byte) error {
	for chunk := range slices.Chunk(b, part) {
		Take()
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}
