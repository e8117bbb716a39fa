// Package compare runs a scenario in the engine with the real controllers beside the engine's, and compares what the two
// do, reconcile by reconcile and eviction by eviction.
//
// The judge (judge.go) hands both sides the same work and collects what they did. Upstream leaves some things to chance:
// victims.go and nodes.go accept other choices than the engine's where upstream's own order leaves them open.
package compare

import (
	"fmt"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
)

// Verdict is the result of the comparison over one scenario.
type Verdict struct {
	Difference *Difference // nil: none
	Known      string      // the name of the known difference, "" if it is a new one
	Syncs      int
	Wakes      int
	Evictions  int
}

// Scenario runs a scenario in a bubble of fake time, with the real controllers beside the engine's.
func Scenario(t *testing.T, text string) (v Verdict) {
	synctest.Test(t, func(*testing.T) { v = inBubble(text) })
	if v.Difference != nil {
		v.Known = knownDifference(v.Difference)
	}
	return v
}

// syncsMax is the number of reconciles after which a scenario ends. Both sides can loop: a Deployment that was complete
// once and has unavailable pods is reconciled again without a pause after its deadline.
const syncsMax = 3000

func inBubble(text string) Verdict {
	w := world.Start(text).WithoutLimits()
	time.Sleep(time.Until(convert.WallTime(0))) // before anything in the bubble can wake up
	j := newJudge(w.Kernel, w.Server.Store)
	w.ObeyPhases()
	j.follow(w)
	for _, q := range j.queues {
		q.queue.ShutDown()
	}
	j.real.Stop()
	return Verdict{Difference: j.first, Syncs: j.syncs, Wakes: j.wakes, Evictions: j.evictions.count}
}

// follow runs the engine until it is done, differs, or has done enough.
func (j *judge) follow(w *world.World) {
	defer func() {
		if r := recover(); r != nil {
			j.differ("the engine", "panics", fmt.Sprintf("%v\n%s", r, debug.Stack()), "none")
		}
	}()
	for j.first == nil && j.syncs < syncsMax && !w.Run.Advance(1) {
	}
}
