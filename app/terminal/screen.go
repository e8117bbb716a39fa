package terminal

import (
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// Screen is the terminal at the cursor of a run.
type Screen struct {
	*Terminal
	View
}

// View is what a terminal has to know of the page.
type View struct {
	Run    *engine.Run // nil while there is none
	Number int         // of the run: the page counts the runs that it shows
	Cursor cursor.Place
	Lang   lang.Lang
	Prints func() []int // lists the records of the run that a terminal shows: commands, and what they print later; nil for none
}

// Interrupt is Ctrl-C: it ends the stream at the cursor and drops the lines that wait for it. It says whether
// there was a stream.
func (c Screen) Interrupt() bool {
	c.waiting = nil
	e := c.Stream()
	if e != nil {
		c.cut(e)
	}
	return e != nil
}

// cut ends a stream at the cursor. What happens later in the same moment was not seen.
func (c Screen) cut(e *Entry) {
	e.Until, e.Last = c.Cursor.T, c.Cursor.T
	if c.recordTime(c.Cursor.Record) < c.Cursor.T {
		e.Last--
	}
	c.version++
}

// Next takes the first of the waiting lines, if no stream is in front of it. A stream that never ends by itself is ended.
func (c Screen) Next() (line string, ok bool) {
	if c.last != nil && !c.belongs(c.last) {
		c.waiting = nil // they were meant for another scenario
	}
	if len(c.waiting) == 0 {
		return "", false
	}
	if e := c.inFront(); e != nil {
		if e.parsed().Waits() {
			return "", false
		}
		c.cut(e)
	}
	for len(c.waiting) > 0 {
		var sign string
		sign, line = past.Condition(c.waiting[0])
		if c.waiting = c.waiting[1:]; sign == "" || c.failed() == (sign == "||") {
			return line, true
		}
	}
	return "", false
}

// failed says whether the command that ran last would have ended with an error in a shell.
func (c Screen) failed() bool {
	if e := c.last; e != nil {
		return e.Until <= c.Cursor.T || c.answerTo(e, c.Cursor.T).Failed
	}
	if n := len(c.history); n == 0 || c.history[n-1] == LineClear {
		return false
	}
	p := c.Run.Past()
	answer := p.Transcript(p.LastInput(c.Cursor.Record))
	return answer != nil && answer.Failed
}

// inFront returns the stream that the waiting lines wait for, nil if it has ended or was undone.
func (c Screen) inFront() *Entry {
	if e := c.last; e != nil && (c.Cursor.T < e.T || c.Stream() == e) {
		return e
	}
	return nil
}

// Halt is where the cursor stops on its way to a later moment: the next waiting line runs when the stream before
// it has ended.
func (c Screen) Halt(to int64) int64 {
	if len(c.waiting) == 0 {
		return to
	}
	e := c.Stream()
	if e == nil {
		return to
	}
	if a := c.answerTo(e, to); !a.Open {
		to = min(to, max(endOf(a), c.Cursor.T))
	}
	return to
}

// Ask puts a line that reads into the scrollback, at the cursor. The run answers it.
func (c Screen) Ask(line *past.Command) *Entry {
	e := c.Note(line.Text, "", false)
	e.command = line
	return e
}

// Note puts a line into the scrollback, at the cursor. Its answer is what the page says, or, if that is empty, comes from the
// run.
func (c Screen) Note(line, said string, failed bool) *Entry {
	e := &Entry{Line: line, Said: said, Failed: failed, T: c.Cursor.T, Record: c.Cursor.Record, RecordT: c.recordTime(c.Cursor.Record), Until: never}
	e.rec, e.run = c.Run.Recording(), c.Number
	c.add(e)
	return e
}

// Stream returns the entry that is still printing at the cursor, nil if the prompt is free. Only the last entry can be.
func (c Screen) Stream() *Entry {
	var e *Entry
	for _, other := range c.typed {
		if c.belongs(other) && other.Line != LineClear && c.reached(other) {
			e = other
		}
	}
	if e == nil || e.Until <= c.Cursor.T {
		return nil
	}
	if a := c.answerTo(e, c.Cursor.T); !a.Open && endOf(a) <= c.Cursor.T {
		return nil
	}
	return e
}
