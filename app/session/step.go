package session

import (
	"sort"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
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
func (s *Session) SetStep(unit StepUnit) {
	for _, u := range StepUnits {
		if u == unit {
			s.step, s.touched = u, true
			s.Say(s.lang.Say("step-set", UnitName(s.lang, u), UnitName(s.lang, u)))
		}
	}
}

// StepNext goes to the next place of the chosen unit, StepPrev to the previous one, through the same places.
func (s *Session) StepNext() { s.Forth(s.step); s.carryOn() }
func (s *Session) StepPrev() { s.Back(s.step) }

// stop is a place where a step stops, and why.
type stop struct {
	cursor.Cursor
	Why string
}

// Forth goes to the first stop after the cursor, or else to the end of what is computed.
func (s *Session) Forth(unit StepUnit) {
	if s.run == nil {
		return
	}
	if unit == BySecond && s.cursor.T < s.End() {
		s.toSecond(min(s.cursor.T/cursor.Second+1, (s.End()+cursor.Second-1)/cursor.Second))
		return
	}
	n, at := s.stops(unit)
	if k := sort.Search(n, func(k int) bool { return s.cursor.Before(at(k)) }); k < n {
		s.stopAt(unit, k)
		return
	}
	s.leap(s.End(), s.lang.Say("step-none-on", UnitName(s.lang, unit)))
}

// Back goes to the last stop before the cursor, or else to the start.
func (s *Session) Back(unit StepUnit) {
	if s.run == nil {
		return
	}
	if unit == BySecond && s.cursor.T > 0 {
		s.toSecond((s.cursor.T - 1) / cursor.Second)
		return
	}
	n, at := s.stops(unit)
	k := sort.Search(n, func(k int) bool { return !at(k).Before(s.cursor) }) - 1
	if k >= 0 && at(k).T > 0 {
		s.stopAt(unit, k)
		return
	}
	s.leap(0, s.lang.Say("step-none-back", UnitName(s.lang, unit)))
}

// toSecond goes to a whole virtual second.
func (s *Session) toSecond(n int64) {
	s.leap(n*cursor.Second, cursor.Clock(n*cursor.Second)+".")
}

// stops returns the number of stops of a unit, and where the k-th is.
func (s *Session) stops(unit StepUnit) (n int, at func(k int) cursor.Cursor) {
	x := s.index.of(s.run)
	switch unit {
	case byReconcile:
		return len(x.busy), func(k int) cursor.Cursor {
			return cursor.Cursor{T: s.run.Past().At(x.busy[k]), Record: s.run.Past().Sync(x.busy[k]).Last}
		}
	case byEvent:
		return len(x.events), func(k int) cursor.Cursor { return cursor.Cursor{T: s.run.Past().At(x.events[k]), Record: x.events[k]} }
	case ByMoment:
		all := s.Moments()
		return len(all), func(k int) cursor.Cursor { return all[k].Cursor }
	}
	return 0, nil
}

// stopAt rests at the k-th stop of a unit. A reconcile is shown after its last record, so that the screen shows what it changed
// in the cluster, but the name comes from its first record.
func (s *Session) stopAt(unit StepUnit, k int) {
	_, at := s.stops(unit)
	x := s.index.of(s.run)
	switch unit {
	case byReconcile:
		s.rest(at(k), s.tell(x.busy[k]))
	case byEvent:
		s.rest(at(k), s.tell(x.events[k]))
	default:
		s.rest(at(k), s.Moments()[k].Why)
	}
}

// Describe describes a record in one sentence, "" if it does not exist.
func (s *Session) Describe(i int) string {
	if s.run == nil || i < 0 || i >= s.run.Len() {
		return ""
	}
	return s.tell(i)
}

// tell describes record i in one sentence.
func (s *Session) tell(i int) string { return s.tellOf(s.run, i) }

func (s *Session) tellOf(run *engine.Run, i int) string {
	r := run.Record(i)
	switch r.Kind {
	case engine.Event:
		return s.lang.Say("tell-event", r.Actor, r.Reason, r.Message)
	case engine.Input:
		return r.Command + ": " + r.What
	case engine.Output:
		return r.Actor + ": " + r.What
	}
	return r.Actor + ": " + s.lang.Engine(r.What)
}
