package engine

import "github.com/rollplay/rollplay/engine/sim"

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
