package app

import (
	"math"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// terminal is the prompt of the page. Commands that write are commands of the run; what is kept here is the rest.
type terminal struct {
	typed   []*typed // what was typed and is no command of the run, in the order of the scrollback
	history []string // all that was typed, the oldest first
	waiting []string // pasted lines that wait until the stream before them ends
	last    *typed   // what was typed last
	entered int      // counts the lines of the history that there ever were
	version int      // counts what changes the scrollback but is no change of the run
	editAt  int      // a line of the editor that is to be shown, 0 for none

	scroll scrollback
}

// typed is a line that reads, or that only the page answers. Its answer is made anew when the run is another one.
type typed struct {
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
	run    int              // the session's number of that run
	answer *past.Reading
	end    int64 // the answer has what is printed before
}

// never is the end of a stream that nobody ended.
const never = math.MaxInt64

// What is kept of the prompt. The bytes are of all lines together.
const (
	typedMax     = 100
	historyMax   = 200
	terminalMost = 60_000 // bytes, of each of the two
)

// Lines that the page itself answers.
const (
	lineClear = "clear"
	lineHelp  = "help"
)

// Type takes what was typed or pasted at the prompt: a command, or several that run one after the other. It ends what
// still runs, as a person does who wants the prompt back.
func (s *session) Type(text string) {
	lines := past.SplitLines(text)
	if len(lines) == 0 {
		return
	}
	if s.run == nil {
		s.refuse(s.lang.say("run-no-prompt"))
		return
	}
	s.Interrupt()
	s.terminal.waiting = lines
	s.carryOn()
}

// Interrupt is Ctrl-C: it ends the stream that runs at the cursor and forgets the lines that wait for it.
func (s *session) Interrupt() {
	t := &s.terminal
	t.waiting = nil
	if e := s.stream(); e != nil {
		s.cut(e)
	}
}

// cut ends a stream at the cursor. What is going to happen in the same moment was not seen.
func (s *session) cut(e *typed) {
	e.Until, e.Last = s.cursor.T, s.cursor.T
	if s.recordTime(s.cursor.Record) < s.cursor.T {
		e.Last--
	}
	s.terminal.version++
	s.touched = true
}

// ClearTerminal hides what was printed up to the cursor. A stream goes on.
func (s *session) ClearTerminal() {
	if s.run != nil {
		s.note(&typed{Line: lineClear})
	}
}

// carryOn runs the lines that wait, as far as no stream is in front of them. One that never ends by itself is ended.
func (s *session) carryOn() {
	t := &s.terminal
	if t.last != nil && !s.belongs(t.last) {
		t.waiting = nil // they were meant for another scenario
	}
	for len(t.waiting) > 0 {
		if e := s.inFront(); e != nil {
			if waits(e.Line) {
				return
			}
			s.cut(e)
		}
		line := t.waiting[0]
		t.waiting = t.waiting[1:]
		s.enter(line)
	}
}

// inFront returns the stream that the waiting lines are behind, nil if it is over, or was taken back.
func (s *session) inFront() *typed {
	e := s.terminal.last
	if e != nil && (s.cursor.T < e.T || s.stream() == e) {
		return e
	}
	return nil
}

// waits says whether a stream is one that ends when the cluster is as it should be.
func waits(line string) bool {
	words := fields(line)
	return has(words, "rollout") && has(words, "status") || len(words) > 1 && words[1] == "wait"
}

func has(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// halt is where the cursor stops on its way to a later moment: the next of the waiting lines runs when the stream before
// it has ended.
func (s *session) halt(to int64) int64 {
	if len(s.terminal.waiting) == 0 {
		return to
	}
	e := s.stream()
	if e == nil {
		return to
	}
	if a := s.answerTo(e, to); !a.Open {
		to = min(to, max(endOf(a), s.cursor.T))
	}
	return to
}

// enter carries out one line at the cursor.
func (s *session) enter(line string) {
	s.catchUp()
	s.terminal.last = nil
	s.terminal.remember(line)
	s.touched = true
	if line == lineClear || line == lineHelp {
		s.note(&typed{Line: line})
		return
	}
	full := withKubectl(line)
	object, refusal, edits := s.run.Past().Edit(full, s.cursor.Record)
	_, reads := s.run.Past().Read(full, s.cursor.Record, s.cursor.T)
	answer, refused := past.Refused(full)
	switch {
	case appliesEditor(full):
		s.applyTyped(full)
	case reads:
		s.follow(s.note(&typed{Line: full}))
	case edits && object == "":
		s.note(&typed{Line: full, Said: refusal.Text(), Failed: true})
	case edits:
		s.edit(full, object)
	case refused:
		s.note(&typed{Line: line, Said: answer, Failed: true})
	default:
		s.Run(full)
	}
}

// follow lets time go on for a stream, unless the person asked for less motion or nothing more can come.
func (s *session) follow(e *typed) {
	if s.stream() == e && !s.calm && !s.atEnd() {
		s.playing = true
	}
}

// catchUp shows the run of the present recording, computed up to the cursor: a line is about the cluster that is there.
func (s *session) catchUp() {
	for r := s.latest(); r.Now() <= s.cursor.T && !r.Advance(slice); {
	}
	s.adopt()
}

// applyTyped applies the text of the editor. What makes no command of the run is answered in the page's own words.
func (s *session) applyTyped(line string) {
	before := s.rec
	s.Apply()
	if !sameRecording(before, s.rec) {
		return
	}
	said := s.notice.Text
	if said == "" {
		said = s.said
	}
	s.note(&typed{Line: line, Said: said, Failed: s.notice.Bad})
}

// edit leads to the object's manifest in the editor.
func (s *session) edit(line, object string) {
	at := lineOf(s.text, object)
	s.terminal.editAt = at
	said := s.lang.say("edit-open", target(object), at)
	if at == 0 {
		said = s.lang.say("edit-missing", target(object))
	}
	s.note(&typed{Line: line, Said: said, Failed: at == 0})
}

// note puts a line into the scrollback, at the cursor.
func (s *session) note(e *typed) *typed {
	t := &s.terminal
	e.T, e.Record, e.RecordT, e.Until = s.cursor.T, s.cursor.Record, s.recordTime(s.cursor.Record), never
	e.rec, e.run = s.run.Recording(), s.runs
	for _, other := range t.typed {
		e.Number = max(e.Number, other.Number+1)
	}
	i := sort.Search(len(t.typed), func(i int) bool { return s.cursor.before(t.typed[i].at()) })
	t.typed = append(t.typed, nil)
	copy(t.typed[i+1:], t.typed[i:])
	t.typed[i] = e
	t.forget()
	t.version++
	if e.Line != lineClear {
		t.last = e
	}
	s.touched = true
	return e
}

func (e *typed) at() cursor { return cursor{e.T, e.Record} }

// recordTime is when a record happened, -1 for none.
func (s *session) recordTime(record int) int64 {
	if record < 0 || record >= s.run.Len() {
		return -1
	}
	return s.run.Past().At(record)
}

// forget drops the oldest of what was typed, if it is too much.
func (t *terminal) forget() {
	for len(t.typed) > typedMax || bytesOf(t.typed) > terminalMost {
		oldest := 0
		for i, e := range t.typed {
			if e.Number < t.typed[oldest].Number {
				oldest = i
			}
		}
		t.typed = append(t.typed[:oldest], t.typed[oldest+1:]...)
	}
}

func bytesOf(list []*typed) (n int) {
	for _, e := range list {
		n += len(e.Line) + len(e.Said)
	}
	return n
}

// forgetHelp drops the answers that the page itself gave in another language.
func (t *terminal) forgetHelp() {
	for _, e := range t.typed {
		if e.Line == lineHelp {
			e.answer = nil
		}
	}
}

// remember puts a line into the history, once if it is given again and again.
func (t *terminal) remember(line string) {
	if n := len(t.history); n == 0 || t.history[n-1] != line {
		t.history = append(t.history, line)
		t.entered++
	}
	for len(t.history) > historyMax || len(strings.Join(t.history, "")) > terminalMost {
		t.history = t.history[1:]
	}
}

// withKubectl writes a line as it stands in a terminal, whether the word kubectl was typed, the short k, or neither.
func withKubectl(line string) string {
	line = strings.TrimSpace(line)
	first, rest, _ := strings.Cut(line, "\n")
	if here, command, ok := strings.Cut(first, "|"); ok && strings.HasPrefix(here, "cat <<") {
		// cat <<EOF | kubectl apply -f - is kubectl apply -f - <<EOF
		line = strings.TrimSpace(command) + " " + strings.TrimSpace(strings.TrimPrefix(here, "cat ")) + "\n" + rest
	}
	switch word, rest, _ := strings.Cut(line, " "); word {
	case "kubectl":
		return line
	case "k":
		return "kubectl " + strings.TrimSpace(rest)
	}
	return "kubectl " + line
}

// appliesEditor says whether a line is kubectl apply -f - with nothing to read: then it is the editor's text.
func appliesEditor(line string) bool {
	switch strings.Join(fields(line), " ") {
	case "kubectl apply -f -", "kubectl apply -f=-", "kubectl apply -f-", "kubectl apply --filename=-", "kubectl apply --filename -":
		return true
	}
	return false
}

// lineOf returns where the manifest of an object begins in a text, from 1; 0 if it is not there.
func lineOf(text, object string) int {
	above := 0 // lines above the document, with that of its dashes
	for _, doc := range strings.Split("\n"+text, "\n---") {
		manifests, _ := scenario.ParseManifests(doc)
		for _, m := range manifests {
			if m.Object.Key().String() == object {
				return above + firstContent(doc)
			}
		}
		above += strings.Count(doc, "\n") + 1
	}
	return 0
}

// firstContent returns the first line of a document that says something; what follows the dashes is line 0.
func firstContent(doc string) int {
	for i, line := range strings.Split(doc, "\n") {
		if i > 0 && meaningful(line) != "" {
			return i
		}
	}
	return 0
}

// savedTerminal is the prompt as it is kept between two visits: what was typed to the present scenario.
type savedTerminal struct {
	Typed   []*typed `json:"typed,omitempty"`
	History []string `json:"history,omitempty"`
}

func (t *terminal) save(scenario string) *savedTerminal {
	v := &savedTerminal{History: t.history}
	for _, e := range t.typed {
		if e.rec.Scenario == scenario {
			v.Typed = append(v.Typed, e)
		}
	}
	return v
}

// restore is the way back; what is damaged is left out. The lines were typed to runs of a recording.
func (t *terminal) restore(v *savedTerminal, rec engine.Recording) {
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
	sort.SliceStable(t.typed, func(i, j int) bool { return t.typed[i].at().before(t.typed[j].at()) })
	t.forget()
}
