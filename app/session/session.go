// Package session is what the page knows. It does not import go-app. A Session composes these parts, each with its own data and methods;
// a part uses only those above it:
//
//	Visit       the language, the notice, what is read out, whether something is to be kept
//	Computed    the run: the recording, and what is computed of it so far
//	Reading     what the page reads from the run: index, moments, reasons, verdicts, scores
//	Cursor      the time, playing, speed, steps and the loop
//	Document    the text of the editor with its diagnostics
//	Branches    the recordings that a person has left, and the one compared with
//	Draft       where the browser keeps the document
//	Lesson      captions, questions and the goals of an exercise
//	Prompt      the kubectl prompt
//	Preview     the run that is shown while a bound is dragged
//	History     undo, redo, and the commands that wait for the run
//
// Methods of Session are actions that concern several parts: a command, for example, starts a run, leaves a branch and can be undone.
// The page calls ComputeWhile and Tick once for each animation frame, and draws when Revision is another number.
//
// Playing waits for the reader: it stops at each caption, and a gap between two changes takes at most 1.5 s, so a lesson can use real
// times (a deadline of ten minutes) without making anybody wait. A session without a guide plays evenly, as embeds and tests do. The
// answer to a question is in the run (Run.Answer); a person's answer is no command and not in the recording, and undo leaves it
// alone. Goals are a function of run and moment, so a link's commands carry the result of an exercise. A run of more than 10,000
// records asks nothing and checks no goals. After a command, captions claim nothing.
//
// A branch is a recording with a name. Two branches part at the first record that differs; the search begins before the first command
// that they do not share. From its first edit, command or branch on, a document has a draft of its own, so opening another one
// overwrites nothing; undo goes back across documents. A cursor that only moved is no change.
package session

import (
	"math"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Session is everything the page knows.
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
	s.Draft = Draft{computed: &s.Computed, document: &s.Document, branches: &s.Branches, kept: &keptDraft{}}
	s.Lesson = Lesson{visit: &s.Visit, computed: &s.Computed, cursor: &s.Cursor, document: &s.Document}
	s.Prompt = Prompt{visit: &s.Visit, computed: &s.Computed, cursor: &s.Cursor, reading: &s.Reading}
	s.Preview = Preview{computed: &s.Computed}
	s.History.answerAt = -1
	return s
}

// LoadScenario starts a shipped scenario and puts its text into the editor.
func (s *Session) LoadScenario(name string) {
	text := gallery.Text(name)
	if text == "" {
		s.Visit.refuse(s.Visit.Lang.Say("scenario-none", name))
		return
	}
	before := s.present()
	s.Document.Set(text)
	s.Lesson.watched, s.Branches.unrelated = "", true
	defer s.Branches.related()
	if s.restart(before, name) {
		s.opened(before)
		s.Visit.Say(s.Visit.Lang.Say("scenario-loaded", name))
	}
}

// start makes rec the recording, and computes its run as far as an action does. If the engine refuses it, start returns false
// and changes only the notice.
func (s *Session) start(rec engine.Recording) bool {
	s.History.waiting = nil // they were meant for the run that is left
	return s.startUntil(rec, math.MaxInt64)
}

// startUntil is start for a run of which only the part up to a moment is needed at once; frames compute the rest.
func (s *Session) startUntil(rec engine.Recording, t int64) bool {
	if s.Unfinished.Mark != nil {
		s.Unfinished.Mark(markOf(rec)) // it is about to be computed
	}
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

func firstError(l lang.Lang, diags []engine.Diagnostic) string {
	for _, d := range diags {
		if !d.Warning {
			return l.Say("run-line", d.Line, d.Message)
		}
	}
	return l.Say("run-no-reason")
}

// Run is what the page shows: the last good run, nil until a text has started. End and Workload are those of Computed, Lang is the
// language of the page.
func (s *Session) Run() *engine.Run { return s.Computed.shown }
func (s *Session) End() int64       { return s.Computed.End() }
func (s *Session) Workload() string { return s.Computed.Workload() }
func (s *Session) Lang() lang.Lang  { return s.Visit.Lang }

// Recording is the present scenario with its commands. Its run may still be behind the one that is shown.
func (s *Session) Recording() engine.Recording { return s.Computed.rec }

// Visit is what holds for the whole visit: the language, and what the page tells the person.
type Visit struct {
	Lang    lang.Lang
	Calm    bool   // the person asked for less motion
	Notice  Notice // above the editor
	Said    string // for the live region
	Touched bool   // the person did something that a reload must show again
	Address string // the link in the address bar, "" for none

	langChosen bool // by the person or by a link, so that links keep it
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

func (v *Visit) Say(text string) { v.Said = text }

// SayAgain puts a text in the live region that is read even if it stands there already.
func (v *Visit) SayAgain(text string) {
	if v.Said == text {
		text += "\u00a0"
	}
	v.Said = text
}

func (v *Visit) refuse(text string) { v.Tell(text, true) }

// SetLang shows the page in a language from now on: the person has chosen it, so links keep it. A tag that is no language
// of the page changes nothing.
func (v *Visit) SetLang(tag string) {
	if l := lang.Of(tag); l != "" {
		v.Lang, v.langChosen = l, true
	}
}

// Tell shows a sentence about what the page did by itself.
func (v *Visit) Tell(text string, bad bool) {
	v.Notice = Notice{Text: text, Bad: bad}
	v.Say(text)
}
