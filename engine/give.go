package engine

import (
	"slices"

	"github.com/rollplay/rollplay/engine/sim"
)

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
