package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// Check compares a finished run with its scenario's expectations and returns the differences, each with its place in the
// text:
//
//   - {at: 12s, of: deployment/web, total: 13, available: 8, sizes: [8, 5]} holds after everything at that moment;
//   - {from: 10s, to: 30s, max: {total: 13}, min: {available: 8}} holds after every record of the span,
//     and in the state in which the span begins;
//   - {at: 12s, run: kubectl get rs, contains: "web-5d … 8 8 8"} is part of the output of a reading command, given at that
//     moment; a watch prints up to the end of the run. Without run, it is part of the answers to the scenario's own
//     commands of that moment. Consecutive blanks count as one;
//   - {at: 12s, run: kubectl get nodes -o name, equals: node/node-1} is the whole output; of several texts, one is.
func (r *Run) Check() []Diagnostic {
	var wrong []Diagnostic
	for i := range r.scenario.Expects {
		e := &r.scenario.Expects[i]
		for _, m := range r.checkOne(e) {
			wrong = append(wrong, r.source.SpecDiagnostic(fmt.Sprintf("spec.expect[%d]", i), m.says))
		}
	}
	return wrong
}

// mismatch is a difference between a run and an expectation.
type mismatch struct {
	says    string
	what    string // the count, or what was looked for
	got     int
	printed string
}

// differs returns a mismatch without a count or a text.
func differs(format string, args ...any) []mismatch {
	return []mismatch{{says: fmt.Sprintf(format, args...)}}
}

// counted returns a mismatch of a count at a moment.
func counted(format string, at int64, c scenario.Count, got int) mismatch {
	return mismatch{what: c.Name, got: got, says: fmt.Sprintf(format, moment(at), c.Name, got, c.N)}
}

// output returns a mismatch of what was printed.
func output(format string, e *scenario.Expect, what, printed string) mismatch {
	run := cmp.Or(e.Run, "the scenario's own commands")
	return mismatch{what: what, printed: printed, says: fmt.Sprintf(format, moment(e.At), run, what, printed)}
}

// checkOne returns how the run differs from one expectation.
func (r *Run) checkOne(e *scenario.Expect) []mismatch {
	if last := max(e.At, e.From, e.To); last > r.Now() {
		return differs("the run ends at %s, before %s", moment(r.Now()), moment(last))
	}
	if len(e.Contains)+len(e.Equals) > 0 {
		wrong := r.checkText(e)
		if len(e.Counts) == 0 || len(wrong) > 0 {
			return wrong
		}
	}
	frames, name := r.FramesOf(e.Of)
	switch {
	case name == "":
		return differs("there is no workload %q; there are %s", e.Of, strings.Join(r.Workloads(), ", "))
	case len(e.Max)+len(e.Min) > 0:
		return checkBounds(e, frames)
	default:
		return checkCounts(e, frames)
	}
}

// FramesOf returns the frames of a workload written deployment/web, or with a namespace deployment/shop/web; of the first
// workload if none is named. The returned name is empty if no workload matches.
func (r *Run) FramesOf(of string) (frames []Frame, name string) {
	for _, name := range r.Workloads() {
		breath.Often()
		kind, rest, _ := strings.Cut(name, "/")
		full := strings.ToLower(kind) + "/" + rest
		if of == "" || of == full || of == strings.Replace(full, "/default/", "/", 1) {
			return r.Frames(name), name
		}
	}
	return nil, ""
}

// countOf returns the count of a frame that has a name.
//
//go:noinline
func countOf(f *Frame, name string) int {
	switch name {
	case "desired":
		return f.Desired
	case "total":
		return f.Total
	case "ready":
		return f.Ready
	case "available":
		return f.Available
	case "updated":
		return f.Updated
	case "terminating":
		return f.Terminating
	}
	panic("engine: a frame has no count " + name)
}

// checkCounts compares the numbers of a moment.
func checkCounts(e *scenario.Expect, frames []Frame) (wrong []mismatch) {
	f := frameBefore(frames, e.At)
	for _, c := range e.Counts {
		if got := countOf(f, c.Name); got != c.N {
			wrong = append(wrong, counted("at %s %s is %d, not %d", e.At, c, got))
		}
	}
	if e.Sizes == nil {
		return wrong
	}
	sizes := []int{}
	for i := range f.ReplicaSets {
		sizes = append(sizes, f.ReplicaSets[i].Spec)
	}
	if !slices.Equal(sizes, e.Sizes) {
		wrong = append(wrong, differs("at %s the sizes are %v, not %v", moment(e.At), sizes, e.Sizes)...)
	}
	return wrong
}

