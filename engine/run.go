package engine

import (
	"fmt"
	"math"

	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/words"
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
	source    *scenario.Source
	scenario  *scenario.Scenario
	world     *world
	past      *past.Past
	done      bool
	cut       bool // stopped because of recordsMax
}

// Start prepares a run. A diagnostic that is an error leaves the run nil; warnings come beside a run. A command of the
// recording that the cluster refuses is no diagnostic: the refusal is a record of the trace.
func Start(rec Recording) (*Run, []Diagnostic) { return StartIn(new(scenario.Library), rec) }

// StartIn is Start with the texts that a library has read already. Runs that follow from each other share most of theirs.
func StartIn(library *scenario.Library, rec Recording) (*Run, []Diagnostic) {
	source := library.Read(rec.Scenario)
	scenario, diagnostics := source.Scenario()
	if scenario == nil {
		return nil, diagnostics
	}
	w := newWorld(scenario, rec.Commands, library)
	r := &Run{recording: rec, source: source, scenario: scenario, world: w}
	r.past = past.New(past.Source{Scenario: scenario, Kernel: w.kernel, Store: w.server.Store, Counts: w.counts,
		Answers: w.answers, Output: w.kubectl.Output, Now: r.Now})
	return r, diagnostics
}

// Advance computes at most n further events and says whether the run is done.
func (r *Run) Advance(n int) (done bool) { return r.AdvancePast(math.MaxInt64, n) }

// AdvancePast does the same, but stops as soon as the run is computed beyond a virtual ms.
func (r *Run) AdvancePast(t int64, n int) (done bool) {
	for ; n > 0 && !r.done && r.world.kernel.Now() <= t; n-- {
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
		words.Seconds(r.Now())+" s", r.Len())
}

// Scenario returns what was parsed from the recording's text.
func (r *Run) Scenario() *scenario.Scenario { return r.scenario }

// Recording returns the input.
func (r *Run) Recording() Recording { return r.recording }

// Horizon is the latest virtual ms that the run can reach.
func (r *Run) Horizon() int64 {
	if r.scenario.Duration > 0 {
		return r.scenario.Duration
	}
	return scenario.DurationDefault
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
	return min((r.lastMove()+2*endMargin-1)/1000*1000, scenario.DurationDefault)
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

// Past returns what is computed so far, for those who look at it: as a state at a moment, as tables, as lives of pods.
func (r *Run) Past() *past.Past { return r.past }

// ActAt returns the time for a command that is given at a virtual ms, such that all that has happened by then stays as
// it is. A command comes before whatever else happens at its moment, so that is the next ms if there are records at t.
func (r *Run) ActAt(t int64) int64 {
	if i := r.past.Find(t); i >= 0 && r.records()[i].At == t {
		return t + 1
	}
	return t
}

// Workloads lists those that ever existed, in the order of their appearance: "Deployment/default/web".
func (r *Run) Workloads() []string { return r.past.Workloads() }

// Frames returns the frames of a workload so far, in order; consecutive ones differ. The slice only grows.
func (r *Run) Frames(workload string) []Frame { return r.past.Frames(workload) }

func (r *Run) records() []sim.Record { return r.past.Records() }
