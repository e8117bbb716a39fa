package main

import (
	"io"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/words"
)

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// safe is a console that shows control characters instead of obeying them: names and texts may come from a stranger's link.
func (c console) safe() (console, func() error) {
	out, err := &visibleWriter{w: c.out}, &visibleWriter{w: c.err}
	return console{c.in, out, err}, func() error {
		out.flush()
		return err.flush()
	}
}

// visibleWriter writes texts as words.Visible does. It keeps the beginning of a character that a write has cut.
type visibleWriter struct {
	w    io.Writer
	tail []byte
}

func (v *visibleWriter) Write(p []byte) (int, error) {
	text := append(v.tail, p...)
	n := len(text)
	for i := max(0, n-utf8.UTFMax+1); i < n; i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			n = i
			break
		}
	}
	v.tail = append([]byte(nil), text[n:]...)
	if _, err := io.WriteString(v.w, words.Visible(string(text[:n]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes what is left: a character that never ended.
func (v *visibleWriter) flush() error {
	_, err := io.WriteString(v.w, words.Visible(string(v.tail)))
	v.tail = nil
	return err
}
