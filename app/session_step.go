package app

import (
	"sort"

	"github.com/rollplay/rollplay/engine"
)

// stepUnit is what one step goes over.
type stepUnit string

// The units of a step.
const (
	byReconcile stepUnit = "reconcile" // that wrote or decided something
	byEvent     stepUnit = "event"     // of Kubernetes
	bySecond    stepUnit = "second"
	byMoment    stepUnit = "moment" // of interest; see moments
)

// stepUnits in the order in which the page offers them.
var stepUnits = [...]stepUnit{byReconcile, byEvent, bySecond, byMoment}

// unit is what a unit is called.
func (l lang) unit(u stepUnit) string { return l.say(message("unit-" + u)) }

// SetStep chooses what the steps go over; a word that is no unit changes nothing.
func (s *session) SetStep(unit stepUnit) {
	for _, u := range stepUnits {
		if u == unit {
			s.step, s.touched = u, true
			s.say(s.lang.say("step-set", s.lang.unit(u), s.lang.unit(u)))
		}
	}
}

// StepNext goes to the next place of the chosen unit, StepPrev to the one before: a way there and back is the same way.
func (s *session) StepNext() { s.forth(s.step); s.carryOn() }
func (s *session) StepPrev() { s.back(s.step) }

// stop is a place where a step rests, and why it does.
type stop struct {
	cursor
	Why string
}

// before says whether a place comes before another one.
func (c cursor) before(d cursor) bool { return c.T < d.T || c.T == d.T && c.Record < d.Record }

// forth goes to the first stop after the cursor, and to the end of what is computed if there is none.
func (s *session) forth(unit stepUnit) {
	if s.run == nil {
		return
	}
	if unit == bySecond && s.cursor.T < s.end() {
		s.toSecond(min(s.cursor.T/second+1, (s.end()+second-1)/second))
		return
	}
	n, at := s.stops(unit)
	if k := sort.Search(n, func(k int) bool { return s.cursor.before(at(k)) }); k < n {
		s.stopAt(unit, k)
		return
	}
	s.leap(s.end(), s.lang.say("step-none-on", s.lang.unit(unit)))
}

// back goes to the last stop before the cursor, and to the start if there is none later than that.
func (s *session) back(unit stepUnit) {
	if s.run == nil {
		return
	}
	if unit == bySecond && s.cursor.T > 0 {
		s.toSecond((s.cursor.T - 1) / second)
		return
	}
	n, at := s.stops(unit)
	k := sort.Search(n, func(k int) bool { return !at(k).before(s.cursor) }) - 1
	if k >= 0 && at(k).T > 0 {
		s.stopAt(unit, k)
		return
	}
	s.leap(0, s.lang.say("step-none-back", s.lang.unit(unit)))
}

// toSecond goes to a whole virtual second.
func (s *session) toSecond(n int64) {
	s.leap(n*second, clock(n*second)+".")
}

// stops returns how many stops of a unit there are, and where the k-th is.
func (s *session) stops(unit stepUnit) (n int, at func(k int) cursor) {
	x := s.index.of(s.run)
	switch unit {
	case byReconcile:
		return len(x.busy), func(k int) cursor { return cursor{s.run.Past().At(x.busy[k]), s.run.Past().Sync(x.busy[k]).Last} }
	case byEvent:
		return len(x.events), func(k int) cursor { return cursor{s.run.Past().At(x.events[k]), x.events[k]} }
	case byMoment:
		all := s.interesting()
		return len(all), func(k int) cursor { return all[k].cursor }
	}
	return 0, nil
}

// stopAt rests at the k-th stop of a unit. A reconcile is shown after its last record, so that the screen has what it made
// of the cluster, but is named by its first one.
func (s *session) stopAt(unit stepUnit, k int) {
	_, at := s.stops(unit)
	x := s.index.of(s.run)
	switch unit {
	case byReconcile:
		s.rest(at(k), s.tell(x.busy[k]))
	case byEvent:
		s.rest(at(k), s.tell(x.events[k]))
	default:
		s.rest(at(k), s.interesting()[k].Why)
	}
}

// tell says in one sentence what record i is.
func (s *session) tell(i int) string {
	r := s.run.Record(i)
	switch r.Kind {
	case engine.Event:
		return s.lang.say("tell-event", r.Actor, r.Reason, r.Message)
	case engine.Input:
		return r.Command + ": " + r.What
	}
	return r.Actor + ": " + r.What
}
