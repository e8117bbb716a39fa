package app

import (
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// cursor is where on the run the person looks. Record is the last record that has happened: normally all records
// up to T, fewer after a step to one of several reconciles of the same millisecond.
type cursor struct {
	T      int64 // virtual ms
	Record int   // -1 before the first record
}

// looked is where the cursor was put on purpose, and not by time passing or by a click on the time axis.
type looked struct {
	At     cursor
	Record bool // at just this record; otherwise at the reconcile that it belongs to
}

// offer is something the page proposes to the person beside a notice.
type offer uint8

const (
	offerNothing offer = iota
	offerRestart       // restart with the text of the editor
)

// notice is one sentence above the editor: what came of the last action.
type notice struct {
	Text  string
	Bad   bool
	Offer offer
}

// session is everything the page knows. A run is computed ahead of the screen, and playing is moving the cursor
// over it; so the session has no clock and no goroutine. The page calls Compute and Tick once for each animation
// frame.
type session struct {
	rec  engine.Recording
	run  *engine.Run // what the page shows: the last good run; nil until a text started
	next *engine.Run // the run of rec while it is behind the cursor; it replaces run when it has caught up
	runs int         // counts the runs shown, so that a chart knows when to start afresh

	index   index // of run
	moments moments
	forks   []fork // the recordings that were left, newest first

	terminal terminal

	text    string // of the editor
	applied string // the text that was last started or applied
	preset  string // the shipped scenario that the run started from; empty for a text of one's own
	linked  string // the text that a link brought
	address string // the fragment of the address bar: the link that is there, empty for none
	diags   []engine.Diagnostic
	notice  notice

	cursor  cursor
	looked  looked
	frac    float64 // the part of a virtual ms that Tick has not spent yet
	playing bool
	speed   int // index in speeds
	step    stepUnit
	loop    loop
	calm    bool
	touched bool // the person did something worth keeping

	workload string // the chosen Deployment; empty: the first one

	lang       lang // of the page
	langChosen bool // by the person or by a link, so that links keep it

	past, future []moment
	said         string // for the live region
}

// moment is what undo goes back to: the page as it was before an action.
type moment struct {
	rec                   engine.Recording
	text, applied, preset string
}

// firstScenario is what an untouched first visit sees.
const firstScenario = "first-rollout"

// slice is how many events an action computes at once. A rollout of ten replicas has fewer, so that its run is
// there as soon as the action returns; a larger one is finished by Compute, frame by frame.
const slice = 4000

// newSession returns a session with nothing in it. With calm it never moves by itself, as people ask for with
// prefers-reduced-motion.
func newSession(calm bool) *session {
	return &session{cursor: cursor{Record: -1}, speed: speedNormal, step: byReconcile, calm: calm, lang: english}
}

// LoadScenario starts a shipped scenario and puts its text into the editor.
func (s *session) LoadScenario(name string) {
	text := scenarios.Text(name)
	if text == "" {
		s.refuse(s.lang.say("scenario-none", name))
		return
	}
	before := s.moment()
	s.SetText(text)
	if s.restart(before, name) {
		s.say(s.lang.say("scenario-loaded", name))
	}
}

// SetText takes the editor's text and checks it. The run stays as it is.
func (s *session) SetText(text string) {
	if text != s.text {
		s.notice = notice{}
	}
	s.text = text
	s.diags = nil
	if blank(text) {
		return
	}
	_, s.diags = scenario.Parse(text)
}

// Dirty says whether the editor's text differs from what was last started or applied.
func (s *session) Dirty() bool { return s.text != s.applied }

// Errors counts the diagnostics that keep the text from running.
func (s *session) Errors() int {
	n := 0
	for _, d := range s.diags {
		if !d.Warning {
			n++
		}
	}
	return n
}

// latest is the run of the present recording, whether it is shown already or not.
func (s *session) latest() *engine.Run {
	if s.next != nil {
		return s.next
	}
	return s.run
}

// end is the virtual ms that the shown run has been computed to.
func (s *session) end() int64 {
	if s.run == nil {
		return 0
	}
	return s.run.Now()
}

// watched is the name of the workload that the controls act on and the chart draws.
func (s *session) watched() string {
	if s.run == nil {
		return ""
	}
	first := ""
	for _, w := range s.run.Workloads() {
		if w == s.workload {
			return w
		}
		if first == "" {
			first = w
		}
	}
	return first
}

// start makes rec the recording. It says false, and changes nothing but the notice, if the engine refuses it.
func (s *session) start(rec engine.Recording) bool {
	run, diags := engine.Start(rec)
	if run == nil {
		s.refuse(s.lang.say("run-refused", s.lang.firstError(diags)))
		return false
	}
	run.Advance(slice)
	s.leave(rec)
	s.rec, s.next = rec, run
	s.adopt()
	return true
}

// adopt shows the next run if it reaches the cursor, so that the screen never falls back to an earlier state.
func (s *session) adopt() {
	if s.next == nil || (!s.next.Done() && s.next.Now() < s.cursor.T) {
		return
	}
	s.run, s.next = s.next, nil
	s.runs++
	s.seek(s.cursor.T)
}

// Compute advances the run by at most n events and says whether there is more to do.
func (s *session) Compute(n int) (more bool) {
	r := s.latest()
	if r == nil || r.Done() {
		return false
	}
	done := r.Advance(n)
	s.adopt()
	if done && r.Cut() != "" {
		s.refuse(r.Cut())
	}
	return !done
}

func (s *session) say(text string)    { s.said = text }
func (s *session) refuse(text string) { s.notice, s.said = notice{Text: text, Bad: true}, text }

func (l lang) firstError(diags []engine.Diagnostic) string {
	for _, d := range diags {
		if !d.Warning {
			return l.say("run-line", d.Line, d.Message)
		}
	}
	return l.say("run-no-reason")
}
