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
func (c *Cursor) ToggleLoop() {
	if c.computed.shown == nil {
		return
	}
	c.visit.Touched = true
	t := c.T
	switch {
	case c.Loop.Set == loopOff:
		c.Loop = Loop{A: t, Set: loopHalf}
		c.visit.Say(c.visit.Lang.Say("loop-starts", cursor.Clock(t)))
	case c.Loop.Set == loopHalf && t != c.Loop.A:
		c.Loop = Loop{A: min(c.Loop.A, t), B: max(c.Loop.A, t), Set: LoopOn}
		c.visit.Say(c.visit.Lang.Say("loop-goes", cursor.Clock(c.Loop.A), cursor.Clock(c.Loop.B)))
	default:
		c.Loop = Loop{}
		c.visit.Say(c.visit.Lang.Say("loop-off"))
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
