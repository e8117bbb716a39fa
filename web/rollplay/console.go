package main

import (
	"errors"
	"io"

	"github.com/rollplay/rollplay/engine/words"
)

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	watch    *watch // over the time and memory of the command
}

// safe is a console that shows control characters instead of obeying them: names and texts may come from a stranger's link.
func (c console) safe() (console, func() error) {
	out, err := words.NewWriter(c.out), words.NewWriter(c.err)
	return console{c.in, out, err, c.watch}, func() error { return errors.Join(out.Flush(), err.Flush()) }
}
