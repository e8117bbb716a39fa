// Package session is what the page knows: the recording, the run that the engine makes of it, the cursor on that run, and
// the text of the editor. It knows nothing of the browser. The page calls its methods for what a person does, calls Compute
// and Tick in each animation frame, and asks it for what it draws; see asked.go for the questions.
package session

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// looked is where the person put the cursor on purpose, rather than by playing or by a click on the time axis.
type looked struct {
	At     cursor.Cursor
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

// Session is everything the page knows. A run is computed ahead of the screen, and playing is moving the cursor
// over it; so the session has no goroutine. The page gives it a clock, and calls Compute and Tick once for each animation
// frame.
type Session struct {
	rec    engine.Recording
	judged judged      // of run
	run    *engine.Run // what the page shows: the last good run; nil until a text started
	next   *engine.Run // the run of rec while it is behind the cursor; it replaces run when it has caught up
	runs   int         // counts the runs shown, so that a chart knows when to start over
	starts int         // counts the recordings, whose runs may not be shown yet

	now    func() time.Time // nil for none
	worked time.Duration    // spent on computing, for this many records
	made   int
	sizing sizing
	told   *engine.Run // the last one whose early end was told
	goal   int64       // where the cursor wants to be when the run is computed up to there; -1 for nowhere
	orders []order
	// answerAt is when the last command was given, until its answer is computed and said; -1 for no command.
	answerAt int64

	starting  func(mark string) // is told what is about to be computed
	suspect   string            // the mark of what did not finish last time
	halted    halted
	rewritten rewritten        // what was found out about the run's lesson
	bets      bets             // on the run's lesson
	verdict   verdict          // of the run's exercise
	library   scenario.Library // reads the texts of the editor and of recordings, each once

	index   index // of run
	moments moments
	forks   []Fork // the recordings that were left, newest first
	branches
	beside beside
	scorer scorer

	terminal terminal.Terminal
	editAt   int      // a line of the editor that is to be shown, 0 for none
	why      whyCache // what the why panel says

	text    string // of the editor
	applied string // the text that was last started or applied
	preset  string // the shipped scenario that the run started from; empty for a text of one's own
	linked  string // the text that a link brought
	address string // the fragment of the address bar: the link that is there, empty for none
	diags   []engine.Diagnostic
	notice  Notice

	cursor  cursor.Cursor
	looked  looked
	frac    float64 // the part of a virtual ms that Tick has not spent yet
	playing bool
	speed   int // index in speeds
	step    StepUnit
	loop    Loop
	calm    bool
	guide   Guide
	fresh   bool // the run has just started to play by itself
	touched bool // the person did something that a reload must show again

	subject  *subject
	offering bool // what to do with a pasted text

	workload string // the chosen workload; empty: the first one

	lang       lang.Lang // of the page
	langChosen bool      // by the person or by a link, so that links keep it

	preview preview // while a bound is dragged

	past, future []state
	said         string // for the live region
	announced    announced
}

// state is what undo goes back to: the page as it was before an action.
type state struct {
	rec                   engine.Recording
	text, applied, preset string
	subject               *subject
	fork                  *Fork // that was deleted; the rest is empty then
}

// FirstScenario is what an untouched first visit sees.
const FirstScenario = scenarios.FirstName

// New returns a session with nothing in it. With calm it never moves by itself, as people ask for with
// prefers-reduced-motion.
func New(calm bool) *Session {
	return &Session{subject: &subject{}, cursor: cursor.Cursor{Record: -1}, speed: speedNormal, step: byReconcile, calm: calm, lang: lang.English, goal: -1, answerAt: -1}
}

// LoadScenario starts a shipped scenario and puts its text into the editor.
func (s *Session) LoadScenario(name string) {
	text := shipped(name)
	if text == "" {
		s.refuse(s.lang.Say("scenario-none", name))
		return
	}
	before, left := s.state(), s.left()
	s.SetText(text)
	s.uprooted = true
	defer s.rooted()
	if s.restart(before, name) {
		s.opened(before, left)
		s.Say(s.lang.Say("scenario-loaded", name))
	}
}

// SetText takes the editor's text and checks it. The run stays as it is.
func (s *Session) SetText(text string) {
	if text != s.text {
		s.notice = Notice{}
	}
	s.text = text
	s.diags = nil
	if Blank(text) {
		return
	}
	_, s.diags = s.library.Read(text).Scenario()
}

// Blank says whether a text is empty but for blanks.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// Edit takes what the person has typed in the editor.
func (s *Session) Edit(text string) {
	s.SetText(text)
	s.touched = true
}

// Choose makes a workload the one that the controls act on and the chart draws.
func (s *Session) Choose(workload string) { s.workload = workload }

// Dirty says whether the editor's text differs from what was last started or applied.
func (s *Session) Dirty() bool { return s.text != s.applied }

// Errors counts the diagnostics that keep the text from running.
func (s *Session) Errors() int {
	n := 0
	for _, d := range s.diags {
		if !d.Warning {
			n++
		}
	}
	return n
}

// Latest is the run of the present recording, whether it is shown already or not.
func (s *Session) Latest() *engine.Run {
	if s.next != nil {
		return s.next
	}
	return s.run
}

// End is the virtual ms that the shown run has been computed to.
func (s *Session) End() int64 {
	if s.run == nil {
		return 0
	}
	return s.run.Now()
}

// Workload is the name of the workload that the controls act on and the chart draws.
func (s *Session) Workload() string {
	var all []string
	if s.run != nil {
		all = s.run.Workloads()
	}
	switch {
	case slices.Contains(all, s.workload):
		return s.workload
	case len(all) > 0:
		return all[0]
	}
	return ""
}

// start makes rec the recording, and computes its run as far as an action does. If the engine refuses it, start returns false
// and changes only the notice.
func (s *Session) start(rec engine.Recording) bool {
	s.orders = nil // they were meant for the run that is left
	return s.startTo(rec, math.MaxInt64)
}

// startTo is start for a run of which only the part up to a moment is needed at once; frames compute the rest.
func (s *Session) startTo(rec engine.Recording, t int64) bool {
	s.begins(rec)
	run, diags := engine.StartIn(&s.library, rec)
	if run == nil {
		s.refuse(s.lang.Say("run-refused", firstError(s.lang, diags)))
		return false
	}
	old, tree := s.Latest(), s.branch.Tree
	left := s.leave(rec)
	s.rec, s.next, s.goal, s.answerAt = rec, run, -1, -1
	s.starts++
	s.stand(old, left, tree)
	s.advance(run, t, s.slice(sliceTime))
	s.adopt()
	return true
}

// adopt shows the next run if it reaches the cursor, so that the screen never falls back to an earlier state.
func (s *Session) adopt() {
	if s.next == nil || (!s.next.Done() && s.next.Now() < s.cursor.T) {
		return
	}
	s.run, s.next = s.next, nil
	s.runs++
	s.seek(s.cursor.T)
}

// Quiet takes back what was said last.
func (s *Session) Quiet()             { s.said = "" }
func (s *Session) Say(text string)    { s.said = text }
func (s *Session) refuse(text string) { s.notice, s.said = Notice{Text: text, Bad: true}, text }

func firstError(l lang.Lang, diags []engine.Diagnostic) string {
	for _, d := range diags {
		if !d.Warning {
			return l.Say("run-line", d.Line, d.Message)
		}
	}
	return l.Say("run-no-reason")
}

// StartIn shows the page in the language of somebody whose browser has that tag, until a language is chosen.
func (s *Session) StartIn(tag string) { s.lang = lang.Pick(tag) }

// SetLang shows the page in a language from now on: the person has chosen it, so links keep it. A tag that is no language
// of the page changes nothing.
func (s *Session) SetLang(tag string) {
	if l := lang.Of(tag); l != "" {
		s.lang, s.langChosen = l, true
		s.terminal.ForgetHelp()
	}
}
