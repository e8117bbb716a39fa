package words

import (
	"bytes"
	"testing"
)

// TestWriter: a character that is split between two writes stays whole, and an incomplete character is shown.
func TestWriter(t *testing.T) {
	text := "滚动 \u202e👩\x1b \U000e0041 é"
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := range len(text) {
		if n, err := w.Write([]byte(text[i : i+1])); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil || b.String() != Visible(text) {
		t.Errorf("got %q (%v), want %q", b.String(), err, Visible(text))
	}
	b.Reset()
	w.Write([]byte("a\xe6\xbb"))
	if err := w.Flush(); err != nil || b.String() != `a\xe6\xbb` {
		t.Errorf("got %q, %v", b.String(), err)
	}
}
