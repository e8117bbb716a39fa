package app

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// printedKind says what a line of the scrollback is.
type printedKind byte

const (
	printedCommand printedKind = 'c'
	printedOutput  printedKind = 'o'
	printedError   printedKind = 'e' // what goes to stderr
	printedNote    printedKind = 'n' // what no terminal prints: how a command ended
	printedClear   printedKind = 0   // what is above it is hidden
)

// printed is a line of the scrollback. It is there when the cursor is not before its moment.
type printed struct {
	at   cursor
	kind printedKind
	text string
}

// scrollback is what the terminal has printed by a moment: the commands of the run, whoever gave them, and what was typed
// besides, in the order of time, with their answers. So it grows while the cursor goes on, and moving the cursor back
// hides its end; it is made anew when the run is another one or somebody typed.
type scrollback struct {
	run     int // the session's number of the run
	version int // of the terminal
	lang    lang
	whole   bool
	lines   []printed
	clears  []int // lines that hide what is above

	inputs int    // how many commands of the run are in, with what they print later
	typed  int    // how many of the typed lines are in, or not of this scenario
	stream *typed // what still prints
	read   int    // how many of its lines are in
}

// outputMax bounds what is shown of one answer at once. Copying gives all.
const outputMax = 500

// printedLines returns what is to be seen at the cursor.
func (s *session) printedLines() []printed {
	if s.run == nil {
		return nil
	}
	b := &s.terminal.scroll
	if b.run != s.runs || b.version != s.terminal.version || b.lang != s.lang {
		*b = scrollback{run: s.runs, version: s.terminal.version, lang: s.lang}
	}
	b.goOn(s)
	return b.seen(s.cursor)
}

// transcript is the same as a text, with all lines of long answers.
func (s *session) transcript() string {
	if s.run == nil {
		return ""
	}
	b := scrollback{whole: true, lang: s.lang}
	b.goOn(s)
	var text strings.Builder
	for _, l := range b.seen(s.cursor) {
		text.WriteString(l.text)
		text.WriteByte('\n')
	}
	return text.String()
}

// seen returns the lines up to a moment, from the last one that hides what is above it.
func (b *scrollback) seen(at cursor) []printed {
	n := sort.Search(len(b.lines), func(i int) bool { return at.before(b.lines[i].at) })
	from := 0
	for _, i := range b.clears {
		if i < n {
			from = i + 1
		}
	}
	return b.lines[from:n]
}

// goOn adds what is printed up to the cursor.
func (b *scrollback) goOn(s *session) {
	for b.next(s) {
	}
}

// next adds what is printed next, if it is not after the cursor: a command of the run, a line of the stream, or what
// somebody typed. In one moment a command comes before what it changes, and the stream before the line that ends it.
func (b *scrollback) next(s *session) bool {
	input, at := b.nextInput(s)
	e := b.nextTyped(s)
	if e != nil && (!input || e.at().before(at)) {
		input, at = false, e.at()
	} else {
		e = nil
	}
	if out, line, ok := b.nextOfStream(s); ok && out.T <= s.cursor.T && (out.before(at) || out.T == at.T && e != nil || !input && e == nil) {
		b.addOfStream(s, out.T, line)
		return true
	}
	switch {
	case input:
		b.addInput(s, at)
	case e != nil:
		b.addTyped(s, e)
	default:
		return false
	}
	return true
}

// nextInput returns where the next command of the run is, if it has been given, or what one of them prints later.
func (b *scrollback) nextInput(s *session) (ok bool, at cursor) {
	inputs := s.index.of(s.run).prints
	if b.inputs == len(inputs) {
		return false, at
	}
	i := inputs[b.inputs]
	at = cursor{s.run.Past().At(i), i}
	return !s.cursor.before(at), at
}

// nextTyped returns the next typed line that belongs to the run, if it was typed at or before the cursor.
func (b *scrollback) nextTyped(s *session) *typed {
	list := s.terminal.typed
	for ; b.typed < len(list); b.typed++ {
		if e := list[b.typed]; s.belongs(e) {
			if !s.reached(e) {
				return nil
			}
			return e
		}
	}
	return nil
}

// nextOfStream returns where the stream prints its next line, and which; interrupted if somebody ends it first.
func (b *scrollback) nextOfStream(s *session) (at cursor, line int, ok bool) {
	if b.stream == nil {
		return at, 0, false
	}
	end, last := b.endOfStream(s)
	if a := s.answerTo(b.stream, s.cursor.T); b.read < len(a.Lines) && a.Lines[b.read].T <= last {
		return cursor{a.Lines[b.read].T, math.MaxInt}, b.read, true
	}
	return end, interrupted, end.T < never
}

