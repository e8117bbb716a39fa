package session

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

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

// Rewrite changes the text and plays it from the beginning, with the same commands and up to the same moment.
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
	before := s.present()
	if s.start(engine.Recording{Scenario: text, Commands: slices.Clone(s.Computed.rec.Commands)}) {
		s.Document.rewrite(change)
		s.remember(before)
		s.Visit.Say(said)
	}
}
