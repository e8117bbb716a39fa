package session

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
)

// OpenRun shows a recording that was made from the present one, from its start, as an action that can be undone. Its text replaces
// the editor's.
func (s *Session) OpenRun(rec engine.Recording) {
	before := s.present()
	if !s.start(engine.Recording{Scenario: rec.Scenario, Commands: slices.Clone(rec.Commands)}) {
		return
	}
	if rec.Scenario != before.rec.Scenario {
		s.Document.Preset = ""
	}
	s.Document.Set(rec.Scenario)
	s.Document.applied = rec.Scenario
	s.Visit.Notice = Notice{}
	s.remember(before)
	s.Cursor.fresh, s.Cursor.Playing = s.Cursor.Guide.Opening, !s.Visit.Calm
	s.Cursor.seek(0)
	s.Visit.Say(s.Cursor.describe())
}
