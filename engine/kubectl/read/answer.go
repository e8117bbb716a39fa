package read

import (
	"strings"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// Reading is what a command prints: the first lines at once, others as time passes.
type Reading struct {
	Lines  []Line // in the order of time
	Open   bool   // the command would wait for more than the run has
	Failed bool   // kubectl would exit with 1
}

// Line is a line of a terminal.
type Line struct {
	T      int64 // when it is printed, in virtual ms
	Text   string
	Stderr bool
}

// Text returns all lines.
func (r *Reading) Text() string {
	texts := make([]string, len(r.Lines))
	for i := range r.Lines {
		texts[i] = r.Lines[i].Text
	}
	return strings.Join(texts, "\n")
}

// Print adds lines that are printed at a moment. A text that ends its last line does not begin another one.
func (r *Reading) Print(t int64, text string) { r.add(t, strings.TrimSuffix(text, "\n"), false) }

// Complain adds lines that go to stderr.
func (r *Reading) Complain(t int64, text string) { r.add(t, text, true) }

// Fail adds an error in kubectl's words.
func (r *Reading) Fail(t int64, err error) {
	r.Complain(t, line.ErrorText(err))
	r.Failed = true
}

func (r *Reading) add(t int64, text string, stderr bool) {
	for line := range strings.SplitSeq(text, "\n") {
		r.Lines = append(r.Lines, Line{T: t, Text: line, Stderr: stderr})
	}
}
