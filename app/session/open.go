package session

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
)

// OpenRun shows a recording that was made from the present one, from its start, as an action that can be undone. Its text replaces
// the editor's.
func (s *Session) OpenRun(rec engine.Recording) {
	before := s.state()
	if !s.start(engine.Recording{Scenario: rec.Scenario, Commands: slices.Clone(rec.Commands)}) {
		return
	}
	if rec.Scenario != before.rec.Scenario {
		s.preset = ""
	}
	s.SetText(rec.Scenario)
	s.applied = rec.Scenario
	s.notice = Notice{}
	s.remember(before)
	s.fresh, s.playing = s.guide.Opening, !s.calm
	s.seek(0)
	s.Say(s.where())
}
