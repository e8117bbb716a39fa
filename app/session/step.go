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
	if k := sort.Search(n, func(k int) bool { return c.Place.Before(at(k)) }); k < n {
		c.stopAt(unit, k)
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
		c.stopAt(unit, k)
		return
	}
	c.pauseAt(0, c.visit.Lang.Say("step-none-back", UnitName(c.visit.Lang, unit)))
}

// toSecond goes to a whole virtual second.
func (c *Cursor) toSecond(n int64) {
	c.pauseAt(n*cursor.Second, cursor.Clock(n*cursor.Second)+".")
}

// stops returns the number of stops of a unit, and where the k-th is.
func (c *Cursor) stops(unit StepUnit) (n int, at func(k int) cursor.Place) {
	x := c.reading.index.of(c.computed.shown)
	switch unit {
	case byReconcile:
		return len(x.busy), func(k int) cursor.Place {
			return cursor.Place{T: c.computed.shown.Past().At(x.busy[k]), Record: c.computed.shown.Past().Sync(x.busy[k]).Last}
		}
	case byEvent:
		return len(x.events), func(k int) cursor.Place {
			return cursor.Place{T: c.computed.shown.Past().At(x.events[k]), Record: x.events[k]}
		}
	case ByMoment:
		all := c.reading.Moments()
		return len(all), func(k int) cursor.Place { return all[k].Place }
	}
	return 0, nil
}

// stopAt rests at the k-th stop of a unit. A reconcile is shown after its last record, so that the screen shows what it changed
// in the cluster, but the name comes from its first record.
func (c *Cursor) stopAt(unit StepUnit, k int) {
	_, at := c.stops(unit)
	x := c.reading.index.of(c.computed.shown)
	switch unit {
	case byReconcile:
		c.rest(at(k), c.reading.describe(x.busy[k]))
	case byEvent:
		c.rest(at(k), c.reading.describe(x.events[k]))
	default:
		c.rest(at(k), c.reading.Moments()[k].Why)
	}
}
