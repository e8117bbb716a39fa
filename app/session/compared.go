package session

import (
	"math"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// compared is another branch, whose curves are behind those of the present one: the last one that a person left, or the one chosen for
// a comparison.
type compared struct {
	rec     engine.Recording
	run     *engine.Run
	figures bool // a person compares: the figures of both are shown, and links hold both
	scored  bool
	parting Memo[[3]int, Parting] // by the number of the run, and both numbers of records
}

// comparedMax bounds the records of a compared run: both runs are in memory.
const comparedMax = largeRecords

// Compared is the run that is shown beside the present one, or nil.
func (b *Branches) Compared() *engine.Run { return b.compared.run }

// Comparing says that the figures of both are shown.
func (b *Branches) Comparing() bool { return b.compared.run != nil && b.compared.figures }

// ComparedLate says that frames compute it.
func (b *Branches) ComparedLate() bool { return b.compared.run != nil && !b.compared.run.Done() }

func (b *Branches) setCompared(c compared) {
	b.Changes++
	if b.compared = c; c.run != nil && c.run.Len() > comparedMax {
		b.compared = compared{}
	}
}

// follow follows the step to another recording: the branch that was left is compared with its successor. The branch that a person
// chose stays, unless it is now the present recording itself.
func (b *Branches) follow(old *engine.Run, left bool, tree int) {
	switch {
	case b.present.Tree != tree:
		b.setCompared(compared{})
	case b.compared.run != nil && sameRecording(b.compared.rec, b.computed.rec):
		b.setCompared(comparedTo(old, b.compared.figures && left))
	case left && !b.compared.figures:
		b.setCompared(comparedTo(old, false))
	}
}

func comparedTo(run *engine.Run, open bool) compared {
	if run == nil {
		return compared{}
	}
	return compared{rec: run.Recording(), run: run, figures: open}
}

// Compare shows the figures of the branch with an ID beside those of the present one; 0, or the one that is there, ends that.
func (b *Branches) Compare(id int) {
	i := b.indexOf(id)
	if i < 0 || b.compared.figures && sameRecording(b.compared.rec, b.list[i].Rec) {
		b.compared.figures = false
		b.Changes++
		b.visit.Say(b.visit.Lang.Say("compare-off"))
		return
	}
	b.compareWith(b.list[i].Rec)
	if b.compared.figures {
		b.visit.Touched = true
		b.visit.Say(b.visit.Lang.Say("compare-on", b.title(&b.list[i])))
	}
}

// CompareLast compares with the run beside the present one, or with the branch of this tree that was left last.
func (b *Branches) CompareLast() {
	for i := range b.list {
		f := &b.list[i]
		if f.Tree == b.present.Tree && (b.compared.run == nil || sameRecording(b.compared.rec, f.Rec)) {
			b.Compare(f.ID)
			return
		}
	}
}

// compareWith puts a recording beside the present one. Frames compute its run.
func (b *Branches) compareWith(rec engine.Recording) {
	if b.compared.run != nil && sameRecording(b.compared.rec, rec) {
		b.compared.figures = true
		b.Changes++
		return
	}
	run, diags := engine.StartIn(b.computed.library, rec)
	if run == nil {
		b.visit.refuse(b.visit.Lang.Say("run-refused", firstError(b.visit.Lang, diags)))
		return
	}
	b.setCompared(compared{rec: rec, run: run, figures: true})
}

// compute advances it once the shown run is there, and says whether there is more to do.
func (b *Branches) compute(more func() bool, computing bool) bool {
	run := b.compared.run
	if run == nil || b.compared.scored {
		return false
	}
	if computing {
		return true
	}
	if run.AdvanceWhile(math.MaxInt64, more); !run.Done() && run.Len() > comparedMax {
		run.Stop()
	}
	if !run.Done() {
		return true
	}
	b.compared.scored = true
	b.Changes++
	if f := b.with(b.compared.rec); f != nil {
		f.Extent, f.Score = extentOf(run), b.reading.ScoreOf(run)
	}
	return false
}

// Comparison is what the figures of two branches are.
type Comparison struct {
	Name, Other string
	Here, There Score
	Parting     Parting
}

// Comparison compares the shown run with the one beside it; ok is false until both are computed.
func (b *Branches) Comparison() (c Comparison, ok bool) {
	if !b.Comparing() || b.computed.shown == nil || !b.computed.shown.Done() || !b.compared.scored {
		return c, false
	}
	c.Name, c.Other = b.title(b.asLeft()), b.visit.Lang.Say("branch-other")
	if f := b.with(b.compared.rec); f != nil {
		c.Other = b.title(f)
	}
	c.Here, c.There, c.Parting = b.reading.ScoreOf(b.computed.shown), b.reading.ScoreOf(b.compared.run), b.Parting()
	return c, true
}

// Parting is where two runs part.
type Parting struct {
	T           int64 // of the first record that differs; -1: they are the same
	Here, There int   // the first decision of a controller that reads differently, or that only one of the runs has; -1 for none
}

// Parting compares the shown run with the one beside it, as far as both are computed.
func (b *Branches) Parting() Parting {
	c := &b.compared
	if b.computed.shown == nil || c.run == nil {
		return Parting{T: -1}
	}
	of := [3]int{b.computed.Number, b.computed.shown.Len(), c.run.Len()}
	return Recall(&c.parting, of, func() Parting { return partingOf(b.computed.shown, c.run) })
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
	p := Parting{T: -1, Here: i - 1, There: i - 1}
	for _, run := range [...]*engine.Run{a, b} {
		if i < run.Len() && (p.T < 0 || run.Past().At(i) < p.T) {
			p.T = run.Past().At(i)
		}
	}
	for {
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
