package session

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Run is the recording, and what is computed of it so far.
type Run struct {
	Number  int // counts the runs shown, so that a chart knows when to start over
	Started int // counts the recordings, whose runs may not be shown yet

	rec    engine.Recording
	shown  *engine.Run // the last good run; nil until a text started
	next   *engine.Run // the run of rec while it is behind the cursor; it replaces shown when it has caught up
	chosen string      // the workload that a person chose; empty: the first one

	now    func() time.Time // nil means no clock
	worked time.Duration    // spent on computing, for this many records
	made   int
	sizing sizing
	ended  *engine.Run // the last run whose early end was announced

	visit   *Visit
	library *scenario.Library
}

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
	return r != nil && !r.Done() && r.Now() <= s.Computed.upto(s.Cursor.ahead())
}

// allowed is the virtual ms up to which the run may be computed: all of it, unless it is too large to go on without being
// asked. To find out takes long where the commands are.
func (c *Run) allowed(watched int64) int64 {
	if c.mustAsk() {
		c.sizing.answer = asked
		c.sizing.estimate = c.estimate()
		c.visit.Say(c.LargeText())
	}
	return c.upto(watched)
}

// upto is the same as far as it is known.
func (c *Run) upto(watched int64) int64 {
	switch c.sizing.answer {
	case asked:
		return -1
	case asWatched:
		return watched
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

// Finished says that the run which the page shows is that of the recording, and computed to its end.
func (c *Run) Finished() bool { return c.shown != nil && c.next == nil && c.shown.Done() }

// Extent is how far a run is computed.
type Extent struct {
	Records int   `json:"records"`
	End     int64 `json:"end"`
	Done    bool  `json:"done,omitempty"`
}

func extentOf(run *engine.Run) (e Extent) {
	if run != nil {
		e = Extent{run.Len(), run.Now(), run.Done()}
	}
	return e
}

// Extent is that of the shown run.
func (c *Run) Extent() Extent { return extentOf(c.shown) }

// Latest is the run of the present recording, whether it is shown already or not.
func (c *Run) Latest() *engine.Run {
	if c.next != nil {
		return c.next
	}
	return c.shown
}

// Choose makes a workload the one that the controls act on and the chart draws.
func (c *Run) Choose(workload string) { c.chosen = workload }

// End is the virtual ms that the shown run has been computed to.
func (c *Run) End() int64 { return c.Extent().End }

// Workload is the name of the workload that the controls act on and the chart draws.
func (c *Run) Workload() string {
	var all []string
	if c.shown != nil {
		all = c.shown.Workloads()
	}
	switch {
	case slices.Contains(all, c.chosen):
		return c.chosen
	case len(all) > 0:
		return all[0]
	}
	return ""
}

// Version is the simulated one.
func (c *Run) Version() string {
	if c.shown == nil {
		return ""
	}
	return "1." + strconv.Itoa(c.shown.Scenario().Minor)
}

// Title names the run in the text of a link.
func (c *Run) Title() string {
	if c.shown != nil && c.shown.Scenario().Title.En != "" {
		return c.visit.Lang.In(c.shown.Scenario().Title)
	}
	return c.visit.Lang.Say("share-untitled")
}

// Curve is a small picture of the workload that is shown; see chart.Curve.
func (c *Run) Curve() string {
	if c.shown == nil {
		return ""
	}
	return chart.Curve(c.shown.Frames(c.Workload()), c.End())
}

// commandBefore says whether the person gave a command at or before t.
func (c *Run) commandBefore(t int64) bool { return len(upTo(c.rec.Commands, t)) > 0 }
