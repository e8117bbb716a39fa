package app

import (
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// LookAtObject moves the cursor to the last write of an object at or before it.
func (s *session) LookAtObject(object string) {
	if s.run != nil {
		s.LookAt(s.run.Past().LastWrite(object, s.cursor.Record))
	}
}

// LookAtSeries moves the cursor to where the number of a line of the chart took the value that it has at the cursor.
func (s *session) LookAtSeries(id string) {
	if s.run == nil || s.LookAtBudget(id) {
		return
	}
	frames := s.run.Frames(s.watched())
	if k := changeOf(frames, frameAt(frames, s.cursor.Record), id); k >= 0 {
		s.LookAt(frames[k].Record)
	}
}

// changeOf returns the index of the last frame, of those up to frame i, in which the number of a line changed; -1 if it
// never was another than 0.
func changeOf(frames []engine.Frame, i int, id string) int {
	for ; i >= 0; i-- {
		last := 0
		if i > 0 {
			last = numberOf(&frames[i-1], id)
		}
		if numberOf(&frames[i], id) != last {
			return i
		}
	}
	return -1
}

// numberOf returns the number that a line of the chart has in a frame.
func numberOf(f *engine.Frame, id string) int {
	switch id {
	case seriesTotal:
		return f.Total
	case seriesAvailable:
		return f.Available
	case seriesUnavailable:
		return f.Desired
	case seriesTerminating:
		return f.Terminating
	}
	name, _ := strings.CutPrefix(id, seriesRSPrefix)
	for k := range f.ReplicaSets {
		if f.ReplicaSets[k].Name == name {
			return f.ReplicaSets[k].Replicas
		}
	}
	return 0
}
