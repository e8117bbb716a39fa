package app

// loop is a section of the run that is played over and over.
type loop struct {
	A   int64     `json:"a"`
	B   int64     `json:"b"`
	Set loopState `json:"set"`
}

// loopState is how much of a loop is there.
type loopState uint8

const (
	loopOff  loopState = iota
	loopHalf           // A is set, B is not
	loopOn
)

// valid says whether a loop can be what Loop has made; a saved one may be damaged.
func (l loop) valid() bool {
	return l == loop{} || l.A >= 0 && (l.Set == loopHalf && l.B == 0 || l.Set == loopOn && l.A < l.B)
}

// Loop sets the loop's start at the cursor, then its end, and then takes both away.
func (s *session) Loop() {
	if s.run == nil {
		return
	}
	s.touched = true
	t := s.cursor.T
	switch {
	case s.loop.Set == loopOff:
		s.loop = loop{A: t, Set: loopHalf}
		s.say(s.lang.say("loop-starts", clock(t)))
	case s.loop.Set == loopHalf && t != s.loop.A:
		s.loop = loop{A: min(s.loop.A, t), B: max(s.loop.A, t), Set: loopOn}
		s.say(s.lang.say("loop-goes", clock(s.loop.A), clock(s.loop.B)))
	default:
		s.loop = loop{}
		s.say(s.lang.say("loop-off"))
	}
}

// wrap returns where playing from one moment to a later one leads: back into the loop if its end is passed, or the
// end of a run that does not reach it.
func (l loop) wrap(from, to, end int64) int64 {
	b := min(l.B, end)
	if l.Set != loopOn || l.A >= b || from > b || to < b {
		return to
	}
	return l.A + (to-b)%(b-l.A)
}

// startOver is where Play goes on when the cursor is at the end of the run: at the start, or in the loop, if there is one
// up to the end.
func (l loop) startOver(end int64) int64 {
	if l.Set == loopOn && l.A < end && l.B >= end {
		return l.A
	}
	return 0
}
