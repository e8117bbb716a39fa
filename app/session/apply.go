package session

import (
	"slices"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// Apply applies the editor's text. Before anything has happened the text is a new scenario, and so is a text
// about other objects than those of the run: somebody pasted their own. Otherwise the manifests are applied at the cursor, as
// `kubectl apply -f -` would do it.
func (s *Session) Apply() {
	if Blank(s.Document.Text) {
		s.Visit.refuse(s.Visit.Lang.Say("apply-empty"))
		return
	}
	if n := s.Document.Errors(); n > 0 {
		s.Visit.refuse(s.Visit.Lang.Count(n, "apply-error", "apply-errors"))
		return
	}
	if s.Computed.shown == nil || s.Cursor.AtStart() || !s.library.Read(s.Document.Text).SharesObject(s.library.Read(s.Document.applied)) {
		s.Restart()
		return
	}
	s.order(order{text: s.Document.Text})
}

// Restart starts from time zero with the editor's text as scenario.
func (s *Session) Restart() {
	if n := s.Document.Errors(); n > 0 || Blank(s.Document.Text) {
		s.Visit.refuse(s.Visit.Lang.Say("restart-bad"))
		return
	}
	preset := s.Document.Preset
	if s.Document.Text != shipped(preset) {
		preset = ""
	}
	if s.restart(s.present(), preset) {
		s.Visit.Say(s.Visit.Lang.Say("restarted"))
	}
}

// restart starts the editor's text from zero; undo goes back to before.
func (s *Session) restart(before step, preset string) bool {
	old, goal := s.Cursor.Place, s.Cursor.goal
	s.Cursor.Place, s.Cursor.frac = cursor.Place{Record: -1}, 0
	if !s.start(engine.Recording{Scenario: s.Document.Text}) {
		s.Cursor.Place, s.Cursor.goal = old, goal
		return false
	}
	s.Document.applied, s.Document.Preset = s.Document.Text, preset
	s.Computed.chosen, s.Visit.Notice, s.Cursor.Loop, s.Draft.offering = "", Notice{}, Loop{}, false
	if s.Draft.kept.blank {
		s.Branches.list, s.Draft.kept.blank = nil, false // the run beside the empty text belongs to another subject
	}
	s.remember(before)
	s.Cursor.Playing = !s.Visit.Calm
	s.Cursor.fresh = s.Cursor.Guide.Opening
	return true
}

// applyManifests appends the Kubernetes objects of a text as a command at the cursor. The
// Scenario document (images, nodes, timeline) applies from time zero and cannot change in the middle.
func (s *Session) applyManifests(text string) {
	now, was := s.library.Read(text), s.library.Read(s.Document.applied)
	changed, manifests := !now.SameSetting(was), now.ManifestText()
	if changed && manifests == was.ManifestText() {
		s.Visit.Notice = Notice{Text: s.Visit.Lang.Say("applied-none"), Offer: OfferRestart}
		s.Visit.Say(s.Visit.Notice.Text)
		return
	}
	before := s.present()
	if !s.act(engine.Command{Apply: manifests}) {
		return
	}
	s.Document.applied = text
	s.Visit.Notice = Notice{Text: s.Visit.Lang.Say("applied", cursor.Clock(s.Cursor.T))}
	if changed {
		s.Visit.Notice = Notice{Text: s.Visit.Lang.Say("applied-partly", cursor.Clock(s.Cursor.T)), Offer: OfferRestart}
	}
	s.remember(before)
	s.sayAnswer()
}

// Kubectl gives a kubectl line at the cursor, Do a line for the environment.
func (s *Session) Kubectl(line string) { s.give(engine.Command{Run: line}) }
func (s *Session) Do(line string)      { s.give(engine.Command{Do: line}) }

func (s *Session) give(c engine.Command) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	s.order(order{command: c})
}

// act gives a command at the cursor and cuts what came later: acting in the past is a fork. The run must be ready.
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

// Remove takes the i-th command of the person out of the recording; the later ones stay.
func (s *Session) Remove(i int) {
	if i < 0 || i >= len(s.Computed.rec.Commands) {
		return
	}
	before := s.present()
	rest := slices.Delete(slices.Clone(s.Computed.rec.Commands), i, i+1)
	if s.start(engine.Recording{Scenario: s.Computed.rec.Scenario, Commands: rest}) {
		s.remember(before)
		s.Visit.Say(s.Visit.Lang.Say("removed"))
	}
}

// answer is what kubectl said to the last command at the cursor.
func (s *Session) answer() string {
	r := s.Computed.Latest()
	for i := min(r.Past().Find(s.Cursor.T), r.Len()-1); i >= 0; i-- {
		if rec := r.Record(i); rec.Kind == engine.Input {
			return rec.What
		}
	}
	return ""
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
	m, here := (*from)[len(*from)-1], s.present()
	if m.deleted != nil {
		s.Branches.toggle(m.deleted)
		*from, *to = (*from)[:len(*from)-1], append(*to, m)
		s.Visit.Touched = true
		s.Visit.Say(s.Visit.Lang.Say(said))
		return
	}
	s.Branches.unrelated = m.draft != s.Draft.kept
	defer s.Branches.related()
	if m.rec.Scenario != "" && !s.start(m.rec) {
		return
	}
	s.Branches.compared.dropGhost()
	*from, *to = (*from)[:len(*from)-1], append(*to, here)
	other := m.draft != s.Draft.kept
	if other {
		s.backTo(m.draft, here.branches)
	}
	if other || !s.Document.Dirty() || s.Document.Text == s.Document.linked {
		s.Document.Set(m.text)
	}
	s.Document.applied, s.Document.Preset, s.Visit.Notice = m.applied, m.preset, Notice{}
	s.Visit.Touched = true
	s.Visit.Say(s.Visit.Lang.Say(said))
}

// CanUndo says whether there is an action to undo, CanRedo whether one was undone.
func (h *History) CanUndo() bool { return len(h.past) > 0 || len(h.waiting) > 0 }
func (h *History) CanRedo() bool { return len(h.future) > 0 }

func (s *Session) present() step {
	d, b := &s.Document, &s.Branches
	return step{rec: s.Computed.rec, text: d.Text, applied: d.applied, preset: d.Preset, draft: s.Draft.kept, branches: leftBranches{b.list, b.present, b.made}}
}

func (s *Session) remember(before step) {
	s.Visit.Touched = true
	if before.rec.Scenario == "" {
		return // the first start of a session is nothing to undo
	}
	s.History.past, s.History.future = append(s.History.past, before), nil
}
