package terminal

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// LineKind says what a line of the scrollback is.
type LineKind byte

// The kinds, as letters for JavaScript.
const (
	KindCommand LineKind = 'c'
	KindOutput  LineKind = 'o'
	KindError   LineKind = 'e' // what goes to stderr
	KindNote    LineKind = 'n' // what no terminal prints: how a command ended
	kindClear   LineKind = 0   // hides what is above it
)

// Line is a line of the scrollback. It is there when the cursor is not before its moment.
type Line struct {
	At   cursor.Place
	Kind LineKind
	Text string
}

// scrollback is what the terminal has printed. It merges three streams, each of them in the order of time: the commands of the
// run, whoever gave them; the entries that were typed besides; and the lines that the last entry is still printing, its
// stream. It grows with the cursor, moving the cursor back hides its end, and it is made again for another run or after
// somebody has typed.
type scrollback struct {
	run, version int
	lang         lang.Lang
	whole        bool // long answers are not cut

	lines  []Line
	clears []int // lines that hide what is above

	commands int    // how many of Screen.Prints are in
	typed    int    // how many of the entries are in, or not of this scenario
	stream   *Entry // what is still printing
	read     int    // how many of its lines are in
}

// outputMax bounds what is shown of one answer. Copying gives all.
const outputMax = 500

// Lines returns the lines that are visible at the cursor.
func (c Screen) Lines() []Line {
	if c.Run == nil {
		return nil
	}
	b := &c.scroll
	if b.run != c.Number || b.version != c.version || b.lang != c.Lang {
		*b = scrollback{run: c.Number, version: c.version, lang: c.Lang}
	}
	return b.upTo(c)
}

// Transcript is the same as a text, with all lines of long answers.
func (c Screen) Transcript() string {
	if c.Run == nil {
		return ""
	}
	b := scrollback{whole: true, lang: c.Lang}
	return words.Join(b.upTo(c), "", func(l Line) string { return l.Text + "\n" })
}

// upTo adds what is printed up to the cursor, and returns the lines up to there, from the last one that hides what is above it.
func (b *scrollback) upTo(c Screen) []Line {
	for b.next(c) {
	}
	n := sort.Search(len(b.lines), func(i int) bool { return c.Cursor.Before(b.lines[i].At) })
	from := 0
	for _, i := range b.clears {
		if i < n {
			from = i + 1
		}
	}
	return b.lines[from:n]
}

// next adds what is printed next, if it is not after the cursor. In one moment a command comes before what it changes, and the
// stream before the entry that ends it.
func (b *scrollback) next(c Screen) bool {
	at, found := b.nextCommand(c)
	e := b.nextEntry(c)
	if e != nil && (!found || e.at().Before(at)) {
		at, found = e.at(), true
	} else {
		e = nil
	}
	if t, line, ok := b.nextOfStream(c); ok && t.T <= c.Cursor.T && (!found || t.Before(at) || e != nil && t.T == at.T) {
		b.addOfStream(c, t.T, line)
		return true
	}
	switch {
	case e != nil:
		b.addEntry(c, e)
	case found:
		b.addCommand(c, at)
	}
	return found
}

// nextCommand returns where the next command of the run is, if it has been given, or what one of them prints later.
func (b *scrollback) nextCommand(c Screen) (at cursor.Place, ok bool) {
	if c.Prints == nil || b.commands == len(c.Prints()) {
		return at, false
	}
	i := c.Prints()[b.commands]
	at = cursor.Place{T: c.Run.Past().At(i), Record: i}
	return at, !c.Cursor.Before(at)
}

// nextEntry returns the next entry that belongs to the run, nil if the cursor is before it.
func (b *scrollback) nextEntry(c Screen) *Entry {
	for ; b.typed < len(c.Terminal.typed); b.typed++ {
		if e := c.Terminal.typed[b.typed]; c.belongs(e) {
			if !c.reached(e) {
				return nil
			}
			return e
		}
	}
	return nil
}

// nextOfStream returns where the stream prints its next line, and which; nil if somebody ends it first.
func (b *scrollback) nextOfStream(c Screen) (at cursor.Place, line *past.ReadLine, ok bool) {
	if b.stream == nil {
		return at, nil, false
	}
	end, last := b.endOfStream(c)
	if a := c.answerTo(b.stream, c.Cursor.T); b.read < len(a.Lines) && a.Lines[b.read].T <= last {
		return cursor.Place{T: a.Lines[b.read].T, Record: math.MaxInt}, &a.Lines[b.read], true
	}
	return end, nil, end.T < never
}

