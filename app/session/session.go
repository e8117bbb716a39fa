// Package session is what the page knows: the recording, the run that the engine makes of it, the cursor on that run, and
// the text of the editor. It knows nothing of the browser. The page calls its methods for what a person does, calls Compute
// and Tick in each animation frame, and asks it for what it draws; see asked.go for the questions.
package session

import (
	"math"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// looked is where the person put the cursor on purpose, rather than by playing or by a click on the time axis.
type looked struct {
	At     cursor.Place
	Record bool // at just this record; otherwise at the reconcile that it belongs to
}

// offer is what a notice offers to do.
type offer uint8

const (
	offerNothing offer = iota
	OfferRestart       // restart with the text of the editor
	OfferAnyway        // run the text that did not finish last time
)

// Notice is one sentence above the editor about the last action.
type Notice struct {
	Text   string
	Bad    bool
	Offer  offer
	Report string // of a bug in rollplay, to be copied
}

// Session is everything the page knows. It composes the parts and routes between them: what a person does with one part, such as
// playing, is a method of that part; what concerns several of them, such as a command, is a method of Session.
type Session struct {
	Visit    Visit
	Computed Run
	Reading  Reading
	Cursor   Cursor
	Document Document
	Draft    Draft
	Branches Branches
	Lesson   Lesson
	Prompt   Prompt
	Preview  Preview
	History  History

	Unfinished Unfinished
	revision   revision
	library    scenario.Library // reads the texts of the editor and of recordings, each once
}

// FirstScenario is what an untouched first visit sees.
const FirstScenario = scenarios.FirstName

// New returns an empty session. With calm it never moves by itself, as people ask for with prefers-reduced-motion.
func New(calm bool) *Session {
	s := &Session{}
	s.Visit = Visit{Calm: calm, Lang: lang.English}
	s.Computed = Run{visit: &s.Visit, library: &s.library}
	s.Reading = Reading{visit: &s.Visit, computed: &s.Computed}
	s.Cursor = Cursor{visit: &s.Visit, computed: &s.Computed, reading: &s.Reading, Place: cursor.Place{Record: -1}, Speed: speedNormal, Step: byReconcile, goal: -1}
	s.Document = Document{visit: &s.Visit, computed: &s.Computed}
	s.Branches = Branches{visit: &s.Visit, computed: &s.Computed, reading: &s.Reading, document: &s.Document}
	s.Draft = Draft{visit: &s.Visit, computed: &s.Computed, document: &s.Document, branches: &s.Branches, kept: &keptDraft{}}
	s.Lesson = Lesson{visit: &s.Visit, computed: &s.Computed, cursor: &s.Cursor, document: &s.Document}
	s.Prompt = Prompt{visit: &s.Visit, computed: &s.Computed, cursor: &s.Cursor, reading: &s.Reading}
	s.Preview = Preview{computed: &s.Computed}
	s.History.answerAt = -1
	return s
}

// LoadScenario starts a shipped scenario and puts its text into the editor.
func (s *Session) LoadScenario(name string) {
	text := shipped(name)
	if text == "" {
		s.Visit.refuse(s.Visit.Lang.Say("scenario-none", name))
		return
	}
	before := s.present()
	s.Document.Set(text)
	s.Branches.unrelated = true
	defer s.Branches.related()
	if s.restart(before, name) {
		s.opened(before)
		s.Visit.Say(s.Visit.Lang.Say("scenario-loaded", name))
	}
}

// SetText takes the editor's text and checks it. The run stays as it is.
func (d *Document) Set(text string) {
	if text != d.Text {
		d.visit.Notice = Notice{}
	}
	d.Text = text
	d.Diagnostics = nil
	if Blank(text) {
		return
	}
	_, d.Diagnostics = d.computed.library.Read(text).Scenario()
}

// Blank says whether a text is empty but for blanks.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// Edit takes what the person has typed in the editor.
func (d *Document) Edit(text string) {
	d.Set(text)
	d.visit.Touched = true
}

// Choose makes a workload the one that the controls act on and the chart draws.
func (c *Run) Choose(workload string) { c.chosen = workload }

// Dirty says whether the editor's text differs from what was last started or applied.
func (d *Document) Dirty() bool { return d.Text != d.applied }

// Errors counts the diagnostics that keep the text from running.
func (d *Document) Errors() int {
	n := 0
	for _, d := range d.Diagnostics {
		if !d.Warning {
			n++
		}
	}
	return n
}

// Latest is the run of the present recording, whether it is shown already or not.
func (c *Run) Latest() *engine.Run {
	if c.next != nil {
		return c.next
	}
	return c.shown
}

// End is the virtual ms that the shown run has been computed to.
func (c *Run) End() int64 {
	if c.shown == nil {
		return 0
	}
	return c.shown.Now()
}

// Workload is the name of the workload that the controls act on and the chart draws.
func (c *Run) Workload() string {
	var all []string
	if c.shown != nil {
		all = c.shown.Workloads()
	}
	switch {
	case slices.Contains(all, c.chosen):
		return c.chosen
	case len(all) > 0:
		return all[0]
	}
	return ""
}

// start makes rec the recording, and computes its run as far as an action does. If the engine refuses it, start returns false
// and changes only the notice.
func (s *Session) start(rec engine.Recording) bool {
	s.History.waiting = nil // they were meant for the run that is left
	return s.startUntil(rec, math.MaxInt64)
}

// startTo is start for a run of which only the part up to a moment is needed at once; frames compute the rest.
func (s *Session) startUntil(rec engine.Recording, t int64) bool {
	s.markUnfinished(rec)
	run, diags := engine.StartIn(&s.library, rec)
	if run == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-refused", firstError(s.Visit.Lang, diags)))
		return false
	}
	old, tree := s.Computed.Latest(), s.Branches.present.Tree
	left := s.Branches.leave(rec)
	s.Computed.rec, s.Computed.next, s.Cursor.goal, s.History.answerAt = rec, run, -1, -1
	s.Computed.Started++
	s.Branches.follow(old, left, tree)
	s.Computed.advance(run, t, s.Computed.slice(sliceTime))
	s.adopt()
	return true
}

// adopt shows the next run if it reaches the cursor, so that the screen never falls back to an earlier state.
func (s *Session) adopt() {
	if s.Computed.next == nil || (!s.Computed.next.Done() && s.Computed.next.Now() < s.Cursor.T) {
		return
	}
	s.Computed.shown, s.Computed.next = s.Computed.next, nil
	s.Computed.Number++
	s.Cursor.seek(s.Cursor.T)
}

// Quiet takes back what was said last.
func (v *Visit) Quiet()             { v.Said = "" }
func (v *Visit) Say(text string)    { v.Said = text }
func (v *Visit) refuse(text string) { v.Notice, v.Said = Notice{Text: text, Bad: true}, text }

func firstError(l lang.Lang, diags []engine.Diagnostic) string {
	for _, d := range diags {
		if !d.Warning {
			return l.Say("run-line", d.Line, d.Message)
		}
	}
	return l.Say("run-no-reason")
}

// StartIn shows the page in the language of somebody whose browser has that tag, until a language is chosen.
func (v *Visit) UseBrowserLang(tag string) { v.Lang = lang.Pick(tag) }

// SetLang shows the page in a language from now on: the person has chosen it, so links keep it. A tag that is no language
// of the page changes nothing.
func (v *Visit) SetLang(tag string) {
	if l := lang.Of(tag); l != "" {
		v.Lang, v.langChosen = l, true
	}
}
