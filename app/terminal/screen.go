package terminal

import (
	"fmt"
	"math"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// Screen is the terminal at the cursor of a run, with what it has to know of the page.
type Screen struct {
	*Terminal

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

// Entry is a prompt line outside the recording: it only reads, or only the page answers it. Its answer is recomputed when
// the run changes.
type Entry struct {
	Line    string `json:"line"`
	T       int64  `json:"t"`       // where the cursor was
	Record  int    `json:"record"`  // the last record that had happened
	RecordT int64  `json:"recordT"` // when it had; -1 for none
	Until   int64  `json:"until"`   // when the person ended it, in virtual ms; never if they did not
	Last    int64  `json:"last"`    // what it printed up to here had been seen then
	Number  int    `json:"number"`  // in the order of typing
	Said    string `json:"said,omitempty"`
	Failed  bool   `json:"failed,omitempty"` // of what is Said

	rec    engine.Recording // of the run that Record is from
	run    int              // the number of that run
	answer *past.Reading
	end    int64     // the answer has what is printed before
	lang   lang.Lang // of the answer

	command *past.Command // the line, once it was parsed
}

// parsed returns the line as kubectl reads it.
func (e *Entry) parsed() *past.Command {
	if e.command == nil {
		e.command = past.Parse(e.Line)
	}
	return e.command
}

// never is the end of a stream that nobody ended.
const never = math.MaxInt64

// Lines that the page itself answers.
const (
	LineClear = "clear"
	LineHelp  = "help"
)

func (e *Entry) at() cursor.Place { return cursor.Place{T: e.T, Record: e.Record} }

// belongs says whether a line was typed to a run of the scenario that is shown.
func (c Screen) belongs(e *Entry) bool {
	return c.Run != nil && e.rec.Scenario == c.Run.Recording().Scenario
}

// reached says whether a line was typed at or before the cursor.
func (c Screen) reached(e *Entry) bool {
	if c.Cursor.T < e.T {
		return false
	}
	c.settle(e)
	return !c.Cursor.Before(e.at())
}

// settle updates an entry to the shown run. As long as that is the run to which it was typed, up to there, its
// record stays, and with it what it has printed. Otherwise it becomes a line at the same moment of another run.
func (c Screen) settle(e *Entry) {
	if e.run == c.Number {
		return
	}
	rec := c.Run.Recording()
	parts := e.rec.PartsFrom(rec)
	switch {
	case e.RecordT >= parts || c.recordTime(e.Record) != e.RecordT:
		e.Record = c.Run.Past().Find(e.T)
		e.RecordT = c.recordTime(e.Record)
		e.answer = nil
	case e.answer != nil && (e.answer.Open || endOf(e.answer) > e.T && endOf(e.answer) >= parts):
		e.answer = nil
	}
	e.rec, e.run = rec, c.Number
}

// recordTime is when a record happened, -1 for none.
func (c Screen) recordTime(record int) int64 {
	if record < 0 || record >= c.Run.Len() {
		return -1
	}
	return c.Run.Past().At(record)
}

// answerTo returns the answer to an entry in the shown run, with everything that it prints up to a moment.
func (c Screen) answerTo(e *Entry, t int64) *past.Reading {
	c.settle(e)
	if e.answer == nil || e.answer.Open && e.end <= t || e.Line == LineHelp && e.lang != c.Lang {
		e.answer, e.end, e.lang = c.answerNow(e), c.Run.Now(), c.Lang
		if c.Run.Done() {
			e.end = never
		}
	}
	return e.answer
}

func (c Screen) answerNow(e *Entry) *past.Reading {
	a, said := &past.Reading{Failed: e.Failed}, e.Said
	switch {
	case said != "":
	case e.Line == LineHelp:
		said = help(c.Lang)
	default:
		if r, ok := c.Run.Past().Read(e.parsed(), e.Record, e.T); ok {
			return r
		}
		return a
	}
	for line := range strings.SplitSeq(said, "\n") {
		a.Lines = append(a.Lines, past.ReadLine{T: e.T, Text: line, Stderr: e.Failed})
	}
	return a
}

// endOf is when an answer prints its last line.
func endOf(a *past.Reading) int64 {
	if len(a.Lines) == 0 {
		return math.MinInt64
	}
	return a.Lines[len(a.Lines)-1].T
}

// help lists the commands of the prompt.
func help(l lang.Lang) (text string) {
	for _, v := range past.Modelled() {
		text += fmt.Sprintf("%-17s %s\n", v.Name, v.Brief)
	}
	return text + fmt.Sprintf("%-17s %s\n%s\n%s", LineClear, l.Say("help-clear"), l.Say("help-verbs"), l.Say("help-stop"))
}
