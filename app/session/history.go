package session

import (
	"slices"

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