// frameBefore returns the last frame at or before a moment, an empty one if the workload did not exist yet.
func frameBefore(frames []Frame, t int64) *Frame {
	later := sort.Search(len(frames), func(i int) bool { return frames[i].T > t })
	if later == 0 {
		return &Frame{}
	}
	return &frames[later-1]
}

// checkBounds checks every frame of a span and reports the first frame that breaks each bound.
func checkBounds(e *scenario.Expect, frames []Frame) (wrong []mismatch) {
	for _, c := range e.Max {
		wrong = append(wrong, broken(e, frames, c, 1, "at %s %s is %d, more than %d")...)
	}
	for _, c := range e.Min {
		wrong = append(wrong, broken(e, frames, c, -1, "at %s %s is %d, less than %d")...)
	}
	return wrong
}

// broken is the first frame of a span that is on the wrong side of a bound: 1 above it, -1 below it.
func broken(e *scenario.Expect, frames []Frame, c scenario.Count, side int, format string) []mismatch {
	for i := range frames {
		breath.Often()
		f := &frames[i]
		over := i+1 < len(frames) && frames[i+1].T < e.From // a later frame holds when the span begins
		if over || e.To >= 0 && f.T > e.To {
			continue
		}
		if got := countOf(f, c.Name); cmp.Compare(got, c.N) == side {
			return []mismatch{counted(format, f.T, c, got)}
		}
	}
	return nil
}

// checkText looks for texts in the output of a command.
func (r *Run) checkText(e *scenario.Expect) (wrong []mismatch) {
	printed := ""
	if e.Run == "" {
		printed = r.answersAt(e.At)
	} else {
		reading, ok := r.past.Read(past.Parse(e.Run), r.past.Find(e.At), e.At)
		if !ok {
			return differs("%q does not only read; put it into the timeline of the scenario", e.Run)
		}
		printed = reading.Text()
	}
	joined := singleBlanks(printed)
	for _, text := range e.Contains {
		if !strings.Contains(joined, singleBlanks(text)) {
			wrong = append(wrong, output("at %s %s: the output does not contain %q:\n%s", e, text, printed))
		}
	}
	same := func(text string) bool { return singleBlanks(text) == joined }
	if len(e.Equals) > 0 && !slices.ContainsFunc(e.Equals, same) {
		wrong = append(wrong, output("at %s %s: the output is not %q:\n%s", e, strings.Join(e.Equals, `" or "`), printed))
	}
	return wrong
}

// answersAt returns the answers to the commands of a moment.
func (r *Run) answersAt(t int64) string {
	var answers []string
	records := r.records()
	for i := range records {
		if records[i].At == t && records[i].Kind == Input {
			answers = append(answers, records[i].What)
		}
	}
	return strings.Join(answers, "\n")
}

// singleBlanks joins consecutive blanks, so that an expectation need not reproduce the width of columns.
func singleBlanks(text string) string {
	return words.Join(strings.Split(strings.TrimSpace(text), "\n"), "\n", func(line string) string { return strings.Join(strings.Fields(line), " ") })
}

// moment writes virtual ms the way a scenario does: 12s, 1500ms.
func moment(ms int64) string {
	if ms%1000 == 0 {
		return fmt.Sprintf("%ds", ms/1000)
	}
	return fmt.Sprintf("%dms", ms)
}

// Answer returns the answer to a question: a number, with its parts if several revisions add to it; for choices, the index of the
// right choice, -1 if no choice is right. The run must be computed beyond the question's moment.
func (r *Run) Answer(a *scenario.Ask) (n int, parts []int) {
	if len(a.Choices) > 0 {
		return slices.IndexFunc(a.Choices, func(c scenario.Choice) bool { return len(r.checkOne(&c.Is)) == 0 }), nil
	}
	frames, _ := r.FramesOf(a.Of)
	f := frameBefore(frames, a.At)
	for i := range frames {
		g := &frames[i]
		over := i+1 < len(frames) && frames[i+1].T <= a.From
		if a.Extreme == scenario.Exact || over || g.T > a.At {
			continue
		}
		d := countOf(g, a.Field) - countOf(f, a.Field)
		if d < 0 && a.Extreme == scenario.Lowest || d > 0 && a.Extreme == scenario.Highest {
			f = g
		}
	}
	return countOf(f, a.Field), partsOf(f, a.Field)
}

// partsOf splits a count among the revisions, oldest first: 13 = 8 + 5. It returns nil if the count has no parts.
func partsOf(f *Frame, field string) (parts []int) {
	sum := countOf(f, field)
	for _, set := range f.ReplicaSets {
		n := set.Replicas
		if field == "available" {
			n = set.Available
		}
		if sum -= n; n > 0 {
			parts = append(parts, n)
		}
	}
	if len(parts) < 2 || sum != 0 {
		return nil
	}
	return parts
}