// endOfStream returns where the stream is ended from outside, by Ctrl-C or by the next line that somebody types, and the
// last moment that was seen of it.
func (b *scrollback) endOfStream(c Screen) (at cursor.Place, last int64) {
	at, last = cursor.Place{T: never}, never
	if e := b.stream; e.Until < never {
		at, last = cursor.Place{T: e.Until, Record: -1}, e.Last
		if last == e.Until {
			at.Record = math.MaxInt
		}
	}
	following := slices.IndexFunc(c.Terminal.typed[b.typed:], func(e *Entry) bool { return c.belongs(e) && e.Line != LineClear })
	if following < 0 {
		return at, last
	}
	e := c.Terminal.typed[b.typed+following]
	if c.reached(e); e.T < at.T {
		at, last = e.at(), e.T
		if e.RecordT < e.T {
			last--
		}
	}
	return at, last
}

// addOfStream adds a line of the stream, or that it was interrupted.
func (b *scrollback) addOfStream(c Screen, t int64, line *past.ReadLine) {
	at := cursor.Place{T: t, Record: -1}
	if line == nil {
		b.add(at, KindOutput, "^C")
		b.stream = nil
		return
	}
	b.addLine(at, *line)
	b.read++
	b.closeStream(at, c.answerTo(b.stream, t))
}

// closeStream closes the stream after its last line.
func (b *scrollback) closeStream(at cursor.Place, a *past.Reading) {
	if b.read < len(a.Lines) || a.Open {
		return
	}
	b.stream = nil
	if a.Failed {
		b.add(at, KindNote, Exited)
	}
}

// Exited is written below a command that failed.
const Exited = "# exit 1"

// addCommand adds a command of the run with its answer, or what one prints later.
func (b *scrollback) addCommand(c Screen, at cursor.Place) {
	b.commands++
	r := c.Run.Record(at.Record)
	if r.Kind == engine.Input {
		b.addTyped(at, r.Command)
	}
	b.addAnswer(at, c.Run.Past().Printed(at.Record))
	if r.Failed {
		b.add(at, KindNote, Exited)
	}
}

func (b *scrollback) addEntry(c Screen, e *Entry) {
	b.typed++
	if e.Line == LineClear {
		b.add(e.at(), kindClear, "")
		b.clears = append(b.clears, len(b.lines)-1)
		return
	}
	b.addTyped(e.at(), e.Line)
	a := c.answerTo(e, c.Cursor.T)
	now := sort.Search(len(a.Lines), func(i int) bool { return a.Lines[i].T > e.T })
	b.addAnswer(e.at(), a.Lines[:now])
	b.stream, b.read = e, now
	b.closeStream(e.at(), a)
}

// addAnswer adds what is printed at once, of a long answer the first lines.
func (b *scrollback) addAnswer(at cursor.Place, lines []past.ReadLine) {
	for i, line := range lines {
		if left := len(lines) - i; i == outputMax && left > 1 && !b.whole {
			b.add(at, KindNote, b.lang.Say("terminal-more", b.lang.Count(left, "one-more-line", "n-more-lines")))
			return
		}
		b.addLine(at, line)
	}
}

// addTyped adds a command with the prompt in front; further lines of it, as of a here-document, have a shell's second
// prompt. What the environment does is a comment and was typed by nobody.
func (b *scrollback) addTyped(at cursor.Place, line string) {
	for i, text := range strings.Split(strings.TrimRight(line, "\n"), "\n") {
		switch {
		case i > 0:
			text = "> " + text
		case !strings.HasPrefix(text, "#"):
			text = "$ " + text
		}
		b.add(at, KindCommand, text)
	}
}

func (b *scrollback) addLine(at cursor.Place, line past.ReadLine) {
	kind := KindOutput
	if line.Stderr {
		kind = KindError
	}
	b.add(at, kind, line.Text)
}

// add adds a line, never before the one above it.
func (b *scrollback) add(at cursor.Place, kind LineKind, text string) {
	if n := len(b.lines); n > 0 && at.Before(b.lines[n-1].At) {
		at = b.lines[n-1].At
	}
	b.lines = append(b.lines, Line{at, kind, text})
}
