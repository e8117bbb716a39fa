package engine

import (
	"fmt"
	"math"
	"sort"

	"github.com/rollplay/rollplay/engine/sim"
)

// recordsMax is after how many records a run is stopped. A Deployment of 10,000 pods that is created and updated makes 271,000;
// what makes more goes round in circles, as upstream itself can (S-17): at a pace of its own there, once a millisecond here.
const recordsMax = 1_000_000

// endMargin is what is shown after the last record of a run without a duration, in virtual ms.
const endMargin = 1000

// Run is what the engine makes of a Recording. It is computed ahead of the screen, in slices, with Advance; whatever is
// computed can be read at once and does not change afterwards.
type Run struct {
	recording Recording
	scenario  *Scenario
	world     *world
	view      *view
	history   history
	lanes     []*lane
	judges    map[string]*judge
	strips    strips
	inputs    inputs
	tiled     tiled
	done      bool
	cut       bool // stopped because of recordsMax
}

// Start prepares a run. A diagnostic that is an error leaves the run nil; warnings come beside a run. A command of the
// recording that the cluster refuses is no diagnostic: the refusal is a record of the trace.
func Start(rec Recording) (*Run, []Diagnostic) {
	scenario, diagnostics := ParseScenario(rec.Scenario)
	if scenario == nil {
		return nil, diagnostics
	}
	return newRun(scenario, rec), diagnostics
}

func newRun(scenario *Scenario, rec Recording) *Run {
	w := newWorld(scenario, rec.Commands)
	return &Run{recording: rec, scenario: scenario, world: w, view: newView(w.server.Store)}
}

// Advance computes at most n further events and says whether the run is done.
func (r *Run) Advance(n int) (done bool) {
	for ; n > 0 && !r.done; n-- {
		at, ok := r.world.kernel.Next()
		if !ok || at > r.Horizon() {
			r.done = true
			break
		}
		if len(r.records()) >= recordsMax {
			r.done, r.cut = true, true
			break
		}
		r.world.kernel.Step()
	}
	return r.done
}

// Finish computes the rest of the run and returns it.
func (r *Run) Finish() *Run {
	for !r.Advance(1 << 16) {
	}
	return r
}

// Done says whether the run rests: nothing more can happen, or its horizon is reached.
func (r *Run) Done() bool { return r.done }

// Cut says, in a sentence, that the run was stopped before its end because it goes round in circles; empty if it was not.
func (r *Run) Cut() string {
	if !r.cut {
		return ""
	}
	return fmt.Sprintf("The run is stopped at %s: it has %d records and goes round in circles. What comes last in the list of decisions repeats itself.",
		seconds(r.Now())+" s", r.Len())
}

// Scenario returns what was parsed from the recording's text.
func (r *Run) Scenario() *Scenario { return r.scenario }

// Recording returns the input.
func (r *Run) Recording() Recording { return r.recording }

// Horizon is the latest virtual ms that the run can reach.
func (r *Run) Horizon() int64 {
	if r.scenario.Duration > 0 {
		return r.scenario.Duration
	}
	return DurationDefault
}

// Now returns the virtual ms that the run has been computed to. Once the run is done that is its end: the duration that
// the scenario asks for, or else a little after the last thing that happened, in whole seconds.
func (r *Run) Now() int64 {
	if !r.done || r.cut {
		return r.world.kernel.Now()
	}
	if r.scenario.Duration > 0 {
		return r.scenario.Duration
	}
	return min((r.lastMove()+2*endMargin-1)/1000*1000, DurationDefault)
}

// lastMove is when the last thing happened. Reconciles that did nothing are none: ten minutes after a rollout its deadline
// is looked at once more, and nobody waits for that.
func (r *Run) lastMove() int64 {
	records := r.records()
	for i := len(records) - 1; i >= 0; i-- {
		if s := records[i].Sync; s == nil || s.Last != i {
			return records[i].At
		}
	}
	return 0
}

// Len is the number of records so far.
func (r *Run) Len() int { return len(r.records()) }

// Record returns the i-th record, 0 <= i < Len.
func (r *Run) Record(i int) Record { return publicRecord(&r.records()[i]) }

// At returns the virtual ms of the i-th record.
func (r *Run) At(i int) int64 { return r.records()[i].At }

// IsSync says whether the i-th record begins a reconcile.
func (r *Run) IsSync(i int) bool { return r.records()[i].Kind == sim.Reconcile }

// Find returns the index of the last record at or before a virtual ms, -1 if there is none.
func (r *Run) Find(t int64) int {
	records := r.records()
	return sort.Search(len(records), func(i int) bool { return records[i].At > t }) - 1
}

// ActAt returns the time for a command that is given at a virtual ms, such that all that has happened by then stays as
// it is. A command comes before whatever else happens at its moment, so that is the next ms if there are records at t.
func (r *Run) ActAt(t int64) int64 {
	if i := r.Find(t); i >= 0 && r.records()[i].At == t {
		return t + 1
	}
	return t
}

// Workloads lists those that ever existed, in the order of their appearance: "Deployment/default/web".
func (r *Run) Workloads() []string { return r.world.counts.names }

// Frames returns the frames of a workload so far, in order; consecutive ones differ. The slice only grows.
func (r *Run) Frames(workload string) []Frame { return r.world.counts.frames(workload) }

// Snapshot returns the cluster after record i; -1 is the empty cluster.
func (r *Run) Snapshot(i int) *Snapshot {
	at := int64(0)
	if i >= 0 {
		at = r.records()[i].At
	}
	return r.SnapshotAt(i, at, math.MaxInt)
}

// SnapshotAt returns the cluster after record i as it is shown at a later moment: only ages differ. It has the first pods
// by name, at most so many.
func (r *Run) SnapshotAt(i int, t int64, pods int) *Snapshot {
	return r.stateAfter(i).snapshot(i, t, pods)
}

// stateAfter returns the cluster after record i. It holds until the next call.
func (r *Run) stateAfter(i int) *view {
	r.view.seek(r.changesAfter(i))
	return r.view
}

// changesAfter returns how many changes there were after record i.
func (r *Run) changesAfter(i int) int {
	log := r.world.server.Store.Log
	return sort.Search(len(log), func(k int) bool { return log[k].Record > i })
}

func (r *Run) records() []sim.Record { return r.world.kernel.Trace.Records }
