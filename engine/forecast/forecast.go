// Package forecast turns a run into numbers: how long each rollout took, how low it went, and what it cost. It watches from
// outside, as the judge does, and reads only the records that are new since the last call.
package forecast

import "github.com/rollplay/rollplay/engine/past"

// Cause is the kind of write that began a rollout.
type Cause string

// The causes of rollouts.
const (
	Created   Cause = "created"   // the workload is new
	Template  Cause = "template"  // its pod template changed: a new image, a restart, an undo
	Partition Cause = "partition" // a finished StatefulSet may update further ordinals
)

// Result is the way in which a rollout ended.
type Result string

// The results of rollouts.
const (
	Unfinished       Result = "not finished" // as far as the run is computed
	Complete         Result = "complete"
	DeadlineExceeded Result = "deadline exceeded" // and not complete since
	Superseded       Result = "superseded"        // the next rollout began before it was complete
	Deleted          Result = "deleted"
)

// Rollout is the scorecard of one rollout. It begins with the write that creates a workload or changes its template; if the
// Deployment is paused, with the one that resumes it. It is complete when all desired pods are updated and available and no
// other pod counts; of a StatefulSet those from the partition up must be updated.
type Rollout struct {
	Workload string `json:"workload"` // Deployment/default/web
	Record   int    `json:"-"`        // the write that began it
	Start    int64  `json:"start"`    // virtual ms
	End      int64  `json:"end"`      // when it was complete, superseded or deleted; until then, how far the run is computed
	Cause    Cause  `json:"cause"`
	By       string `json:"by"`                // the actor of that write
	Command  string `json:"command,omitempty"` // the line that led to it, if one did
	Result   Result `json:"result"`
	Deadline int64  `json:"deadline"` // when the progress deadline was reported, -1 if it was not
	Figures
	Requests Requests `json:"requests,omitzero"` // only Ask fills them in
}

// Duration returns how long the rollout took so far, in ms.
func (r *Rollout) Duration() int64 { return r.End - r.Start }

// Done reports whether the rollout has ended, so that its result stays.
func (r *Rollout) Done() bool {
	return r.Result == Complete || r.Result == Superseded || r.Result == Deleted
}

// Forecast keeps the scorecards of a run while it grows.
type Forecast struct {
	past    *past.Past
	records int // how many of them are read
	works   map[string]*work
	nodes   int
}

// New returns the scorecards of a run.
func New(p *past.Past) *Forecast { return &Forecast{past: p, works: map[string]*work{}} }

// Rollouts returns the rollouts of a workload so far, in order. The list belongs to the Forecast: its last entry changes while
// the run grows.
func (f *Forecast) Rollouts(workload string) []Rollout { return f.work(workload).view(f.past.Now()) }

// work returns what is known about a workload so far, nil if it never existed.
func (f *Forecast) work(workload string) *work {
	f.read()
	w := f.works[workload]
	if w != nil {
		w.drain(f.past.Frames(workload), f.records)
	}
	return w
}

// Overall returns the figures of a workload from the moment it was first complete until now, ok is false before that. Drains
// and failures of nodes happen outside of rollouts, so their losses are in no scorecard.
func (f *Forecast) Overall(workload string) (figures Figures, ok bool) {
	w := f.work(workload)
	if w == nil || !w.settled {
		return Figures{}, false
	}
	t := w.overall
	t.add(&w.state, w.since, f.past.Now(), w.up)
	return t.Figures, true
}

// At returns the last rollout of a list that began at or before a record, or nil.
func At(list []Rollout, record int) *Rollout {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Record <= record {
			return &list[i]
		}
	}
	return nil
}

// Quiet reports whether no pod of a workload terminates and no rollout of it is under way, so that no figure changes on its own.
func (f *Forecast) Quiet(workload string) bool {
	w := f.work(workload)
	return w != nil && !w.open && !w.tail
}
