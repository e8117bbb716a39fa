package sim

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// RecordKind says what a Record is.
type RecordKind uint8

// The kinds of records.
const (
	Write     RecordKind = iota // an object changed
	Decision                    // something was worked out, or failed
	Notice                      // a Kubernetes event was sent
	Input                       // a command was given
	Reconcile                   // a controller was given a key; what it did follows
	Output                      // a command that goes on printed more
)

func (k RecordKind) String() string {
	return [...]string{"write", "decision", "event", "input", "reconcile", "output"}[k]
}

// Record is one entry of the trace.
type Record struct {
	Kind   RecordKind
	Failed bool // of an Input: it was refused; of a Reconcile: it ended in an error; of an Output: the command has failed
	At     Time
	Actor  string
	Object api.Key
	What   string   // one short sentence; of a Notice its message, of an Input the answer, of a Reconcile the way it took
	Why    *Explain // the sum behind it, if there is one
	Change int      // of a Write: its index in the store's log
	Cause  int32    // the record that led to it: a command, a reconcile, a change that was heard of; -1 if none is known

	Type, Reason string // of a Notice
	Command      string // of an Input
	Sync         *Sync  // of a Reconcile, else nil
}

// Trace is the ordered list of what has happened.
type Trace struct {
	Records []Record
}

// Add appends a record at the present moment.
func (k *Kernel) Add(r Record) {
	t := &k.Trace
	r.At, r.Cause = k.now, k.cause
	if t.Records == nil {
		t.Records = make([]Record, 0, 1024) // a rollout of ten pods
	}
	t.Records = append(t.Records, r)
}

// Decide appends a decision without a write.
func (k *Kernel) Decide(actor string, object api.Key, what string, why *Explain) {
	k.Add(Record{Kind: Decision, Actor: actor, Object: object, What: what, Why: why})
}

// Explain is the reason for a decision.
type Explain = why.Explain
