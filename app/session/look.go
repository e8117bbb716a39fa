package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/chart"
)

// LookAtObject moves the cursor to the last write of an object at or before it.
func (s *Session) LookAtObject(object string) {
	if s.run != nil {
		s.LookAt(s.run.Past().LastWrite(object, s.cursor.Record))
	}
}

// LookAtSeries moves the cursor to where the number of a line of the chart took the value that it has at the cursor.
func (s *Session) LookAtSeries(id string) {
	if s.run == nil || s.LookAtBudget(id) {
		return
	}
	frames := s.run.Frames(s.Workload())
	if k := chart.LastChange(frames, chart.FrameAt(frames, s.cursor.Record), id); k >= 0 {
		s.LookAt(frames[k].Record)
	}
}

// LookAtBudget moves the cursor to where a budget took the status that it has at the cursor.
func (s *Session) LookAtBudget(id string) bool {
	name, ok := strings.CutPrefix(id, chart.SeriesBudgetPrefix)
	if !ok {
		return false
	}
	for _, b := range s.run.Past().Budgets(s.Workload()) {
		if step, there := b.At(s.cursor.Record); b.Name == name && there {
			s.LookAt(step.Record)
		}
	}
	return true
}
