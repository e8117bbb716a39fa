package sim

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// RecordKind is the type of a Record.
type RecordKind uint8

// The kinds of records.
const (
	Write     RecordKind = iota // an object changed
	Decision                    // an actor computed something, or failed
	Notice                      // an actor sent a Kubernetes event
	Input                       // a person gave a command
	Reconcile                   // a controller took a key; its records follow
	Output                      // a command that still runs printed more
)

func (k RecordKind) String() string {
	return [...]string{"write", "decision", "event", "input", "reconcile", "output"}[k]
}

// Record is one entry of the trace.
type Record struct {
	Kind   RecordKind
	Failed bool // of an Input: it was rejected; of a Reconcile: it ended with an error; of an Output: the command failed
	At     Time
	Actor  string
	Object api.Key
	What   string   // a short sentence; of a Notice its message, of an Input the answer, of a Reconcile its branch
	Why    *Explain // the sum behind it, if there is one
	Change int      // of a Write: its index in the store's log
	Cause  int32    // the record that led to it: a command, a reconcile, a change that an actor received; -1 if unknown

	Type, Reason string // of a Notice
	UID, Field   string // of a Notice: of its object, and which of its fields the event is about: spec.containers{web}
	Command      string // of an Input
	Sync         *Sync  // of a Reconcile, else nil
}

// Trace is the ordered list of records. They are allocated in blocks, so that a growing list never copies them: that would
// stop a page for a moment.
type Trace struct {
	Records []*Record

	block []Record // the rest of the last block
}

// A block has a quarter of the records so far, between these bounds: more of it would stay empty at the end of a short run.
const (
	blockMin = 128
	blockMax = 1024
)

// Add appends a record at the current time.
func (k *Kernel) Add(r Record) {
	t := &k.Trace
	r.At, r.Cause = k.now, k.cause
	if len(t.block) == 0 {
		t.block = make([]Record, min(max(blockMin, len(t.Records)/4), blockMax))
	}
	t.block[0] = r
	t.Records = append(t.Records, &t.block[0])
	t.block = t.block[1:]
	if k.Check != nil {
		k.Check()
	}
}

// Decide appends a decision without a write.
func (k *Kernel) Decide(actor string, object api.Key, what string, why *Explain) {
	k.Add(Record{Kind: Decision, Actor: actor, Object: object, What: what, Why: why})
}

// Explain is the reason for a decision.
type Explain = why.Explain

// Sync is the part of a Record that only a Reconcile has: its causes and its writes.
type Sync struct {
	Wakes  [wakesKept]Wake // the first of them, see Causes
	Woken  int             // how often the key was queued since it was last taken; may exceed wakesKept
	Last   int             // index of the last record that belongs to the reconcile; its own if it made no other
	Writes int             // how many of them are writes
}

// wakesKept is how many causes of a reconcile are kept: a list of ten pods that became ready in the same ms would help no reader.
const wakesKept = 3

// Wake is why a key was queued.
type Wake struct {
	Kind   WakeKind
	Record int32 // the write that the controller received, or the reconcile that requested a later one or pauses; -1 without either
}

// WakeKind is how a key came into the queue.
type WakeKind uint8

// The kinds of Wake.
const (
	WakeChange WakeKind = iota // an informer delivered a change (H-1)
	WakeDelay                  // a delay is over (H-4)
	WakeRetry                  // the delay after a failure is over (H-5)
	WakeToken                  // the client has a token for the rest of a sync (H-12)
)

func (s *Sync) woken(w Wake) {
	if s.Woken < wakesKept {
		s.Wakes[s.Woken] = w
	}
	s.Woken++
}

// Causes returns the first wakes, at most wakesKept.
func (s *Sync) Causes() []Wake { return s.Wakes[:min(s.Woken, wakesKept)] }