// interrupted stands for ^C in place of a line.
const interrupted = -1

// endOfStream returns where the stream is ended from outside, by Ctrl-C or by the next line that somebody types, and the
// last moment that was seen of it.
func (b *scrollback) endOfStream(s *session) (at cursor, last int64) {
	at, last = cursor{T: never}, never
	if e := b.stream; e.Until < never {
		at, last = cursor{e.Until, -1}, e.Last
		if last == e.Until {
			at.Record = math.MaxInt
		}
	}
	if e := b.following(s); e != nil && e.T < at.T {
		at, last = e.at(), e.T
		if e.RecordT < e.T {
			last--
		}
	}
	return at, last
}

// following returns the line that somebody types next, and that ends the stream.
func (b *scrollback) following(s *session) *typed {
	for _, e := range s.terminal.typed[b.typed:] {
		if s.belongs(e) && e.Line != lineClear {
			s.reached(e)
			return e
		}
	}
	return nil
}

// addOfStream adds a line of the stream, or that it was interrupted.
func (b *scrollback) addOfStream(s *session, t int64, line int) {
	at := cursor{T: t, Record: -1}
	if line == interrupted {
		b.add(at, printedOutput, "^C")
		b.stream = nil
		return
	}
	a := s.answerTo(b.stream, t)
	b.addLine(at, a.Lines[line])
	b.read++
	b.end(at, a)
}

// end takes note of a stream that has printed its last line.
func (b *scrollback) end(at cursor, a *past.Reading) {
	if b.read < len(a.Lines) || a.Open {
		return
	}
	b.stream = nil
	if a.Failed {
		b.add(at, printedNote, exited)
	}
}

// exited is written below a command that failed.
const exited = "# exit 1"

func (b *scrollback) addInput(s *session, at cursor) {
	b.inputs++
	r := s.run.Record(at.Record)
	if r.Kind == engine.Input {
		b.addCommand(at, r.Command)
	}
	if r.What != "" {
		b.addAnswer(at, inputAnswer(r))
	}
	if r.Failed {
		b.add(at, printedNote, exited)
	}
}

// inputAnswer is what a command of the run has printed.
func inputAnswer(r engine.Record) (lines []past.ReadLine) {
	for text := range strings.SplitSeq(r.What, "\n") {
		lines = append(lines, past.ReadLine{T: r.T, Text: text, Stderr: r.Failed || complains(text)})
	}
	return lines
}

// complains says whether a line of an answer went to stderr, although the command did not fail.
func complains(text string) bool {
	return strings.HasPrefix(text, "Warning: ") || strings.HasPrefix(text, "Flag --") || strings.HasPrefix(text, "--dry-run")
}

func (b *scrollback) addTyped(s *session, e *typed) {
	b.typed++
	if e.Line == lineClear {
		b.add(e.at(), printedClear, "")
		b.clears = append(b.clears, len(b.lines)-1)
		return
	}
	b.addCommand(e.at(), e.Line)
	a := s.answerTo(e, s.cursor.T)
	now := sort.Search(len(a.Lines), func(i int) bool { return a.Lines[i].T > e.T })
	b.addAnswer(e.at(), a.Lines[:now])
	b.stream, b.read = e, now
	b.end(e.at(), a)
}

// addAnswer adds what is printed at once, the first lines of it if it is much.
func (b *scrollback) addAnswer(at cursor, lines []past.ReadLine) {
	for i, line := range lines {
		if left := len(lines) - i; i == outputMax && left > 1 && !b.whole {
			b.add(at, printedNote, b.lang.say("terminal-more", b.lang.count(left, "one-more-line", "n-more-lines")))
			return
		}
		b.addLine(at, line)
	}
}

// addCommand adds a command with the prompt in front; further lines of it, as of a here-document, have a shell's second
// prompt. What the environment does is a comment and was typed by nobody.
func (b *scrollback) addCommand(at cursor, line string) {
	for i, text := range strings.Split(strings.TrimRight(line, "\n"), "\n") {
		switch {
		case i > 0:
			text = "> " + text
		case !strings.HasPrefix(text, "#"):
			text = "$ " + text
		}
		b.add(at, printedCommand, text)
	}
}

