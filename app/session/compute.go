package session

import (
	"math"
	"time"

	"github.com/rollplay/rollplay/engine"
)

// The run is computed in slices that frames bound by time, so that no input can freeze the page. What needs more of the run
// than there is waits: the cursor has a goal, commands wait as orders, lines wait at the prompt.

// Slice is how many events an action computes at once where the session has no clock, as in tests. A rollout of ten replicas
// has fewer, so its run is there as soon as the action returns; frames compute the rest of a larger one.
const Slice = 4000

// sliceTime is how long an action computes at once where there is a clock.
const sliceTime = 12 * time.Millisecond

// UseClock gives the session a clock, which bounds its slices and measures how fast it computes.
func (s *Session) UseClock(now func() time.Time) { s.now = now }

// slice begins a slice of some time, or of Slice events without a clock; more says whether it continues.
func (s *Session) slice(d time.Duration) (more func() bool) {
	if s.now == nil {
		return counted(Slice)
	}
	return s.Until(d)
}

func counted(n int) (more func() bool) { return func() bool { n--; return n >= 0 } }

// Until begins a slice of some time. A slice of few events may take twice as long, and its first event is always computed, or a
// machine that is busy with other things would hardly get on.
func (s *Session) Until(d time.Duration) (more func() bool) {
	const few = 100
	start, n := s.now(), 0
	return func() bool {
		n++
		spent := s.now().Sub(start)
		return n == 1 || spent < d || n < few && spent < 2*d
	}
}

// Compute advances the run by at most n events and says whether there is more to do.
func (s *Session) Compute(n int) (more bool) { return s.ComputeWhile(counted(n)) }

// ComputeWhile advances the run as long as more says so, carries out what waited for that, and says whether there is more
// to do.
func (s *Session) ComputeWhile(more func() bool) bool {
	r := s.Latest()
	if r == nil {
		return false
	}
	s.sizing = s.sizing.of(r)
	if to := s.allowed(); !r.Done() && r.Now() <= to {
		s.advance(r, to, more)
	}
	s.adopt()
	s.arrive()
	s.carryOut()
	s.tellEnd()
	return s.computeBeside(more) || s.Computing()
}

// advance computes a slice of a run, and measures how fast that is.
func (s *Session) advance(r *engine.Run, to int64, more func() bool) {
	if s.now == nil {
		r.AdvanceWhile(to, more)
		return
	}
	start, had := s.now(), r.Len()
	r.AdvanceWhile(to, more)
	s.worked += s.now().Sub(start)
	s.made += r.Len() - had
}

// Computing says that frames compute the run on.
func (s *Session) Computing() bool {
	r := s.Latest()
	return r != nil && !r.Done() && r.Now() <= s.allowed()
}

// allowed is the virtual ms up to which the run may be computed: all of it, unless it is too large to go on without being
// asked.
func (s *Session) allowed() int64 {
	switch s.sizing.answer {
	case asked:
		return -1
	case asWatched:
		return max(s.cursor.T+watchedAhead, s.goal)
	}
	if s.mustAsk() {
		s.sizing.answer = asked
		s.sizing.estimate = s.estimate()
		s.Say(s.LargeText())
		return -1
	}
	return math.MaxInt64
}

// Stop ends the run where it is computed to. What is computed stays, and commands that still wait are dropped.
func (s *Session) Stop() {
	r := s.Latest()
	if r == nil || r.Done() {
		return
	}
	r.Stop()
	s.goal, s.orders = -1, nil
	s.cursor.T = min(s.cursor.T, r.Now())
	s.adopt()
	s.tellEnd()
}

// tellEnd says once for each run how it ended early.
func (s *Session) tellEnd() {
	r := s.Latest()
	if r == nil || !r.Done() || s.told == r {
		return
	}
	if s.told = r; r.Ended() != "" {
		s.refuse(s.endText(r))
		if r.Ended() == engine.Broke {
			s.notice.Report = s.report(r.Broken())
		}
	}
}

// goTo moves the cursor as far towards a virtual ms as the run is computed. Frames compute the rest.
func (s *Session) goTo(t int64) {
	s.goal = -1
	if r := s.Latest(); r != nil && s.next == nil && t > r.Now() && !r.Done() {
		s.advance(r, s.allowed(), s.slice(sliceTime))
		if !r.Done() && r.Now() < t {
			s.goal = t
		}
	}
	s.seek(t)
}

// arrive moves the cursor to its goal once the run has got there.
func (s *Session) arrive() {
	if s.goal >= 0 && s.next == nil && s.run != nil && (s.run.Done() || s.run.Now() >= s.goal) {
		s.seek(s.goal)
		s.goal = -1
	}
}

// order is a command that waits until the run has been computed up to the cursor at which it was given.
type order struct {
	at      int64
	command engine.Command
	text    string // of the editor, if that is what is applied
}

// ready says whether the shown run is that of the present recording, computed beyond the cursor: a command is about the
// cluster that is there. It computes a slice if it is not.
func (s *Session) ready() bool { return s.readyAt(s.cursor.T) }

func (s *Session) readyAt(t int64) bool {
	r := s.Latest()
	if r == nil {
		return false
	}
	if !r.Done() && r.Now() <= t {
		s.advance(r, min(t, s.allowed()), s.slice(sliceTime))
	}
	s.adopt()
	return s.next == nil && (r.Done() || r.Now() > t)
}

// carryOut gives the commands that waited, and the lines of the prompt.
func (s *Session) carryOut() {
	for len(s.orders) > 0 {
		o := s.orders[0]
		if !s.readyAt(o.at) {
			return
		}
		if s.cursor.T != o.at {
			s.seek(o.at)
		}
		s.orders = s.orders[1:]
		s.obey(o)
		for i := range s.orders { // a command may take effect 1 ms later, and what was given after it follows it
			if s.orders[i].at == o.at {
				s.orders[i].at = s.cursor.T
			}
		}
	}
	if s.answerAt >= 0 && s.next == nil && s.run != nil && (s.run.Done() || s.run.Now() > s.answerAt) {
		s.answerAt = -1
		s.Say(s.answer())
	}
	if s.run != nil && s.terminal.Waiting() > 0 {
		s.carryOn()
	}
}

// order gives a command at the cursor, at once if the run is there.
func (s *Session) order(o order) {
	o.at = s.cursor.T
	if len(s.orders) == 0 && s.ready() {
		s.obey(o)
		return
	}
	s.orders = append(s.orders, o)
	s.touched = true
	s.notice = Notice{Text: s.lang.Count(len(s.orders), "order-waits", "orders-wait")}
	s.Say(s.notice.Text)
}

func (s *Session) obey(o order) {
	if o.text != "" {
		s.applyManifests(o.text)
		return
	}
	before := s.state()
	if s.act(o.command) {
		s.notice = Notice{}
		s.remember(before)
		s.sayAnswer()
	}
}

// sayAnswer says what kubectl answers to the last command, as soon as the run has that.
func (s *Session) sayAnswer() {
	if s.answerAt = s.cursor.T; s.ready() {
		s.answerAt = -1
		s.Say(s.answer())
	}
}
