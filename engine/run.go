package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// endMargin is how long a run without a duration continues after its last record, in virtual ms.
const endMargin = 1000

// Run is the result of a Recording. Advance computes it in slices, ahead of the screen; the computed part can be read at once
// and never changes.
type Run struct {
	watches map[*scenario.Goal]*watch // see always

	recording Recording
	source    *scenario.Source
	scenario  *scenario.Scenario
	world     *world
	past      *past.Past
	done      bool
	ended     Ending // why it ended early, "" if it did not
	broken    string // the panic, for Broke
}

// Start prepares a run. The run is nil if a diagnostic is an error; warnings come with a run. A command that kubectl or the
// API server rejects is not a diagnostic: the rejection is a record of the trace.
func Start(rec Recording) (*Run, []Diagnostic) { return StartIn(new(scenario.Library), rec) }

// StartIn is Start with the texts that a library has read already. Runs that follow from each other share most of theirs.
func StartIn(library *scenario.Library, rec Recording) (run *Run, diagnostics []Diagnostic) {
	defer func() {
		if p := recover(); p != nil {
			run, diagnostics = nil, []Diagnostic{refused("rollplay has a bug and cannot start this scenario: " + panicText(p))}
		}
	}()
	source := library.Read(rec.Scenario)
	scenario, diagnostics := source.Scenario()
	if scenario == nil {
		return nil, diagnostics
	}
	if wrong := checkCommands(len(scenario.Timeline), rec.Commands); wrong != "" {
		return nil, append(slices.Clip(diagnostics), refused(wrong))
	}
	w := newWorld(scenario, rec.Commands, library)
	r := &Run{recording: rec, source: source, scenario: scenario, world: w}
	w.kernel.Check = r.checkSize
	r.past = past.New(past.Source{Scenario: scenario, Kernel: w.kernel, Store: w.server.Store, Counts: w.counts,
		Answers: w.answers, Output: w.kubectl.Output, Now: r.Now})
	return r, diagnostics
}

// checkCommands returns the first mistake in the commands of a recording, which may come from a damaged link, "" without one.
func checkCommands(timeline int, commands []Command) string {
	if n := timeline + len(commands); n > limits.Commands {
		return fmt.Sprintf("the run has %d commands; rollplay carries out at most %d", n, limits.Commands)
	}
	for i := range commands {
		if at := commands[i].At; at < 0 {
			return fmt.Sprintf("command %d is at %d ms, before the run begins", i+1, at)
		}
	}
	return ""
}

// refused is a diagnostic about no line of the text.
func refused(message string) Diagnostic {
	return Diagnostic{Document: 1, Line: 1, Column: 1, EndColumn: 2, Message: message}
}

// Advance computes at most n further events and says whether the run is done.
func (r *Run) Advance(n int) (done bool) { return r.AdvancePast(math.MaxInt64, n) }

// AdvancePast does the same, but stops as soon as the run is computed beyond a virtual ms.
func (r *Run) AdvancePast(t int64, n int) (done bool) {
	return r.AdvanceWhile(t, func() bool { n--; return n >= 0 })
}

// AdvanceWhile computes events until the run is computed beyond a virtual ms, or until more returns false. It calls more before
// each event, so a caller that looks at its clock bounds the time of a slice, up to one event.
func (r *Run) AdvanceWhile(t int64, more func() bool) (done bool) {
	defer r.catch()
	for !r.done && r.world.kernel.Now() <= t && more() {
		r.step()
	}
	return r.done
}

// step computes one event, or ends the run.
func (r *Run) step() {
	at, ok := r.world.kernel.Next()
	switch {
	case !ok || at > r.horizon():
		r.done = true
	case r.mustEnd():
		r.endEarly()
	default:
		r.world.kernel.Step()
	}
}

// Finish computes the rest of the run and returns it. It panics if rollplay has a bug there, so that tests and the command stay
// loud; callers that display a run use AdvanceWhile and check Broken.
func (r *Run) Finish() *Run {
	for !r.Advance(1 << 16) {
	}
	if broken := r.Broken(); broken != "" {
		panic("engine: " + broken)
	}
	return r
}

