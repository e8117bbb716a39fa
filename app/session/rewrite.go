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
	if s.run == nil {
		s.refuse(s.lang.Say("run-none"))
		return
	}
	before, was := s.state(), s.rec.Scenario
	withImage := func(text string) (string, error) { return scenario.AddImage(text, entry) }
	broken, err := withImage(was)
	if err != nil {
		s.refuse(err.Error())
		return
	}
	s.rec.Scenario = broken
	if !s.act(engine.Command{Run: line}) {
		s.rec.Scenario = was
		return
	}
	if len(s.forks) > 0 && s.forks[0].Rec.Scenario == s.rec.Scenario {
		s.forks[0].Rec.Scenario = was // the run that was left had no such image
	}
	s.rewrite(withImage)
	s.remember(before)
	s.Say(s.answer())
}

// SetVersion simulates another version of Kubernetes, from the beginning and with the same commands.
func (s *Session) SetVersion(version string) {
	if s.run == nil {
		s.refuse(s.lang.Say("run-none"))
		return
	}
	withVersion := func(text string) (string, error) {
		return scenario.SetSpec(text, []string{"version"}, strconv.Quote(version))
	}
	text, err := withVersion(s.rec.Scenario)
	if err != nil {
		s.refuse(err.Error())
		return
	}
	before := s.state()
	if s.start(engine.Recording{Scenario: text, Commands: slices.Clone(s.rec.Commands)}) {
		s.rewrite(withVersion)
		s.remember(before)
		s.Say(s.lang.Say("version-set", version))
	}
}

// Version is the simulated one.
func (s *Session) Version() string {
	if s.run == nil {
		return ""
	}
	return "1." + strconv.Itoa(s.run.Scenario().Minor)
}

// rewrite changes the text that runs, and the editor's with it. A draft that cannot be changed stays.
func (s *Session) rewrite(change func(string) (string, error)) {
	changed := func(text string) string {
		if text, err := change(text); err == nil {
			return text
		}
		return text
	}
	dirty := s.Dirty()
	s.applied = changed(s.applied)
	if dirty {
		s.SetText(changed(s.text))
	} else {
		s.SetText(s.applied)
	}
	s.preset, s.notice = "", Notice{}
}
