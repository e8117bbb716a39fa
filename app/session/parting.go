package session

import (
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// Parting is where two runs part: the first record that differs, and the first decision of a controller that does.
type Parting struct {
	T           int64 // of the first of the two records; -1: they are the same
	Here, There int   // the records; -1 if that run ends before
	Decision    Pair
}

// Pair is a record of the shown run and one of the compared run, -1 for none.
type Pair struct{ Here, There int }

// Parting compares the shown run with the one beside it, as far as both are computed.
func (b *Branches) Parting() Parting {
	c := &b.compared
	if b.computed.shown == nil || c.run == nil {
		return Parting{T: -1}
	}
	if of := [3]int{b.computed.Number, b.computed.shown.Len(), c.run.Len()}; c.parted != of {
		c.parted, c.parting = of, partingOf(b.computed.shown, c.run)
	}
	return c.parting
}

// partingOf finds where two runs part. A command comes first in its millisecond and changes nothing before it, so two runs of one
// text are the same up to the first command that they do not share.
func partingOf(a, b *engine.Run) Parting {
	i := 0
	if at := a.Recording().PartsFrom(b.Recording()); at >= 0 {
		i = min(a.Past().Find(at-1), b.Past().Find(at-1)) + 1
	}
	for i < a.Len() && i < b.Len() && sameRecord(a.Record(i), b.Record(i)) {
		i++
	}
	p := Parting{T: -1, Here: recordOrNone(a, i), There: recordOrNone(b, i), Decision: Pair{-1, -1}}
	switch {
	case p.Here < 0 && p.There < 0:
		return p
	case p.Here < 0:
		p.T = b.Past().At(i)
	case p.There < 0:
		p.T = a.Past().At(i)
	default:
		p.T = min(a.Past().At(i), b.Past().At(i))
	}
	p.Decision = decisionsFrom(a, b, i)
	return p
}

func recordOrNone(run *engine.Run, i int) int {
	if i >= run.Len() {
		return -1
	}
	return i
}

// decisionsFrom finds the first decision that reads differently, or that only one of the runs has, from record i on.
func decisionsFrom(a, b *engine.Run, i int) Pair {
	for p := (Pair{i - 1, i - 1}); ; {
		p.Here, p.There = nextDecision(a, p.Here+1), nextDecision(b, p.There+1)
		if p.Here < 0 || p.There < 0 || describe(lang.English, a, p.Here) != describe(lang.English, b, p.There) {
			return p
		}
	}
}

// nextDecision is the first record from i on in which a controller worked out what to do, -1 if there is none.
func nextDecision(run *engine.Run, i int) int {
	for ; i < run.Len(); i++ {
		if telling(run.Record(i)) {
			return i
		}
	}
	return -1
}

// sameRecord says that two records say the same.
func sameRecord(a, b engine.Record) bool {
	whyA, whyB := a.Why, b.Why
	a.Why, b.Why = nil, nil
	return a == b && (whyA == nil) == (whyB == nil) && (whyA == nil || *whyA == *whyB)
}

// DescribeCompared describes a record of the compared run.
func (b *Branches) DescribeCompared(i int) string { return describe(b.visit.Lang, b.compared.run, i) }
