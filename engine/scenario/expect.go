package scenario

import (
	"cmp"
	"fmt"
)

// Expect is something that a scenario says its run must show. It has one of three forms, see Run.Check.
type Expect struct {
	Of string // the workload, deployment/web; the first one if it is empty

	// Counts and the sizes of the ReplicaSets, at a moment.
	At     int64
	Counts []Count
	Sizes  []int // spec.replicas of each ReplicaSet, oldest first; nil: anything

	// Bounds of counts, from one moment to another one.
	From, To int64 // To is -1 for the end of the run
	Max, Min []Count

	// Texts in the output of a command given at the moment At. With an empty Run these are the scenario's own commands of
	// that moment.
	Run      string
	Contains []string
	Equals   []string // one of them is the whole output
}

// Count is a number of a Frame by its name.
type Count struct {
	Name string
	N    int
}

// countNames are the numbers of a Frame that a scenario can name, in the order of their checks.
var countNames = [...]string{"desired", "total", "ready", "available", "updated", "terminating"}

// expects reads a list of what the run must show.
func (r *specReader) expects(to *[]Expect) func(string, any) {
	return r.list(func(path string, v any) {
		var e Expect
		if r.expectation(&e, path, v) {
			*to = append(*to, e)
		}
	})
}

// expectation reads one expectation, and reports whether it is an object.
func (r *specReader) expectation(e *Expect, path string, v any) bool {
	known := r.expectFields(e)
	known["at"] = r.duration(&e.At)
	problems := len(r.diagnostics)
	m := r.object(path, v, known)
	if m != nil && len(r.diagnostics) == problems {
		r.expectForm(path, m, "at")
	}
	return m != nil
}

// expectFields reads the fields of an expectation, but for its moment.
func (r *specReader) expectFields(e *Expect) fields {
	*e = Expect{To: -1}
	known := r.counts(&e.Counts)
	known["of"], known["sizes"] = r.text(&e.Of), r.sizes(&e.Sizes)
	known["from"], known["to"] = r.duration(&e.From), r.duration(&e.To)
	known["max"], known["min"] = r.bounds(&e.Max), r.bounds(&e.Min)
	known["run"], known["contains"], known["equals"] = r.text(&e.Run), r.contained(&e.Contains), r.contained(&e.Equals)
	return known
}

// expectForm complains about fields that do not belong together, and about those that are missing. The moment of an expectation is
// `at`. That of a goal is `by`; a goal may have `from`, and counts beside a text: then both must hold. With
// `equals` but without `by`, it holds throughout.
func (r *specReader) expectForm(path string, m map[string]any, moment string) {
	set := func(names ...string) string { // the first of them that the object has
		for _, name := range names {
			if m[name] != nil {
				return name
			}
		}
		return ""
	}
	begin := "from"
	if moment == "by" {
		begin = "to"
	}
	text, span, number := set("contains", "equals", "run"), set("max", "min"), cmp.Or(set("sizes"), set(countNames[:]...))
	forbid := func(name, beside string) {
		if name != "" {
			r.forbidden(path+"."+name, beside)
		}
	}
	switch {
	case text == "equals" && moment == "by" && m["by"] == nil:
		forbid(set("max", "min"), text)
		forbid(number, text)
		r.requiredOf(path, m, "run")
	case text != "":
		forbid(set(begin, "to", "max", "min"), text)
		if moment == "at" {
			forbid(set("of"), text)
			forbid(number, text)
		}
		if r.requiredOf(path, m, moment); m["equals"] == nil {
			r.requiredOf(path, m, "contains")
		}
	case span != "":
		forbid(set(moment), span)
		forbid(number, span)
	case number != "":
		forbid(set(begin, "to"), number)
		r.requiredOf(path, m, moment)
	default:
		r.complain(path, "Required value: a count, `sizes`, `max`, `min`, `equals` or `contains` must be set")
	}
}

// requiredOf complains about fields that an object lacks.
func (r *specReader) requiredOf(path string, m map[string]any, names ...string) {
	for _, name := range names {
		if m[name] == nil {
			r.required(path + "." + name)
		}
	}
}

// counts returns readers for the numbers of a Frame.
func (r *specReader) counts(to *[]Count) fields {
	known := fields{}
	for _, name := range countNames {
		known[name] = r.number(0, 1<<20, func(n int64) { *to = append(*to, Count{Name: name, N: int(n)}) })
	}
	return known
}

func (r *specReader) bounds(to *[]Count) func(string, any) {
	return func(path string, v any) {
		if r.object(path, v, r.counts(to)) != nil && len(*to) == 0 {
			r.complain(path, fmt.Sprintf("Required value: at least one of %v must be set", countNames))
		}
	}
}

// sizes reads the sizes of the ReplicaSets; an empty list means that there is no ReplicaSet.
func (r *specReader) sizes(to *[]int) func(string, any) {
	one := r.number(0, 1<<20, func(n int64) { *to = append(*to, int(n)) })
	return func(path string, v any) {
		*to = []int{}
		r.list(one)(path, v)
	}
}

// contained reads a text, or several.
//
//go:noinline
func (r *specReader) contained(to *[]string) func(string, any) {
	one := func(path string, v any) {
		var s string
		if r.text(&s)(path, v); s == "" {
			r.required(path)
		}
		*to = append(*to, s)
	}
	return func(path string, v any) {
		if _, ok := v.([]any); ok {
			r.list(one)(path, v)
			return
		}
		one(path, v)
	}
}
