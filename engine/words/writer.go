package words

import (
	"io"
	"unicode/utf8"
)

// Writer writes texts as Visible does. It keeps the first bytes of a character until the rest is written.
type Writer struct {
	w    io.Writer
	tail []byte
}

// NewWriter returns a writer to w. Flush ends it.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes all complete characters.
func (v *Writer) Write(p []byte) (int, error) {
	text := append(v.tail, p...)
	n := len(text)
	for i := max(0, n-utf8.UTFMax+1); i < n; i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			n = i
			break
		}
	}
	v.tail = append([]byte(nil), text[n:]...)
	if _, err := io.WriteString(v.w, Visible(string(text[:n]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the rest: the bytes of an incomplete character.
func (v *Writer) Flush() error {
	_, err := io.WriteString(v.w, Visible(string(v.tail)))
	v.tail = nil
	return err
}
