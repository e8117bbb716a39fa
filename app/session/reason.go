package session

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// Reason is what the why panel says about a record.
type Reason struct {
	Record                    int // -1 if there is none
	Time, Actor, Object, What string

	Sums []Sum // the sum of what is shown, then what else the same reconcile decided

	Sync         int    // the reconcile that it belongs to
	Branch, Idle string // which way that took, and why it changed nothing, if so
	Woken        Ref    // what woke it first
	MoreWoken    int

	Writes     []Write
	MoreWrites int

	Chain []Ref // what led to it, the beginning first
	Neighbours
}

// Neighbours are the decisions of the same actor around a record, -1 for none.
type Neighbours struct{ Prev, Next int }

// Sum is one decision with its sum.
type Sum struct {
	Index                               int
	What, Formula, Rule, Upstream, Note string
	Times                               int // how often in a row
}

// Ref is a text that leads to a record.
type Ref struct {
	Index int
	Text  string
}

// Write is a write. The one on the screen has its fields.
type Write struct {
	Index  int
	Text   string
	Fields []past.FieldChange
}

// Bounds of what the panel shows; the rest is counted.
const (
	sumsMax   = 6
	writesMax = 8
	chainMax  = 400 // causes that are followed
	chainTail = 12  // of them those that are looked at, at its end
	stepsMax  = 6   // of them those that are shown
)

// Why explains the record that is shown.
func (c *Cursor) Why() Reason {
	i := c.explained()
	if i < 0 {
		return Reason{Record: -1, Sync: -1, Neighbours: Neighbours{-1, -1}}
	}
	decided := len(c.reading.index.decided[c.computed.shown.Record(i).Actor]) // the next decision can change while the run grows
	key := [...]any{c.computed.shown, i, decided, c.visit.Lang}
	return Recall(&c.reading.why, key, func() Reason { return c.reading.explain(i) })
}

// explained is what the panel is about. After a click on a record it is that record, after a step the decision of the
// reconcile that the cursor stands on. While time passes it is the last decision at or before the cursor: what happens in
// between (statuses, probes, reconciles that change nothing) follows from it.
func (c *Cursor) explained() int {
	here := c.Record
	if c.computed.shown == nil || here < 0 || here >= c.computed.shown.Len() {
		return -1
	}
	x := c.reading.Index()
	switch {
	case c.looked.At != c.Place || c.computed.shown.Past().At(here) != c.T:
	case c.looked.Record:
		return here
	default:
		return c.reading.decisionOf(here)
	}
	if n := cursor.Upto(x.telling, here); n > 0 {
		return x.telling[n-1]
	}
	return here
}

// decisionOf returns the record that says most about the reconcile that record i ends: what it decided, or else what it
// wrote; record i itself if it belongs to none.
func (r *Reading) decisionOf(i int) int {
	sync := r.computed.shown.Past().SyncOf(i)
	if sync < 0 {
		return i
	}
	x := r.Index()
	if n := cursor.Upto(x.telling, i); n > 0 && x.telling[n-1] > sync {
		return x.telling[n-1]
	}
	for j := i; j > sync; j-- {
		if r.computed.shown.Past().Kind(j) == engine.Write {
			return j
		}
	}
	return i
}

// explain explains record i.
func (r *Reading) explain(i int) Reason {
	run := r.computed.shown
	rec := run.Record(i)
	out := Reason{Record: i, Time: cursor.Clock(rec.T), Actor: rec.Actor, Object: command.Short(rec.Object), What: What(r.visit.Lang, rec), Sync: run.Past().SyncOf(i)}
	from, to := r.together(i)
	out.sums(r, i, from, to)
	out.reconcile(r.visit.Lang, run)
	out.writes(r.visit.Lang, run, i, from, to)
	out.chain(r.visit.Lang, run, i)
	out.Prev, out.Next = r.neighbours(rec.Actor, from, to)
	return out
}

