package session

import (
	"time"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/words"
)

// sizing is what the session knows about the size of a run, and what the person wants of a large one.
type sizing struct {
	run      *engine.Run
	looked   bool // at the estimate
	estimate engine.Estimate
	answer   answer
}

// of returns what holds for a run: a person who wanted all of a large run wants all of it with one more command, too.
func (z sizing) of(r *engine.Run) sizing {
	if z.run == r {
		return z
	}
	next := sizing{run: r}
	if z.answer == computeIt && z.run.Recording().Scenario == r.Recording().Scenario {
		next.answer = computeIt
	}
	return next
}

// answer is what is to happen with a run that is too large to be computed without being asked.
type answer uint8

const (
	unasked   answer = iota
	asked            // nothing is computed until the person says how to go on
	computeIt        // all of it
	asWatched        // ahead of the cursor only
)

// What makes the session ask. Updating a Deployment of 3,500 pods stays below; one of 10,000 pods has 271,000 records. The
// first records show how fast this machine is.
const (
	largeRecords = 100_000
	firstRecords = 2_000
	watchedAhead = 10 * cursor.Second
)

// mustAsk says whether the run has turned out to be too large to be computed without being asked.
func (c *Run) mustAsk() bool {
	r := c.Latest()
	if c.now == nil || c.sizing.run != r || c.sizing.answer != unasked || r == nil || r.Done() || r.Len() < firstRecords {
		return false
	}
	if !c.sizing.looked {
		c.sizing.looked, c.sizing.estimate = true, r.Estimate()
	}
	return c.sizing.estimate.Records > largeRecords || r.Len() > largeRecords
}

// estimate is the size of the run; if it is already larger than expected, then twice what there is.
func (c *Run) estimate() engine.Estimate {
	r := c.Latest()
	e := r.Estimate()
	if e.Records < int64(r.Len())*3/2 {
		e.Records, e.Bytes = 2*int64(r.Len()), 2*r.Bytes()
	}
	return e
}

// Asks says that the person has to say how to go on.
func (c *Run) Asks() bool {
	r := c.Latest()
	return r != nil && !r.Done() && c.sizing.run == r && c.sizing.answer == asked
}

// Continue computes a large run: all of it, or only ahead of the cursor.
func (c *Run) Continue(all bool) {
	if c.sizing.answer = asWatched; all {
		c.sizing.answer = computeIt
	}
	c.visit.Say("")
}

// remaining is how long the rest of the run takes at the speed so far.
func (c *Run) remaining() time.Duration {
	if c.made == 0 {
		return 0
	}
	left := c.sizing.estimate.Records - int64(c.Latest().Len())
	return time.Duration(max(left, 0)) * c.worked / time.Duration(c.made)
}

// LargeText is the question whether to compute a large run. Go's collector needs twice the memory that is in use.
func (c *Run) LargeText() string {
	return c.visit.Lang.Say("large", about(int64(c.remaining()/time.Second)+1), about(2*c.sizing.estimate.Bytes>>20))
}

// about rounds a number up to its first two digits.
func about(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// Progress says how far a run is computed, "" once it is done.
func (c *Run) Progress() string {
	r := c.Latest()
	if r == nil || r.Done() {
		return ""
	}
	return c.visit.Lang.Say("still-computing", cursor.Clock(r.Now()), c.visit.Lang.Count(r.Len(), "records-one", "records"))
}

// endText says how a run ended early.
func (c *Run) endText(r *engine.Run) string {
	at := words.Seconds(r.Now()) + " s"
	switch r.Ended() {
	case engine.Stopped:
		return c.visit.Lang.Say("end-stopped", at, r.Len())
	case engine.Broke:
		return c.visit.Lang.Say("end-broke", at)
	case engine.Loops:
		return c.visit.Lang.Say("end-loops", at, r.Len())
	case engine.TooLarge:
		return c.visit.Lang.Say("end-large", at, r.Len(), about(2*r.Bytes()>>20))
	}
	return r.Cut()
}
