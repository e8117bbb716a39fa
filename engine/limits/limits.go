// Package limits is the one table of sizes: how much rollplay reads, simulates, keeps and prints. A run that a
// stranger hands over must not take the memory or the time of a page, so whatever is larger is refused at its line or at its
// moment, ends the run, or is cut, and a sentence says so.
//
// The values follow from two measured figures: a pod that is created makes 10 to 14 records, and a record takes about 640 bytes.
// A browser tab should stay below 512 MB, and Go's collector needs about twice what is in use. So about 225 MiB of records fit:
// 350,000, or 20,000 pods that are created, or 10,000 that are created and updated.
package limits

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/breath"
)

// Limits of reading.
const (
	Text      = 1 << 20 // bytes of a text; Kubernetes' own limit for an object is 1.5 MiB
	Expanded  = 4 << 20 // bytes of a document with its aliases written out
	Depth     = 100     // levels of nesting in a document
	Documents = 500     // documents of a text
	Objects   = 2000    // objects of a text, those in Lists included
	Problems  = 100     // of a text, after which reading stops, as the API server's decoder does
	Commands  = 5000    // of a run: the timeline's and the person's
	Goals     = 20      // of an exercise; choices of a question
	Entries   = 5000    // of any other list of a Scenario: load, captions, images, expectations
)

// Limits of the simulation.
const (
	Nodes     = 5000    // as many as Kubernetes supports
	Pods      = 20_000  // that the workloads of a cluster want together
	Ordinals  = 2500    // pods of one StatefulSet: its controller looks at every pod whenever one changes
	Workloads = 2000    // Deployments, ReplicaSets, StatefulSets and DaemonSets that a person made
	Budgets   = 500     // PodDisruptionBudgets: each counts the pods that it selects
	Object    = 3 << 19 // bytes of an object as JSON: etcd's limit, in its words
	Copies    = 1 << 18 // bytes that the copies of a JSON patch add to an object: a list that is copied into itself doubles
	Quotas    = 100     // ResourceQuotas: each is written for every pod of its namespace
	Services  = 200     // Services: each pod that changes is compared with their selectors
	Scalers   = 250     // HorizontalPodAutoscalers: all are due at the same moment
	Stored    = 500     // objects of each kind that is only stored
	Parts     = 500     // containers of a pod; variables, ports and mounts of a container; terms of a selector
)

// Limits of memory and output.
const (
	Records = 1_000_000 // of a run
	Memory  = 225 << 20 // bytes of a run, as estimated while it is computed
	Output  = 1 << 20   // bytes that one reading command prints
	Message = 2000      // characters of one error or warning
	Columns = 100       // of a table that a command prints
	Pipes   = 20        // behind a command
	Steps   = 200       // of a JSONPath template
	Work    = 250_000   // values that one command looks at, and bytes that it makes of them
)

// Outcome is the effect of a limit.
type Outcome string

// The outcomes.
const (
	AtLine   Outcome = "line"   // the text is refused, with an error at the line
	AtMoment Outcome = "moment" // the command is refused when it runs; the run continues
	EndsRun  Outcome = "run"    // the run ends; the computed part stays
	IsCut    Outcome = "cut"    // the rest is left out, and the last line says how much
)

// Limit is a row of the table of sizes.
type Limit struct {
	Name string // the key of its description: text, pods, …
	Max  int
	Unit string    // bytes, or "" if the name says what is counted
	Then []Outcome // beyond it
}

// Table lists the limits that a user may notice, in the order of a text's life.
func Table() []Limit {
	return []Limit{
		{"text", Text, "bytes", []Outcome{AtLine}},
		{"documents", Documents, "", []Outcome{AtLine}},
		{"objects", Objects, "", []Outcome{AtLine}},
		{"commands", Commands, "", []Outcome{AtLine}},
		{"goals", Goals, "", []Outcome{AtLine}},
		{"entries", Entries, "", []Outcome{AtLine}},
		{"nodes", Nodes, "", []Outcome{AtLine, AtMoment}},
		{"pods", Pods, "", []Outcome{AtLine, AtMoment}},
		{"ordinals", Ordinals, "", []Outcome{AtLine, AtMoment}},
		{"workloads", Workloads, "", []Outcome{AtLine, AtMoment}},
		{"budgets", Budgets, "", []Outcome{AtLine, AtMoment}},
		{"object", Object, "bytes", []Outcome{AtMoment}},
		{"copies", Copies, "bytes", []Outcome{AtMoment}},
		{"quotas", Quotas, "", []Outcome{AtLine, AtMoment}},
		{"services", Services, "", []Outcome{AtLine, AtMoment}},
		{"scalers", Scalers, "", []Outcome{AtLine, AtMoment}},
		{"stored", Stored, "", []Outcome{AtLine, AtMoment}},
		{"parts", Parts, "", []Outcome{AtLine, AtMoment}},
		{"columns", Columns, "", []Outcome{AtMoment}},
		{"steps", Steps, "", []Outcome{AtMoment}},
		{"work", Work, "", []Outcome{AtMoment}},
		{"records", Records, "", []Outcome{EndsRun}},
		{"memory", Memory, "bytes", []Outcome{EndsRun}},
		{"output", Output, "bytes", []Outcome{IsCut}},
		{"message", Message, "characters", []Outcome{IsCut}},
	}
}

// Short cuts an error or a warning at a sensible length: it may quote a text that somebody else wrote.
func Short(message string) string {
	if len(message) <= Message {
		return message
	}
	end := Message
	for end > 0 && !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + "… (" + strconv.Itoa(len(message)-end) + " more bytes)"
}

// Meter counts the work of one command whose size depends on typed input: paths, columns, fields to sort by. A loop over such
// input counts its steps and results, and ends with the error.
type Meter struct{ done int }

// unitsOfBreath is how much work is done between two breaths: a fraction of a millisecond.
const unitsOfBreath = 512

// Count adds n units of work and takes breaths. It fails once the command has done more than Work.
func (m *Meter) Count(n int) error {
	if m.done/unitsOfBreath != (m.done+n)/unitsOfBreath {
		breath.Take()
	}
	if m.done += n; m.done > Work {
		return tooMuch
	}
	return nil
}

// Exceeded is the sentence about a limit that something exceeds. Callers pass it on alone: around it kubectl would repeat the long text.
type Exceeded string

func (e Exceeded) Error() string { return string(e) }

var tooMuch = Exceeded(fmt.Sprintf("rollplay looks at no more than %d values for one command; select fewer objects or fields", Work))

// AtMost returns an error if there are more than a number of things, which the error names in the plural.
func AtMost(most, n int, what string) error {
	if n <= most {
		return nil
	}
	return Exceeded(fmt.Sprintf("rollplay reads at most %d %s, not %d", most, what, n))
}

// IsExceeded reports whether an error is about a limit.
func IsExceeded(err error) bool {
	_, is := err.(Exceeded)
	return is
}
