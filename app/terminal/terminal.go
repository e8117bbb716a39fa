// Package terminal is the kubectl prompt: what was typed, what it printed, and how that looks at a moment of the run.
package terminal

import (
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// Terminal is the prompt of the page: what was typed and is no command of the run, and the lines that wait for their turn.
// Commands that write are in the recording; the Screen puts both together.
type Terminal struct {
	typed   []*Entry // in the order of the scrollback
	history []string // all that was typed, the oldest first
	entered int      // counts the lines of the history that there ever were
	waiting []string // pasted lines that wait until the stream before them ends
	last    *Entry   // what was typed last
	version int      // counts what changes the scrollback but is no change of the run

	scroll scrollback
}

// What is kept of the prompt. The bytes are of all lines together.
const (
	typedMax     = 100
	historyMax   = 200
	terminalMost = 60_000 // bytes, of each of the two
)

// History is all that was typed, the oldest first. Entered counts the lines that there ever were.
func (t *Terminal) History() []string { return t.history }
func (t *Terminal) Entered() int      { return t.entered }

// Waiting is how many pasted lines wait for the stream before them.
func (t *Terminal) Waiting() int { return len(t.waiting) }

// Version is another number when something was typed that is no command of the run, or was interrupted.
func (t *Terminal) Version() int { return t.version }

// Enter takes lines that run one after the other; see Screen.Next.
func (t *Terminal) Enter(lines []string) { t.waiting = lines }

// Remember adds a line to the history, once if it is repeated.
func (t *Terminal) Remember(line string) {
	t.last = nil
	if n := len(t.history); n == 0 || t.history[n-1] != line {
		t.history = append(t.history, line)
		t.entered++
	}
	for len(t.history) > historyMax || len(strings.Join(t.history, "")) > terminalMost {
		t.history = t.history[1:]
	}
}

// add puts an entry where it belongs in the scrollback.
func (t *Terminal) add(e *Entry) {
	for _, other := range t.typed {
		e.Number = max(e.Number, other.Number+1)
	}
	i := sort.Search(len(t.typed), func(i int) bool { return e.at().Before(t.typed[i].at()) })
	t.typed = slices.Insert(t.typed, i, e)
	t.forget()
	t.version++
	if e.Line != LineClear {
		t.last = e
	}
}

// forget drops the oldest entries if there are too many.
func (t *Terminal) forget() {
	for len(t.typed) > typedMax || bytesOf(t.typed) > terminalMost {
		oldest := slices.MinFunc(t.typed, func(a, b *Entry) int { return a.Number - b.Number })
		t.typed = slices.DeleteFunc(t.typed, func(e *Entry) bool { return e == oldest })
	}
}

func bytesOf(list []*Entry) (n int) {
	for _, e := range list {
		n += len(e.Line) + len(e.Said)
	}
	return n
}

// Saved is the prompt as the browser keeps it between two visits: what was typed to the present scenario.
type Saved struct {
	Typed   []*Entry `json:"typed,omitempty"`
	History []string `json:"history,omitempty"`
}

// Save returns what Restore takes.
func (t *Terminal) Save(scenario string) *Saved {
	typed := slices.DeleteFunc(slices.Clone(t.typed), func(e *Entry) bool { return e.rec.Scenario != scenario })
	return &Saved{History: t.history, Typed: typed}
}

// Restore reverses Save and leaves out what is damaged. The lines were typed to runs of a recording.
func (t *Terminal) Restore(v *Saved, rec engine.Recording) {
	if v == nil {
		return
	}
	t.history, t.entered = v.History, len(v.History)
	for _, e := range v.Typed {
		if e != nil && e.Line != "" && e.T >= 0 {
			e.rec, e.Record = rec, max(e.Record, -1)
			t.typed = append(t.typed, e)
		}
	}
	sort.SliceStable(t.typed, func(i, j int) bool { return t.typed[i].at().Before(t.typed[j].at()) })
	t.forget()
}
