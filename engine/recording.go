package engine

import (
	"math"

	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
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

// RecordKind says what a Record is.
type RecordKind = sim.RecordKind

// The kinds of records.
const (
	Write     = sim.Write     // an object changed
	Decision  = sim.Decision  // a controller decided something; its write, if any, is a separate record
	Event     = sim.Notice    // a Kubernetes event
	Input     = sim.Input     // a command of the timeline or of the user, with its answer
	Reconcile = sim.Reconcile // a controller took a key; what it did follows (see past.Past.Sync)
	Output    = sim.Output    // later output of a command that continues (see past.Past.Transcript)
)

// Record is one entry of the trace.
type Record struct {
	Kind   RecordKind
	T      int64  // virtual ms
	Actor  string // deployment-controller, replicaset-controller, default-scheduler, kubelet, kubectl, ...
	Object string // Deployment/default/web; empty for an Input
	What   string // one short sentence; for an Event its message, for an Input the answer of kubectl, for a Reconcile the branch it took, for an Output its lines
	Why    *Why   // nil for events, inputs and writes by kubectl

	Type, Reason, Message string // of an Event

	Command string // of an Input: the kubectl line, or # and the line for the environment
	Failed  bool   // of an Input or an Output: kubectl exits with 1; of a Reconcile: it returned an error
}

// Why is the sum behind a write or a decision.
type Why struct {
	Rule     string `json:"rule"`           // D-52
	Formula  string `json:"formula"`        // 3 = min(13 maxTotal - 10 total, 10 replicas - 0 size); empty if there is no sum
	Value    int64  `json:"value"`          // the result of the formula
	Upstream string `json:"upstream"`       // file:function of the pinned Kubernetes version
	Note     string `json:"note,omitempty"` // the same in words, or the only reason if there is no sum
}

// publicRecord turns a record of the kernel into a public record.
func publicRecord(r *sim.Record) Record {
	out := Record{Kind: r.Kind, T: r.At, Actor: r.Actor, What: r.What, Command: r.Command, Failed: r.Failed}
	if r.Kind != sim.Input {
		out.Object = r.Object.String()
	}
	if r.Kind == sim.Notice {
		out.Type, out.Reason, out.Message = r.Type, r.Reason, r.What
	}
	if r.Why != nil {
		out.Why = &Why{Rule: r.Why.Rule, Formula: r.Why.String(), Value: r.Why.Value, Upstream: r.Why.Upstream, Note: r.Why.Note}
	}
	return out
}
