package session

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
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
	text := s.Document.Text
	s.order(func() { s.applyManifests(text) })
}

// Restart starts from time zero with the editor's text as scenario.
func (s *Session) Restart() {
	if n := s.Document.Errors(); n > 0 || Blank(s.Document.Text) {
		s.Visit.refuse(s.Visit.Lang.Say("restart-bad"))
		return
	}
	preset := s.Document.Preset
	if s.Document.Text != gallery.Text(preset) {
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
		s.Branches.list, s.Draft.kept.blank = nil, false // the compared run the empty text belongs to another document
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

// Fix gives the kubectl lines of a fix, between which is &&.
func (s *Session) Fix(lines string) {
	for _, line := range past.SplitLines(lines) {
		_, line = past.Condition(line)
		s.Kubectl(line)
	}
}

func (s *Session) give(c engine.Command) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	s.order(func() { s.obey(c) })
}

// Remove takes the i-th command of the person out of the recording; the later ones stay.
func (s *Session) Remove(i int) {
	if i < 0 || i >= len(s.Computed.rec.Commands) {
		return
	}
	rest := slices.Delete(slices.Clone(s.Computed.rec.Commands), i, i+1)
	if s.change(engine.Recording{Scenario: s.Computed.rec.Scenario, Commands: rest}) {
		s.Visit.Say(s.Visit.Lang.Say("removed"))
	}
}

// answer is what kubectl said to the last command at the cursor.
func (s *Session) answer() string {
	r := s.Computed.Latest()
	if i := r.Past().LastInput(r.Past().Find(s.Cursor.T)); i >= 0 {
		return r.Record(i).What
	}
	return ""
}

// Break writes into the scenario how an image behaves, and gives a kubectl line at the cursor that rolls it out. What came
// before the cursor stays as it was, because no pod had that image.
func (s *Session) Break(entry, line string) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	before, was := s.present(), s.Computed.rec.Scenario
	withImage := func(text string) (string, error) { return scenario.AddImage(text, entry) }
	broken, err := withImage(was)
	if err != nil {
		s.Visit.refuse(err.Error())
		return
	}
	s.Computed.rec.Scenario = broken
	if !s.act(engine.Command{Run: line}) {
		s.Computed.rec.Scenario = was
		return
	}
	if len(s.Branches.list) > 0 && s.Branches.list[0].Rec.Scenario == s.Computed.rec.Scenario {
		s.Branches.list[0].Rec.Scenario = was // the run that was left had no such image
	}
	s.Document.rewrite(withImage)
	s.remember(before)
	s.Visit.Say(s.answer())
}

// SetVersion simulates another version of Kubernetes, from the beginning and with the same commands.
func SetVersion(s *Session, version string) {
	Rewrite(s, func(text string) (string, error) {
		return scenario.SetSpec(text, []string{"version"}, strconv.Quote(version))
	}, s.Visit.Lang.Say("version-set", version))
}

// Rewrite changes the text and plays it from the beginning, with the same commands and up to the same moment. The change is made in
// the run's text and then, when another run may be there, in the editor's.
func Rewrite(s *Session, change func(text string) (string, error), said string) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	text, err := change(s.Computed.rec.Scenario)
	if err != nil {
		s.Visit.refuse(err.Error())
		return
	}
	if s.change(engine.Recording{Scenario: text, Commands: slices.Clone(s.Computed.rec.Commands)}) {
		s.Document.rewrite(change)
		s.Visit.Say(said)
	}
}
