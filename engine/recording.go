package engine

import (
	"math"

	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Command is one action of the user at a moment of virtual time.
type Command = scenario.Command

// Diagnostic says what is wrong with a scenario's text, and where.
type Diagnostic = scenario.Diagnostic

// Recording is the whole input of a run, and what a link holds: the scenario's text, which carries the seed, and the
// user's commands. Equal recordings give equal traces, byte for byte, natively and in WASM.
type Recording struct {
	Scenario string    `json:"scenario"`
	Commands []Command `json:"commands,omitempty"`
}

// PartsFrom returns the moment from which the runs of two recordings may differ: that of the first command that they do not share. It is
// -1 if the texts differ, and math.MaxInt64 if the recordings are equal.
func (r Recording) PartsFrom(other Recording) int64 {
	if r.Scenario != other.Scenario {
		return -1
	}
	a, b := r.Commands, other.Commands
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	at := int64(math.MaxInt64)
	if len(a) > 0 {
		at = a[0].At
	}
	if len(b) > 0 {
		at = min(at, b[0].At)
	}
	return at
}

// Frame is the counts of one workload after one record: what the charts draw.
type Frame = frames.Frame

// RSFrame is the part of a Frame that belongs to one ReplicaSet.
type RSFrame = frames.RSFrame
