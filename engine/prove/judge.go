package prove

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// judge reports whether everything held in the run, from the update on.
func (x *player) judge() {
	frames := x.run.Frames(x.proof.Plan.Workload)
	u := x.update()
	if u == nil {
		x.fail(x.run.Now(), "the update does not begin")
		return
	}
	first := max(1, past.FrameAfter(frames, u.Record))
	for i := first; i < len(frames); i++ {
		if i == first {
			x.result.replicas = frames[i].Desired
		}
		if says := x.wrong(&frames[i-1], &frames[i]); says != "" {
			x.fail(frames[i].T, says)
			return
		}
	}
	if !x.stopped && u.Result != forecast.Complete {
		says := "the update is " + string(u.Result)
		if d := diagnosis.Of(x.run.Past(), x.proof.Plan.Workload, x.run.Len()-1, x.run.Now()); len(d.Findings) > 0 {
			says += ": " + d.Findings[0].Text
		}
		x.fail(x.run.Now(), says)
	}
}

// wrong describes the bound that a frame breaks, "" if it breaks none. Pods that are lost to a crash or with a node are no controller's
// fault; a bound that was not reached yet is not broken either (SIM-9).
func (x *player) wrong(was, is *engine.Frame) string {
	o := &x.proof.Options
	switch {
	case o.MinAvailable >= 0 && is.Available < o.MinAvailable:
		return fmt.Sprintf("%s available; at least %d must be", words.Plural(is.Available, "pod"), o.MinAvailable)
	case o.MaxPods >= 0 && is.Total+is.Terminating > o.MaxPods:
		return fmt.Sprintf("%s, %d of them terminating; at most %d may be",
			words.Plural(is.Total+is.Terminating, "pod"), is.Terminating, o.MaxPods)
	case o.MinAvailable < 0 && is.Available < was.Available && is.Available < is.Lower-x.allowance():
		return fmt.Sprintf("%s available, fewer than desired - maxUnavailable = %d", words.Plural(is.Available, "pod"), is.Lower)
	case o.MaxPods < 0 && is.Total > was.Total && is.Total > is.Upper:
		return fmt.Sprintf("%s, more than desired + maxSurge = %d", words.Plural(is.Total, "pod"), is.Upper)
	}
	return ""
}

// allowance is how many pods the environment has taken.
func (x *player) allowance() int {
	n := x.lost
	if x.crashed {
		n++
	}
	return n
}

// fail keeps the run as a counterexample, up to the moment at which something did not hold.
func (x *player) fail(at int64, says string) {
	c := &Counterexample{Recording: x.run.Recording(), Says: says, At: at}
	c.Recording.Commands = slices.DeleteFunc(slices.Clone(c.Recording.Commands), func(command engine.Command) bool { return command.At > at })
	for _, s := range x.steps {
		if s.at <= at {
			c.Steps = append(c.Steps, s.text)
		}
	}
	x.result.counter = c
}
