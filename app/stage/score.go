package stage

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
)

// score is what a rollout has cost by the cursor: the one under way, or else the last one.
type score struct {
	Known   bool
	First   bool   // the workload's pods are created for the first time
	Set     string // the ReplicaSet, or ControllerRevision, that is rolled out
	Done    bool
	From    int64 // virtual ms
	Took    int64 // ms, up to the cursor
	Desired int   // now
	Serving int   // available pods now
	Lowest  int   // % of the desired pods that were available at the worst moment
	Outage  int64 // ms without an available pod
	Down    bool  // none is available now
}

// scoreAt reads the frames of a workload up to t, of which here is the last one that counts.
func scoreAt(frames []engine.Frame, here int, t int64) score {
	var s score
	revision := 0
	for i := 0; i <= here; i++ {
		f := &frames[i]
		if newest := newestSet(f); newest.Revision > revision {
			s = score{Known: true, First: revision == 0, Set: newest.Name, From: f.T, Lowest: 100}
			revision = newest.Revision
		}
		to := t
		if i < here {
			to = frames[i+1].T
		}
		s.add(f, to)
	}
	return s
}

// add takes a frame that holds until a moment.
func (s *score) add(f *engine.Frame, to int64) {
	s.Desired, s.Serving = f.Desired, f.Available
	s.Down = s.Known && !s.First && f.Available == 0 && f.Desired > 0
	if s.Done || !s.Known {
		return
	}
	if !s.First && f.Desired > 0 {
		s.Lowest = min(s.Lowest, 100*f.Available/f.Desired)
	}
	if s.Down {
		s.Outage += to - f.T
	}
	s.Done = f.Updated >= f.Desired && f.Total == f.Desired && f.Available == f.Desired
	s.Took = to - s.From
	if s.Done {
		s.Took = f.T - s.From
	}
}

// newestSet is the one of the highest revision.
func newestSet(f *engine.Frame) (newest engine.RSFrame) {
	for _, rs := range f.ReplicaSets {
		if rs.Revision > newest.Revision {
			newest = *rs
		}
	}
	return newest
}

// score is that of the chosen workload at the cursor.
func (p *Panels) score() score {
	s := p.s
	if s.Run() == nil || s.Workload() == "" {
		return score{}
	}
	frames := s.Run().Frames(s.Workload())
	return scoreAt(frames, chart.FrameAt(frames, s.Cursor().Record), s.Cursor().T)
}
