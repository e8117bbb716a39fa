package engine

import (
	"slices"

	"github.com/rollplay/rollplay/engine/scenario"
)

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
