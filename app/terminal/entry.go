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
