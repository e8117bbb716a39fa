package sim

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// RecordKind is the type of a Record.
type RecordKind uint8

// The kinds of records.
const (
	Write     RecordKind = iota // an object changed
	Decision                    // an actor computed something, or failed
	Notice                      // an actor sent a Kubernetes event
	Input                       // a person gave a command
	Reconcile                   // a controller took a key; what it did follows
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
	Command      string // of an Input
	Sync         *Sync  // of a Reconcile, else nil
}

// Trace is the ordered list of records.
type Trace struct {
	Records []Record
}

// Add appends a record at the current time.
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

// Explain is the sum behind a decision: a formula over named terms, and its value.
type Explain struct {
	Rule     string // the ID of the rule, for example D-52
	Formula  string // an expression over the names of the terms, for example min(maxTotal - total, replicas - size)
	Terms    []Term
	Value    int64
	Upstream string // file:function of the pinned Kubernetes version
	Note     string // the same in words, or the only reason where there is nothing to add up
}

// Term is a number with its name.
type Term struct {
	Name  string
	Value int64
}

// String returns the sum with its numbers: 3 = min(13 maxTotal - 10 total, 10 replicas - 0 size). It is empty if there
// is no formula.
func (e *Explain) String() string {
	if e.Formula == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(strconv.FormatInt(e.Value, 10))
	b.WriteString(" = ")
	for rest := e.Formula; rest != ""; {
		word := leadingWord(rest)
		if word == "" {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		if v, ok := e.term(word); ok {
			b.WriteString(strconv.FormatInt(v, 10))
			b.WriteByte(' ')
		}
		b.WriteString(word)
		rest = rest[len(word):]
	}
	return b.String()
}

func (e *Explain) term(name string) (int64, bool) {
	for _, t := range e.Terms {
		if t.Name == name {
			return t.Value, true
		}
	}
	return 0, false
}

// leadingWord returns the letters, digits and dots that a formula begins with, "" if it begins with something else.
func leadingWord(s string) string {
	i := 0
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.')) {
		i++
	}
	return s[:i]
}
