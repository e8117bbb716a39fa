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
	if Blank(s.text) {
		s.refuse(s.lang.Say("apply-empty"))
		return
	}
	if n := s.Errors(); n > 0 {
		s.refuse(s.lang.Count(n, "apply-error", "apply-errors"))
		return
	}
	if s.run == nil || s.AtStart() || !s.library.Read(s.text).SharesObject(s.library.Read(s.applied)) {
		s.Restart()
		return
	}
	s.order(order{text: s.text})
}

// Restart starts from time zero with the editor's text as scenario.
func (s *Session) Restart() {
	if n := s.Errors(); n > 0 || Blank(s.text) {
		s.refuse(s.lang.Say("restart-bad"))
		return
	}
	preset := s.preset
	if s.text != shipped(preset) {
		preset = ""
	}
	if s.restart(s.state(), preset) {
		s.Say(s.lang.Say("restarted"))
	}
}

// restart starts the editor's text from zero; undo goes back to before.
func (s *Session) restart(before state, preset string) bool {
	old, goal := s.cursor, s.goal
	s.cursor, s.frac = cursor.Cursor{Record: -1}, 0
	if !s.start(engine.Recording{Scenario: s.text}) {
		s.cursor, s.goal = old, goal
		return false
	}
	s.applied, s.preset = s.text, preset
	s.workload, s.notice, s.loop, s.offering = "", Notice{}, Loop{}, false
	if s.subject.blank {
		s.forks, s.subject.blank = nil, false // the run beside the empty text belongs to another subject
	}
	s.remember(before)
	s.playing = !s.calm
	s.fresh = s.guide.Opening
	return true
}

// applyManifests appends the Kubernetes objects of a text as a command at the cursor. The
// Scenario document (images, nodes, timeline) applies from time zero and cannot change in the middle.
func (s *Session) applyManifests(text string) {
	now, was := s.library.Read(text), s.library.Read(s.applied)
	changed, manifests := !now.SameSetting(was), now.ManifestText()
	if changed && manifests == was.ManifestText() {
		s.notice = Notice{Text: s.lang.Say("applied-none"), Offer: OfferRestart}
		s.Say(s.notice.Text)
		return
	}
	before := s.state()
	if !s.act(engine.Command{Apply: manifests}) {
		return
	}
	s.applied = text
	s.notice = Notice{Text: s.lang.Say("applied", cursor.Clock(s.cursor.T))}
	if changed {
		s.notice = Notice{Text: s.lang.Say("applied-partly", cursor.Clock(s.cursor.T)), Offer: OfferRestart}
	}
	s.remember(before)
	s.sayAnswer()
}

// Kubectl gives a kubectl line at the cursor, Do a line for the environment.
func (s *Session) Kubectl(line string) { s.give(engine.Command{Run: line}) }
func (s *Session) Do(line string)      { s.give(engine.Command{Do: line}) }

func (s *Session) give(c engine.Command) {
	if s.run == nil {
		s.refuse(s.lang.Say("run-none"))
		return
	}
	s.order(order{command: c})
}

// act gives a command at the cursor and cuts what came later: acting in the past is a fork. The run must be ready.
func (s *Session) act(c engine.Command) bool {
	atEnd, was := s.AtEnd(), s.cursor
	c.At = s.run.ActAt(was.T)
	if why := s.tooLate(); why != "" {
		s.refuse(why)
		return false
	}
	s.cursor.T = c.At // the next run is shown when it is computed up to there
	if !s.startTo(engine.Recording{Scenario: s.rec.Scenario, Commands: append(upTo(s.rec.Commands, was.T), c)}, c.At) {
		s.cursor = was
		return false
	}
	// At the end only the effect of the command is left to see.
	s.playing = s.playing || (atEnd && !s.calm)
	return true
}

// tooLate says why a command given at the cursor would never happen, "" if it would: a scenario with a duration ends there.
func (s *Session) tooLate() string {
	if s.run.Reaches(s.run.ActAt(s.cursor.T)) {
		return ""
	}
	return s.lang.Say("act-after-end", cursor.Clock(s.End()))
}

// upTo returns a copy of the commands that were given at or before t.
func upTo(commands []engine.Command, t int64) []engine.Command {
	return slices.DeleteFunc(slices.Clone(commands), func(c engine.Command) bool { return c.At > t })
}

// Remove takes the i-th command of the person out of the recording; the later ones stay.
func (s *Session) Remove(i int) {
	if i < 0 || i >= len(s.rec.Commands) {
		return
	}
	before := s.state()
	rest := slices.Delete(slices.Clone(s.rec.Commands), i, i+1)
	if s.start(engine.Recording{Scenario: s.rec.Scenario, Commands: rest}) {
		s.remember(before)
		s.Say(s.lang.Say("removed"))
	}
}

// answer is what kubectl said to the last command at the cursor.
func (s *Session) answer() string {
	r := s.Latest()
	for i := min(r.Past().Find(s.cursor.T), r.Len()-1); i >= 0; i-- {
		if rec := r.Record(i); rec.Kind == engine.Input {
			return rec.What
		}
	}
	return ""
}

// Undo goes back to the recording before the last action, Redo forward again. A text edited since then stays.
func (s *Session) Undo() { s.travel(&s.past, &s.future, "undone", "undone-all") }
func (s *Session) Redo() { s.travel(&s.future, &s.past, "redone", "redone-all") }

func (s *Session) travel(from, to *[]state, said, none lang.Message) {
	if n := len(s.orders); n > 0 && said == "undone" {
		s.orders = s.orders[:n-1] // the last thing that was done is a command that still waits
		s.notice = Notice{}
		s.Say(s.lang.Say(said))
		return
	}
	if len(*from) == 0 {
		s.Say(s.lang.Say(none))
		return
	}
	m, here, left := (*from)[len(*from)-1], s.state(), s.left()
	if m.fork != nil {
		s.toggleFork(m.fork)
		*from, *to = (*from)[:len(*from)-1], append(*to, m)
		s.touched = true
		s.Say(s.lang.Say(said))
		return
	}
	s.uprooted = m.subject != s.subject
	defer s.rooted()
	if m.rec.Scenario != "" && !s.start(m.rec) {
		return
	}
	s.beside.dropGhost()
	*from, *to = (*from)[:len(*from)-1], append(*to, here)
	other := m.subject != s.subject
	if other {
		s.backTo(m.subject, left)
	}
	if other || !s.Dirty() || s.text == s.linked {
		s.SetText(m.text)
	}
	s.applied, s.preset, s.notice = m.applied, m.preset, Notice{}
	s.touched = true
	s.Say(s.lang.Say(said))
}

// CanUndo says whether there is an action to undo, CanRedo whether one was undone.
func (s *Session) CanUndo() bool { return len(s.past) > 0 || len(s.orders) > 0 }
func (s *Session) CanRedo() bool { return len(s.future) > 0 }

func (s *Session) state() state {
	return state{rec: s.rec, text: s.text, applied: s.applied, preset: s.preset, subject: s.subject}
}

func (s *Session) remember(before state) {
	s.touched = true
	if before.rec.Scenario == "" {
		return // the first start of a session is nothing to undo
	}
	s.past, s.future = append(s.past, before), nil
}