// What describes a record in a sentence, without its actor.
func What(l lang.Lang, r engine.Record) string {
	switch r.Kind {
	case engine.Event:
		return strings.TrimPrefix(r.Reason+": "+r.Message, ": ")
	case engine.Input:
		return strings.TrimSpace(r.Command + " → " + r.What)
	case engine.Output:
		return r.What
	}
	return l.Engine(r.What)
}

// together returns the first and the last record of the group of record i: a reconcile, a command with what it
// wrote, or the record alone.
func (r *Reading) together(i int) (from, to int) {
	if sync := r.computed.shown.Past().SyncOf(i); sync >= 0 {
		return sync, r.computed.shown.Past().Sync(sync).Last
	}
	from = i
	if c := r.computed.shown.Past().Cause(i); c >= 0 && r.computed.shown.Past().Kind(c) == engine.Input {
		from = c
	}
	to = i
	for r.computed.shown.Past().Kind(from) == engine.Input && to+1 < r.computed.shown.Len() && r.computed.shown.Past().Cause(to+1) == from {
		to++
	}
	return from, to
}

// sums adds the sum of record i and those of the other decisions of its group.
func (out *Reason) sums(r *Reading, i, from, to int) {
	own := explanationOf(r.computed.shown, i, from)
	if own >= 0 {
		out.Sums = append(out.Sums, rowOfSum(r.visit.Lang, r.computed.shown, own))
	}
	telling := r.Index().telling
	for _, j := range telling[cursor.Upto(telling, from-1):cursor.Upto(telling, to)] {
		if j != own {
			out.addSum(r.visit.Lang, r.computed.shown, j)
		}
	}
	if own >= 0 && out.Sums[0].What == out.What && out.Sums[0].Times == 1 {
		out.Sums[0].What = "" // the head says it
	}
}

// explanationOf returns the record whose sum explains record i: itself, for an event the record that it reports,
// or else the record that the engine names.
func explanationOf(run *engine.Run, i, from int) int {
	r := run.Record(i)
	if r.Why != nil {
		return i
	}
	if r.Kind == engine.Event {
		for j := i - 1; j > from; j-- {
			if b := run.Record(j); b.Why != nil {
				return j
			} else if b.Kind != engine.Event {
				break
			}
		}
	}
	if e := run.Past().Explanation(i); e >= 0 && run.Record(e).Why != nil {
		return e
	}
	return -1
}

func rowOfSum(l lang.Lang, run *engine.Run, i int) Sum {
	r := run.Record(i)
	return Sum{Index: i, What: l.Engine(r.What), Formula: r.Why.Formula, Rule: r.Why.Rule, Upstream: r.Why.Upstream, Note: l.Engine(r.Why.Note), Times: 1}
}

// addSum appends a row, or counts it if it repeats the row before: ten pods are created for one reason.
func (out *Reason) addSum(l lang.Lang, run *engine.Run, i int) {
	n := len(out.Sums)
	if n > 0 && run.Past().SameReason(i, out.Sums[n-1].Index) {
		out.Sums[n-1].Times++
	} else if n < sumsMax {
		out.Sums = append(out.Sums, rowOfSum(l, run, i))
	}
}

// reconcile adds what woke the reconcile and what it did.
func (out *Reason) reconcile(l lang.Lang, run *engine.Run) {
	if out.Sync < 0 {
		return
	}
	sync := run.Past().Sync(out.Sync)
	branch, idle, _ := strings.Cut(run.Record(out.Sync).What, ", changes nothing: ")
	out.Branch, out.Idle = l.Engine(branch), l.Engine(idle)
	if len(sync.Wakes) > 0 {
		out.Woken, out.MoreWoken = Ref{sync.Wakes[0].Record, l.Engine(WakeText(sync.Wakes[0]))}, sync.Woken-1
	}
}

// WakeText says what woke a reconcile, with the object as kubectl writes it.
func WakeText(w past.Wake) string {
	object, change, ok := strings.Cut(w.Text, " was ")
	if !ok || strings.Count(object, "/") == 0 {
		return w.Text
	}
	return command.Short(object) + " was " + change
}

