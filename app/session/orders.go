package session

import (
	"math"
	"slices"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
)

// order is a command that waits until the run has been computed up to the cursor at which it was given.
type order struct {
	at int64
	do func()
}

// ready says whether the shown run is that of the present recording, computed beyond the moment of a command, which is about the
// cluster that is there. It computes a slice if it is not.
func (s *Session) ready(t int64) bool {
	r := s.Computed.Latest()
	if r == nil {
		return false
	}
	if !r.Done() && r.Now() <= t {
		s.Computed.advance(r, min(t, s.Computed.allowed(s.Cursor.ahead())), s.Computed.slice(sliceTime))
	}
	s.adopt()
	return s.Computed.next == nil && (r.Done() || r.Now() > t)
}

// carryOut gives the commands that waited, and the lines of the prompt.
func (s *Session) carryOut() {
	for len(s.History.waiting) > 0 {
		o := s.History.waiting[0]
		if !s.ready(o.at) {
			return
		}
		if s.Cursor.T != o.at {
			s.Cursor.seek(o.at)
		}
		s.History.waiting = s.History.waiting[1:]
		o.do()
		for i := range s.History.waiting { // a command may take effect 1 ms later, and what was given after it follows it
			if s.History.waiting[i].at == o.at {
				s.History.waiting[i].at = s.Cursor.T
			}
		}
	}
	if s.History.answerAt >= 0 && s.Computed.next == nil && s.Computed.shown != nil && (s.Computed.shown.Done() || s.Computed.shown.Now() > s.History.answerAt) {
		s.History.answerAt = -1
		s.Visit.Say(s.answer())
	}
	if s.Computed.shown != nil && s.Prompt.terminal.Waiting() > 0 {
		s.carryOn()
	}
}

// order gives a command at the cursor, at once if the run is there.
func (s *Session) order(do func()) {
	o := order{s.Cursor.T, do}
	if len(s.History.waiting) == 0 && s.ready(o.at) {
		do()
		return
	}
	s.History.waiting = append(s.History.waiting, o)
	s.Visit.Touched = true
	s.Visit.Tell(s.Visit.Lang.Count(len(s.History.waiting), "order-waits", "orders-wait"), false)
}

func (s *Session) obey(c engine.Command) {
	before := s.present()
	if s.act(c) {
		s.Visit.Notice = Notice{}
		s.remember(before)
		s.sayAnswer()
	}
}

// sayAnswer says what kubectl answers to the last command, as soon as the run has that.
func (s *Session) sayAnswer() {
	if s.History.answerAt = s.Cursor.T; s.ready(s.Cursor.T) {
		s.History.answerAt = -1
		s.Visit.Say(s.answer())
	}
}

// act gives a command at the cursor and cuts what came later: acting in the past is a branch. The run must be ready.
func (s *Session) act(c engine.Command) bool {
	atEnd, was := s.Cursor.AtEnd(), s.Cursor.Place
	c.At = s.Computed.shown.ActAt(was.T)
	if why := s.tooLate(); why != "" {
		s.Visit.refuse(why)
		return false
	}
	s.Cursor.T = c.At // the next run is shown when it is computed up to there
	if !s.startUntil(engine.Recording{Scenario: s.Computed.rec.Scenario, Commands: append(upTo(s.Computed.rec.Commands, was.T), c)}, c.At) {
		s.Cursor.Place = was
		return false
	}
	// At the end only the effect of the command is left to see.
	s.Cursor.Playing = s.Cursor.Playing || (atEnd && !s.Visit.Calm)
	return true
}

// Control carries out what a control of the page does, and plays what follows; people who asked for less motion see its end. Before a
// lesson's own first command it acts on the cluster that has settled at the end.
func (s *Session) Control(do func()) {
	if s.atOpening() {
		s.Cursor.goTo(math.MaxInt64)
	}
	given := len(s.Computed.rec.Commands) + len(s.History.waiting)
	do()
	switch {
	case len(s.Computed.rec.Commands)+len(s.History.waiting) <= given: // refused
	case s.Visit.Calm:
		s.Cursor.goTo(math.MaxInt64)
	default:
		s.Cursor.Playing = true
	}
}

// atOpening says that the cursor is where a lesson opens or at its first caption, and that nobody has done anything yet, nor has the
// timeline. In an exercise every moment counts, and a scenario with a duration has nothing after its end.
func (s *Session) atOpening() bool {
	run := s.Computed.shown
	if run == nil || len(s.Computed.rec.Commands) > 0 || len(run.Scenario().Goals) > 0 || !run.Reaches(run.Now()+1) {
		return false
	}
	opening := s.Reading.Opening().From
	if captions := run.Scenario().Captions; len(captions) > 0 {
		opening = max(opening, captions[0].At)
	}
	for _, i := range s.Reading.Index().Inputs {
		if r := run.Record(i); r.T > 0 {
			return s.Cursor.T <= min(r.T, opening)
		}
	}
	return s.Cursor.T == 0
}

// tooLate says why a command given at the cursor would never happen, "" if it would: a scenario with a duration ends there.
func (s *Session) tooLate() string {
	if s.Computed.shown.Reaches(s.Computed.shown.ActAt(s.Cursor.T)) {
		return ""
	}
	return s.Visit.Lang.Say("act-after-end", cursor.Clock(s.Computed.End()))
}

// upTo returns a copy of the commands that were given at or before t.
func upTo(commands []engine.Command, t int64) []engine.Command {
	return slices.DeleteFunc(slices.Clone(commands), func(c engine.Command) bool { return c.At > t })
}
