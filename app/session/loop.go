package session

import "github.com/rollplay/rollplay/app/cursor"

// Loop is a section of the run that plays repeatedly.
type Loop struct {
	A   int64     `json:"a"`
	B   int64     `json:"b"`
	Set LoopState `json:"set"`
}

// LoopState says how much of a loop is set.
type LoopState uint8

const (
	loopOff  LoopState = iota
	loopHalf           // A is set, B is not
	LoopOn
)

// valid says whether ToggleLoop can make such a loop; a saved one may be damaged.
func (l Loop) valid() bool {
	return l == Loop{} || l.A >= 0 && (l.Set == loopHalf && l.B == 0 || l.Set == LoopOn && l.A < l.B)
}

// ToggleLoop sets the loop's start at the cursor, then its end, and then removes the loop.
func (s *Session) ToggleLoop() {
	if s.run == nil {
		return
	}
	s.touched = true
	t := s.cursor.T
	switch {
	case s.loop.Set == loopOff:
		s.loop = Loop{A: t, Set: loopHalf}
		s.Say(s.lang.Say("loop-starts", cursor.Clock(t)))
	case s.loop.Set == loopHalf && t != s.loop.A:
		s.loop = Loop{A: min(s.loop.A, t), B: max(s.loop.A, t), Set: LoopOn}
		s.Say(s.lang.Say("loop-goes", cursor.Clock(s.loop.A), cursor.Clock(s.loop.B)))
	default:
		s.loop = Loop{}
		s.Say(s.lang.Say("loop-off"))
	}
}

// wrap returns where playing from one moment to a later one ends up: back in the loop if it passes the loop's end, or the
// end of a run that does not reach it.
func (l Loop) wrap(from, to, end int64) int64 {
	b := min(l.B, end)
	if l.Set != LoopOn || l.A >= b || from > b || to < b {
		return to
	}
	return l.A + (to-b)%(b-l.A)
}

// startOver is where Play starts when the cursor is at the end of the run: at zero, or at the start of a loop
// that reaches the end.
func (l Loop) startOver(end int64) int64 {
	if l.Set == LoopOn && l.A < end && l.B >= end {
		return l.A
	}
	return 0
}