// writes lists the writes around the shown one: record i, the last write before it, or else the first.
func (out *Reason) writes(l lang.Lang, run *engine.Run, i, from, to int) {
	var all []int
	shown := 0
	for j := from; j <= to; j++ {
		if run.Past().Kind(j) == engine.Write {
			if j <= i {
				shown = len(all)
			}
			all = append(all, j)
		}
	}
	first, last := cursor.Window(len(all), shown, writesMax)
	for k := first; k < last; k++ {
		r := run.Record(all[k])
		w := Write{Index: all[k], Text: command.Short(r.Object) + ": " + l.Engine(r.What)}
		if k == shown {
			w.Fields = fieldsIn(l, run.Past().Diff(all[k]))
		}
		out.Writes = append(out.Writes, w)
	}
	out.MoreWrites = len(all) - len(out.Writes)
}

// fieldsIn translates what a list of changed fields says about those that it leaves out. The rest are paths and values.
func fieldsIn(l lang.Lang, fields []past.FieldChange) []past.FieldChange {
	for i := range fields {
		f := &fields[i]
		if strings.HasPrefix(f.Path, "and ") {
			f.Path = l.Engine(f.Path)
		}
		for _, value := range [...]*string{&f.Old, &f.New} {
			if strings.HasSuffix(*value, " fields)") {
				*value = l.Engine(*value)
			}
		}
	}
	return fields
}

// chain follows the causes of record i. Of a long chain it shows the first cause and the last steps.
func (out *Reason) chain(l lang.Lang, run *engine.Run, i int) {
	causes := run.Past().Chain(i, chainMax)
	n := len(causes)
	if n == 0 {
		return
	}
	steps := tellSteps(l, run, causes[:min(n, chainTail)], i)
	left := n - min(n, chainTail)
	if len(steps) > stepsMax {
		left += len(steps) - stepsMax
		steps = steps[:stepsMax]
	}
	if steps[len(steps)-1].Index != causes[n-1] {
		if left > 1 {
			steps = append(steps, Ref{-1, l.Say("chain-more", left-1)})
		}
		steps = append(steps, stepTo(l, run.Record(causes[n-1]), causes[n-1]))
	}
	slices.Reverse(steps)
	out.Chain = steps
}

// tellSteps leaves out steps that their neighbours imply: what kubectl wrote for a command, and reconciles of which a write
// is named.
func tellSteps(l lang.Lang, run *engine.Run, causes []int, child int) []Ref {
	var steps []Ref
	for k, i := range causes {
		r := run.Record(i)
		byCommand := r.Kind == engine.Write && k+1 < len(causes) && run.Past().Kind(causes[k+1]) == engine.Input
		named := r.Kind == engine.Reconcile && k > 0 && run.Past().Kind(child) == engine.Write
		if !byCommand && !named {
			steps = append(steps, stepTo(l, r, i))
		}
		child = i
	}
	return steps
}

func stepTo(l lang.Lang, r engine.Record, i int) Ref {
	if r.Kind == engine.Input {
		return Ref{i, r.Command}
	}
	return Ref{i, r.Actor + ": " + l.Engine(r.What)}
}

// neighbours returns the last decision of the same actor before a group of records, and the next one after it: the last
// decision of one reconcile.
func (r *Reading) neighbours(actor string, from, to int) (prev, next int) {
	decided := r.Index().decided[actor]
	prev, next = -1, -1
	if n := cursor.Upto(decided, from-1); n > 0 {
		prev = decided[n-1]
	}
	n := cursor.Upto(decided, to)
	if n == len(decided) {
		return prev, next
	}
	next = decided[n]
	if sync := r.computed.shown.Past().SyncOf(next); sync >= 0 {
		next = decided[cursor.Upto(decided, r.computed.shown.Past().Sync(sync).Last)-1]
	}
	return prev, next
}