// Done says whether the run is over: nothing more can happen, its horizon is reached, or it ended early (see Ended).
func (r *Run) Done() bool { return r.done }

// Scenario returns what was parsed from the recording's text.
func (r *Run) Scenario() *scenario.Scenario { return r.scenario }

// Recording returns the input of the run.
func (r *Run) Recording() Recording { return r.recording }

// horizon is the latest virtual ms that the run can reach.
func (r *Run) horizon() int64 {
	if r.scenario.Duration > 0 {
		return r.scenario.Duration
	}
	return scenario.DurationDefault
}

// Now returns the virtual ms up to which the run is computed. Once the run is done, that is its end: the scenario's
// duration, or else 1 to 2 s after the last change, in whole seconds: 13 s for a last change at 11.309 s.
func (r *Run) Now() int64 {
	if !r.done || r.ended != "" {
		return r.world.kernel.Now()
	}
	if r.scenario.Duration > 0 {
		return r.scenario.Duration
	}
	return min((r.lastMove()+2*endMargin-1)/1000*1000, scenario.DurationDefault)
}

// lastMove returns the time of the last record that is not of an idle reconcile: the check of the deadline, ten minutes after a
// rollout, must not make the run ten minutes longer, nor an autoscaler that tells every 15 s that it finds no metrics.
func (r *Run) lastMove() int64 {
	records := r.records()
	for i := len(records) - 1; i >= 0; i-- {
		of := i
		if records[i].Kind == sim.Notice && records[i].Cause >= 0 {
			of = int(records[i].Cause)
		}
		s := records[of].Sync
		if idle := s != nil && (s.Last == of || s.Writes == 0 && s.Wakes[0].Kind == sim.WakeDelay); !idle {
			return records[i].At
		}
	}
	return 0
}

// Len is the number of records so far.
func (r *Run) Len() int { return len(r.records()) }

// Record returns the i-th record, 0 <= i < Len.
func (r *Run) Record(i int) Record { return publicRecord(r.records()[i]) }

// Past returns views of the computed part: the cluster at a moment, tables, lives of pods, answers of kubectl.
func (r *Run) Past() *past.Past { return r.past }

// ActAt returns the time at which a command given at t takes effect without changing anything up to t. A command precedes
// everything else in its millisecond, so that is t + 1 if there are records at t, and t otherwise.
func (r *Run) ActAt(t int64) int64 {
	if i := r.past.Find(t); i >= 0 && r.records()[i].At == t {
		return t + 1
	}
	return t
}

// Reaches says whether the run can get as far as t: its scenario may end before.
func (r *Run) Reaches(t int64) bool { return t <= r.horizon() }

// Workloads returns the names of all workloads that ever existed, in order of appearance: "Deployment/default/web".
func (r *Run) Workloads() []string { return r.past.Workloads() }

// Frames returns the frames of a workload so far, in order; consecutive frames differ. The slice only grows.
func (r *Run) Frames(workload string) []Frame { return r.past.Frames(workload) }

func (r *Run) records() []*sim.Record { return r.past.Records() }

// Next returns when the next event of a run is due; ok is false if nothing is left to happen.
func (r *Run) Next() (at int64, ok bool) { return r.world.kernel.Next() }

// Give adds commands at the earliest moment that changes nothing computed so far, and returns whether it could: something else may be
// due then, and a command precedes everything else in its millisecond. The recording gets the commands, and starting it gives the same
// run, so that a search can decide step by step.
func (r *Run) Give(commands ...Command) bool {
	now := r.ActAt(r.world.kernel.Now())
	if next, ok := r.Next(); r.done || ok && next <= now || !r.Reaches(now) {
		return false
	}
	for _, c := range commands {
		c.At = now
		r.recording.Commands = append(slices.Clip(r.recording.Commands), c)
		r.world.commands = append(r.world.commands, c)
		r.world.kernel.Schedule(sim.Event{At: now, To: r.world, Op: opCommand, Arg: int64(len(r.world.commands) - 1)})
	}
	return true
}
