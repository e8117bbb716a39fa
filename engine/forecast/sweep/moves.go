package sweep

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/diagnosis"
)

// Patience is how long, in ms, a rollout may take before somebody looks whether it still moves.
const Patience = 30 * 60 * 1000

// Day is the longest run: the duration in a text, and the same in ms.
const (
	Day   = "24h"
	dayMs = 48 * Patience
)

// Play computes a run until it is over, or until nothing moves any more, which it looks at after half an hour and then each half hour.
func Play(r *engine.Run, over, moves func() bool) {
	for look := r.Now() + Patience; !r.Done() && !over(); {
		breath.Take()
		if r.Advance(eventsEach); r.Now() > look {
			if look = r.Now() + Patience; !moves() {
				return
			}
		}
	}
}

// Moves reports whether one of some workloads is not complete and makes progress: it is slow, and has no fault. If its controller tries again
// by itself, somebody deletes its pods, or no cause is known, at most half an hour lies between the last change of its pods and the next
// event: the longest pause between two tries is 16m40s (H-5).
func Moves(r *engine.Run, workloads ...string) bool {
	next, more := r.Next()
	if !more {
		return false
	}
	return slices.ContainsFunc(workloads, func(name string) bool {
		d := diagnosis.Of(r.Past(), name, r.Len()-1, r.Now())
		stuck, cause := d.State == diagnosis.StateStuck, diagnosis.Reconciling
		for _, f := range d.Findings {
			if f.ID == "deadline" {
				stuck = false // it only reports, and whatever is stuck comes before it
			} else if f.ID != "refused" && f.ID != "budget" {
				cause = f.ID
				break
			}
		}
		switch cause {
		case diagnosis.Reconciling, "quota", "create-failed", "on-delete":
			frames := r.Frames(name)
			return d.State != diagnosis.StateComplete && len(frames) > 0 && frames[len(frames)-1].T > next-Patience
		}
		return !stuck && d.State != diagnosis.StateComplete && d.State != diagnosis.StateGone
	})
}
