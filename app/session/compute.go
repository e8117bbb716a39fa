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
func (c *Run) UseClock(now func() time.Time) { c.now = now }

// slice begins a slice of some time, or of Slice events without a clock; more says whether it continues.
func (c *Run) slice(d time.Duration) (more func() bool) {
	if c.now == nil {
		return counted(Slice)
	}
	return c.Until(d)
}

func counted(n int) (more func() bool) { return func() bool { n--; return n >= 0 } }

// Until begins a slice of some time. A slice of few events may take twice as long, and its first event is always computed, or a
// machine that is busy with other things would hardly get on.
func (c *Run) Until(d time.Duration) (more func() bool) {
	const few = 100
	start, n := c.now(), 0
	return func() bool {
		n++
		spent := c.now().Sub(start)
		return n == 1 || spent < d || n < few && spent < 2*d
	}
}

// Compute advances the run by at most n events and says whether there is more to do.
func (s *Session) Compute(n int) (more bool) { return s.ComputeWhile(counted(n)) }

// ComputeWhile advances the run as long as more says so, carries out what waited for that, and says whether there is more
// to do.
func (s *Session) ComputeWhile(more func() bool) bool {
	r := s.Computed.Latest()
	if r == nil {
		return false
	}
	s.Computed.sizing = s.Computed.sizing.of(r)
	if to := s.Computed.allowed(s.Cursor.ahead()); !r.Done() && r.Now() <= to {
		s.Computed.advance(r, to, more)
	}
	s.adopt()
	s.Cursor.arrive()
	s.carryOut()
	s.tellEnd()
	return s.Branches.compute(more, s.Computing()) || s.Computing()
}

// advance computes a slice of a run, and measures how fast that is.
func (c *Run) advance(r *engine.Run, to int64, more func() bool) {
	if c.now == nil {
		r.AdvanceWhile(to, more)
		return
	}
	start, had := c.now(), r.Len()
	r.AdvanceWhile(to, more)
	c.worked += c.now().Sub(start)
	c.made += r.Len() - had
}

// Computing says that frames compute the run on.
func (s *Session) Computing() bool {
	r := s.Computed.Latest()
	return r != nil && !r.Done() && r.Now() <= s.Computed.allowed(s.Cursor.ahead())
}

// allowed is the virtual ms up to which the run may be computed: all of it, unless it is too large to go on without being
// asked.
func (r *Run) allowed(watched int64) int64 {
	switch r.sizing.answer {
	case asked:
		return -1
	case asWatched:
		return watched
	}
	if r.mustAsk() {
		r.sizing.answer = asked
		r.sizing.estimate = r.estimate()
		r.visit.Say(r.LargeText())
		return -1
	}
	return math.MaxInt64
}

// Stop ends the run where it is computed to. What is computed stays, and commands that still wait are dropped.
func (s *Session) Stop() {
	r := s.Computed.Latest()
	if r == nil || r.Done() {
		return
	}
	r.Stop()
	s.Cursor.goal, s.History.waiting = -1, nil
	s.Cursor.T = min(s.Cursor.T, r.Now())
	s.adopt()
	s.tellEnd()
}

// tellEnd says once for each run how it ended early.
func (s *Session) tellEnd() {
	r := s.Computed.Latest()
	if r == nil || !r.Done() || s.Computed.ended == r {
		return
	}
	if s.Computed.ended = r; r.Ended() != "" {
		s.Visit.refuse(s.Computed.endText(r))
		if r.Ended() == engine.Broke {
			s.Visit.Notice.Report = s.report(r.Broken())
		}
	}
}

// goTo moves the cursor as far towards a virtual ms as the run is computed. Frames compute the rest.
func (c *Cursor) goTo(t int64) {
	c.goal = -1
	if r := c.computed.Latest(); r != nil && c.computed.next == nil && t > r.Now() && !r.Done() {
		c.computed.advance(r, c.computed.allowed(c.ahead()), c.computed.slice(sliceTime))
		if !r.Done() && r.Now() < t {
			c.goal = t
		}
	}
	c.seek(t)
}

// arrive moves the cursor to its goal once the run has got there.
func (c *Cursor) arrive() {
	if c.goal >= 0 && c.computed.next == nil && c.computed.shown != nil && (c.computed.shown.Done() || c.computed.shown.Now() >= c.goal) {
		c.seek(c.goal)
		c.goal = -1
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
func (s *Session) ready() bool { return s.readyAt(s.Cursor.T) }

func (s *Session) readyAt(t int64) bool {
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
		if !s.readyAt(o.at) {
			return
		}
		if s.Cursor.T != o.at {
			s.Cursor.seek(o.at)
		}
		s.History.waiting = s.History.waiting[1:]
		s.obey(o)
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
func (s *Session) order(o order) {
	o.at = s.Cursor.T
	if len(s.History.waiting) == 0 && s.ready() {
		s.obey(o)
		return
	}
	s.History.waiting = append(s.History.waiting, o)
	s.Visit.Touched = true
	s.Visit.Notice = Notice{Text: s.Visit.Lang.Count(len(s.History.waiting), "order-waits", "orders-wait")}
	s.Visit.Say(s.Visit.Notice.Text)
}

func (s *Session) obey(o order) {
	if o.text != "" {
		s.applyManifests(o.text)
		return
	}
	before := s.present()
	if s.act(o.command) {
		s.Visit.Notice = Notice{}
		s.remember(before)
		s.sayAnswer()
	}
}

// sayAnswer says what kubectl answers to the last command, as soon as the run has that.
func (s *Session) sayAnswer() {
	if s.History.answerAt = s.Cursor.T; s.ready() {
		s.History.answerAt = -1
		s.Visit.Say(s.answer())
	}
}

// ahead is up to where a run that is computed as watched is computed.
func (c *Cursor) ahead() int64 { return max(c.T+watchedAhead, c.goal) }