func (b *scrollback) addLine(at cursor, line past.ReadLine) {
	kind := printedOutput
	if line.Stderr {
		kind = printedError
	}
	b.add(at, kind, line.Text)
}

// add adds a line, never before the one above it.
func (b *scrollback) add(at cursor, kind printedKind, text string) {
	if n := len(b.lines); n > 0 && at.before(b.lines[n-1].at) {
		at = b.lines[n-1].at
	}
	b.lines = append(b.lines, printed{at, kind, text})
}

// belongs says whether a line was typed to a run of the scenario that is shown.
func (s *session) belongs(e *typed) bool {
	return s.run != nil && e.rec.Scenario == s.run.Recording().Scenario
}

// reached says whether a line was typed at or before the cursor.
func (s *session) reached(e *typed) bool {
	if s.cursor.T < e.T {
		return false
	}
	s.settle(e)
	return !s.cursor.before(e.at())
}

// stream returns what runs at the cursor, nil if the prompt is free: only the last line can.
func (s *session) stream() *typed {
	var e *typed
	for _, other := range s.terminal.typed {
		if s.belongs(other) && other.Line != lineClear && s.reached(other) {
			e = other
		}
	}
	if e == nil || e.Until <= s.cursor.T {
		return nil
	}
	if a := s.answerTo(e, s.cursor.T); !a.Open && endOf(a) <= s.cursor.T {
		return nil
	}
	return e
}

// endOf is when an answer prints its last line.
func endOf(a *past.Reading) int64 {
	if len(a.Lines) == 0 {
		return math.MinInt64
	}
	return a.Lines[len(a.Lines)-1].T
}

// answerTo returns the answer to a typed line in the shown run, with all that it prints up to a moment.
func (s *session) answerTo(e *typed, t int64) *past.Reading {
	s.settle(e)
	if e.answer == nil || e.answer.Open && e.end <= t {
		e.answer, e.end = s.answerNow(e), s.end()
		if s.run.Done() {
			e.end = never
		}
	}
	return e.answer
}

func (s *session) answerNow(e *typed) *past.Reading {
	a := &past.Reading{Failed: e.Failed}
	switch {
	case e.Said != "":
		for line := range strings.SplitSeq(e.Said, "\n") {
			a.Lines = append(a.Lines, past.ReadLine{T: e.T, Text: line, Stderr: e.Failed})
		}
	case e.Line == lineHelp:
		for _, line := range s.lang.helpLines() {
			a.Lines = append(a.Lines, past.ReadLine{T: e.T, Text: line})
		}
	default:
		if r, ok := s.run.Past().Read(e.Line, e.Record, e.T); ok {
			return r
		}
	}
	return a
}

// helpLines lists what the prompt understands.
func (l lang) helpLines() (lines []string) {
	for _, v := range past.Modelled() {
		lines = append(lines, fmt.Sprintf("%-17s %s", v.Name, v.Brief))
	}
	return append(lines,
		fmt.Sprintf("%-17s %s", lineClear, l.say("help-clear")),
		l.say("help-verbs"), l.say("help-stop"))
}

// settle brings a typed line in step with the shown run: as long as the run is the one that it was typed to, up to there,
// its record stays and with it what it has printed. Otherwise it is a line at the same moment of another run.
func (s *session) settle(e *typed) {
	if e.run == s.runs {
		return
	}
	rec := s.run.Recording()
	parts := parting(e.rec, rec)
	switch {
	case e.RecordT >= parts || s.recordTime(e.Record) != e.RecordT:
		e.Record = s.run.Past().Find(e.T)
		e.RecordT = s.recordTime(e.Record)
		e.answer = nil
	case e.answer != nil && (e.answer.Open || endOf(e.answer) > e.T && endOf(e.answer) >= parts):
		e.answer = nil
	}
	e.rec, e.run = rec, s.runs
}

// parting is the moment from which on the runs of two recordings differ, never if they do not. Two scenarios have nothing
// in common.
func parting(a, b engine.Recording) int64 {
	if a.Scenario != b.Scenario {
		return -1
	}
	for i := 0; ; i++ {
		switch {
		case i == len(a.Commands) && i == len(b.Commands):
			return never
		case i == len(a.Commands):
			return b.Commands[i].At
		case i == len(b.Commands):
			return a.Commands[i].At
		case a.Commands[i] != b.Commands[i]:
			return min(a.Commands[i].At, b.Commands[i].At)
		}
	}
}
