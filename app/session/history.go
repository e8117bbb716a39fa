package session

import (
	"math"
	"slices"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// History is what undo and redo return to, and the commands that wait for the run.
type History struct {
	past, future []step
	waiting      []order
	answerAt     int64
}

// step is what undo returns to: the page as it was before an action.
type step struct {
	rec                   engine.Recording
	text, applied, preset string
	draft                 *keptDraft
	branches              branchSet
	deleted               *Branch // the rest is empty then
}

// Undo goes back to the recording before the last action, Redo forward again. A text edited since then stays.
func (s *Session) Undo() { s.travel(&s.History.past, &s.History.future, "undone", "undone-all") }

func (s *Session) Redo() { s.travel(&s.History.future, &s.History.past, "redone", "redone-all") }

func (s *Session) travel(from, to *[]step, said, none lang.Message) {
	if n := len(s.History.waiting); n > 0 && said == "undone" {
		s.History.waiting = s.History.waiting[:n-1] // the last thing that was done is a command that still waits
		s.Visit.Notice = Notice{}
		s.Visit.Say(s.Visit.Lang.Say(said))
		return
	}
	if len(*from) == 0 {
		s.Visit.Say(s.Visit.Lang.Say(none))
		return
	}
	last := len(*from) - 1
	m, back := (*from)[last], s.present()
	if m.deleted != nil {
		s.Branches.toggle(m.deleted)
		back = m
	} else if !s.returnTo(&m, &back) {
		return
	}
	*from, *to = (*from)[:last], append(*to, back)
	s.Visit.Touched = true
	s.Visit.Say(s.Visit.Lang.Say(said))
}

// returnTo makes the page what it was at a step, and says whether that runs.
func (s *Session) returnTo(m, here *step) bool {
	s.Branches.unrelated = m.draft != s.Draft.kept
	defer s.Branches.related()
	if m.rec.Scenario != "" && !s.start(m.rec) {
		return false
	}
	if !s.Branches.compared.figures {
		s.Branches.compared = compared{}
	}
	other := m.draft != s.Draft.kept
	if other {
		s.Draft.kept.was = here.branches
		s.Draft.kept, s.Branches.branchSet = m.draft, m.draft.was
	}
	if other || !s.Document.Dirty() || s.Document.Text == s.Document.linked {
		s.Document.Set(m.text)
	}
	s.Document.applied, s.Document.Preset, s.Visit.Notice = m.applied, m.preset, Notice{}
	return true
}

// CanUndo says whether there is an action to undo, CanRedo whether one was undone.
func (h *History) CanUndo() bool { return len(h.past) > 0 || len(h.waiting) > 0 }

func (h *History) CanRedo() bool { return len(h.future) > 0 }

func (s *Session) present() step {
	d := &s.Document
	return step{rec: s.Computed.rec, text: d.Text, applied: d.applied, preset: d.Preset, draft: s.Draft.kept, branches: s.Branches.branchSet}
}

func (s *Session) remember(before step) {
	s.Visit.Touched = true
	if before.rec.Scenario == "" {
		return // the first start of a session is nothing to undo
	}
	s.History.past, s.History.future = append(s.History.past, before), nil
}

// change makes rec the recording, as an action that can be undone; see start.
func (s *Session) change(rec engine.Recording) bool {
	before := s.present()
	if !s.start(rec) {
		return false
	}
	s.remember(before)
	return true
}

// OpenRun shows a recording that was made from the present one, from its start, as an action that can be undone. Its text replaces
// the editor's.
func (s *Session) OpenRun(rec engine.Recording) {
	was := s.Computed.rec.Scenario
	if !s.change(engine.Recording{Scenario: rec.Scenario, Commands: slices.Clone(rec.Commands)}) {
		return
	}
	if rec.Scenario != was {
		s.Document.Preset = ""
	}
	s.Document.Set(rec.Scenario)
	s.Document.applied = rec.Scenario
	s.Visit.Notice = Notice{}
	s.Cursor.fresh, s.Cursor.Playing = s.Cursor.Guide.Opening, !s.Visit.Calm
	s.Cursor.seek(0)
	s.Visit.Say(s.Cursor.describe())
}

// order is a command that waits until the run has been computed up to the cursor at which it was given.
type order struct {
	at int64
	do func()
}

// ready says whether the shown run is that of the present recording, computed beyond the moment of a command, which is about the
// cluster that is there. It computes a slice if it is not.
func (s *Session) ready(t int64) bool {
	r := s.Computed.Latest()
	if r == nil {
		return false
	}
	if !r.Done() && r.Now() <= t {
		s.Computed.advance(r, min(t, s.Computed.allowed(s.Cursor.ahead())), s.Computed.slice(sliceTime))
	}
	s.adopt()
	return s.Computed.next == nil && (r.Done() || r.Now() > t)
}

// carryOut gives the commands that waited, and the lines of the prompt.
func (s *Session) carryOut() {
	for len(s.History.waiting) > 0 {
		o := s.History.waiting[0]
		if !s.ready(o.at) {
			return
		}
		if s.Cursor.T != o.at {
			s.Cursor.seek(o.at)
		}
		s.History.waiting = s.History.waiting[1:]
		o.do()
		for i := range s.History.waiting { // a command may take effect 1 ms later, and what was given after it follows it
			if s.History.waiting[i].at == o.at {
				s.History.waiting[i].at = s.Cursor.T
			}
		}
	}
	if s.History.answerAt >= 0 && s.Computed.next == nil && s.Computed.shown != nil && (s.Computed.shown.Done() || s.Computed.shown.Now() > s.History.answerAt) {
		s.History.answerAt = -1
		s.Visit.Say(s.answer())
	}
	if s.Computed.shown != nil && s.Prompt.terminal.Waiting() > 0 {
		s.carryOn()
	}
}

// order gives a command at the cursor, at once if the run is there.
func (s *Session) order(do func()) {
	o := order{s.Cursor.T, do}
	if len(s.History.waiting) == 0 && s.ready(o.at) {
		do()
		return
	}
	s.History.waiting = append(s.History.waiting, o)
	s.Visit.Touched = true
	s.Visit.Tell(s.Visit.Lang.Count(len(s.History.waiting), "order-waits", "orders-wait"), false)
}

func (s *Session) obey(c engine.Command) {
	before := s.present()
	if s.act(c) {
		s.Visit.Notice = Notice{}
		s.remember(before)
		s.sayAnswer()
	}
}

// sayAnswer says what kubectl answers to the last command, as soon as the run has that.
func (s *Session) sayAnswer() {
	if s.History.answerAt = s.Cursor.T; s.ready(s.Cursor.T) {
		s.History.answerAt = -1
		s.Visit.Say(s.answer())
	}
}

// act gives a command at the cursor and cuts what came later: acting in the past is a branch. The run must be ready.
func (s *Session) act(c engine.Command) bool {
	atEnd, was := s.Cursor.AtEnd(), s.Cursor.Place
	c.At = s.Computed.shown.ActAt(was.T)
	if why := s.tooLate(); why != "" {
		s.Visit.refuse(why)
		return false
	}
	s.Cursor.T = c.At // the next run is shown when it is computed up to there
	if !s.startUntil(engine.Recording{Scenario: s.Computed.rec.Scenario, Commands: append(upTo(s.Computed.rec.Commands, was.T), c)}, c.At) {
		s.Cursor.Place = was
		return false
	}
	// At the end only the effect of the command is left to see.
	s.Cursor.Playing = s.Cursor.Playing || (atEnd && !s.Visit.Calm)
	return true
}

// Control carries out what a control of the page does, and plays what follows; people who asked for less motion see its end. Before a
// lesson's own first command it acts on the cluster that has settled at the end.
func (s *Session) Control(do func()) {
	if s.atOpening() {
		s.Cursor.goTo(math.MaxInt64)
	}
	given := len(s.Computed.rec.Commands) + len(s.History.waiting)
	do()
	switch {
	case len(s.Computed.rec.Commands)+len(s.History.waiting) <= given: // refused
	case s.Visit.Calm:
		s.Cursor.goTo(math.MaxInt64)
	default:
		s.Cursor.Playing = true
	}
}

// atOpening says that the cursor is where a lesson opens or at its first caption, and that nobody has done anything yet, nor has the
// timeline. In an exercise every moment counts, and a scenario with a duration has nothing after its end.
func (s *Session) atOpening() bool {
	run := s.Computed.shown
	if run == nil || len(s.Computed.rec.Commands) > 0 || len(run.Scenario().Goals) > 0 || !run.Reaches(run.Now()+1) {
		return false
	}
	opening := s.Reading.Opening().From
	if captions := run.Scenario().Captions; len(captions) > 0 {
		opening = max(opening, captions[0].At)
	}
	for _, i := range s.Reading.Index().Inputs {
		if r := run.Record(i); r.T > 0 {
			return s.Cursor.T <= min(r.T, opening)
		}
	}
	return s.Cursor.T == 0
}

// tooLate says why a command given at the cursor would never happen, "" if it would: a scenario with a duration ends there.
func (s *Session) tooLate() string {
	if s.Computed.shown.Reaches(s.Computed.shown.ActAt(s.Cursor.T)) {
		return ""
	}
	return s.Visit.Lang.Say("act-after-end", cursor.Clock(s.Computed.End()))
}

// upTo returns a copy of the commands that were given at or before t.
func upTo(commands []engine.Command, t int64) []engine.Command {
	return slices.DeleteFunc(slices.Clone(commands), func(c engine.Command) bool { return c.At > t })
}
