package session

import (
	"sort"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
)

// StepUnit is what one step covers.
type StepUnit string

// The units of a step.
const (
	byReconcile StepUnit = "reconcile" // that wrote or decided something
	byEvent     StepUnit = "event"     // of Kubernetes
	BySecond    StepUnit = "second"
	ByMoment    StepUnit = "moment" // of interest; see moments
)

// StepUnits in the order in which the page offers them.
var StepUnits = [...]StepUnit{byReconcile, byEvent, BySecond, ByMoment}

// UnitName is what a unit is called.
func UnitName(l lang.Lang, u StepUnit) string { return l.Say(lang.Message("unit-" + u)) }

// SetStep chooses what a step covers; an unknown word changes nothing.
func (c *Cursor) SetStep(unit StepUnit) {
	for _, u := range StepUnits {
		if u == unit {
			c.Step, c.visit.Touched = u, true
			c.visit.Say(c.visit.Lang.Say("step-set", UnitName(c.visit.Lang, u), UnitName(c.visit.Lang, u)))
		}
	}
}

// StepNext goes to the next place of the chosen unit, StepPrev to the previous one, through the same places.
func (s *Session) StepNext() { s.Cursor.Forth(s.Cursor.Step); s.carryOn() }
func (c *Cursor) StepPrev()  { c.Back(c.Step) }

// stop is a place where a step stops, and why.
type stop struct {
	cursor.Place
	Why string
}

// Forth goes to the first stop after the cursor, or else to the end of what is computed.
func (c *Cursor) Forth(unit StepUnit) {
	if c.computed.shown == nil {
		return
	}
	if unit == BySecond && c.T < c.computed.End() {
		c.toSecond(min(c.T/cursor.Second+1, (c.computed.End()+cursor.Second-1)/cursor.Second))
		return
	}
	n, at := c.stops(unit)
	if k := sort.Search(n, func(k int) bool { return c.Place.Before(at(k).Place) }); k < n {
		c.rest(at(k))
		return
	}
	c.pauseAt(c.computed.End(), c.visit.Lang.Say("step-none-on", UnitName(c.visit.Lang, unit)))
}

// Back goes to the last stop before the cursor, or else to the start.
func (c *Cursor) Back(unit StepUnit) {
	if c.computed.shown == nil {
		return
	}
	if unit == BySecond && c.T > 0 {
		c.toSecond((c.T - 1) / cursor.Second)
		return
	}
	n, at := c.stops(unit)
	k := sort.Search(n, func(k int) bool { return !at(k).Before(c.Place) }) - 1
	if k >= 0 && at(k).T > 0 {
		c.rest(at(k))
		return
	}
	c.pauseAt(0, c.visit.Lang.Say("step-none-back", UnitName(c.visit.Lang, unit)))
}

// toSecond goes to a whole virtual second.
func (c *Cursor) toSecond(n int64) {
	c.pauseAt(n*cursor.Second, cursor.Clock(n*cursor.Second)+".")
}

// stops returns the number of stops of a unit, and the k-th. A reconcile is shown after its last record, so that the screen shows what it
// changed in the cluster, but the name comes from its first record.
func (c *Cursor) stops(unit StepUnit) (n int, at func(k int) stop) {
	x, past := c.reading.Index(), c.computed.shown.Past()
	switch unit {
	case byReconcile:
		return len(x.busy), func(k int) stop { return c.reading.stopAt(x.busy[k], past.Sync(x.busy[k]).Last) }
	case byEvent:
		return len(x.Events), func(k int) stop { return c.reading.stopAt(x.Events[k], x.Events[k]) }
	case ByMoment:
		all := c.reading.Moments()
		return len(all), func(k int) stop { return all[k] }
	}
	return 0, nil
}

// stopAt is the stop at the last of some records, with the words of the first one.
func (r *Reading) stopAt(first, last int) stop {
	return stop{cursor.Place{T: r.computed.shown.Past().At(first), Record: last}, r.Describe(first)}
}
