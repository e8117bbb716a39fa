package engine

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/scenarios"
)

// TestInvariants asserts SIM-9 after every record of every shipped scenario.
func TestInvariants(t *testing.T) {
	for _, name := range scenarios.Names() {
		run := mustRun(t, scenarios.Text(name))
		for _, violation := range violations(run) {
			t.Errorf("%s: %s", name, violation)
		}
	}
}

// violations lists where a run breaks the bounds of its rollouts by the controllers' own doing (SIM-9): the sizes of
// the ReplicaSets add up to more than replicas + maxSurge, although nobody has lowered that; or deleting pods has left
// fewer than replicas - maxUnavailable available ones.
//
// With minReadySeconds upstream itself breaks the latter: the Deployment counts on it that pods which are not available go
// first (D-54), but the ReplicaSet ranks pods that are not Ready first, and then may take an available one before
// one that is merely Ready. So there it is Ready pods that must not be too few. Fuzzing found this.
func violations(run *Run) []string {
	var out []string
	for _, name := range run.Workloads() {
		frames := run.Frames(name)
		for i := 1; i < len(frames); i++ {
			was, is := &frames[i-1], &frames[i]
			if sizes(is) > max(is.Upper, sizes(was)) && is.Upper >= was.Upper {
				out = append(out, fmt.Sprintf("%s at %d ms: the sizes add up to %d, the bound is %d", name, is.T, sizes(is), is.Upper))
			}
			lower := is.Lower
			for j := i - 1; j >= 0 && frames[j+1].T >= is.T-sim.WatchLatency; j-- {
				lower = min(lower, frames[j].Lower) // a bound that was just raised has not reached everyone yet
			}
			byController := run.Record(is.Record).Actor == "replicaset-controller"
			if byController && is.Available < was.Available && is.Available < lower && is.Ready < lower {
				out = append(out, fmt.Sprintf("%s at %d ms: %d available, the bound is %d", name, is.T, is.Available, lower))
			}
			if is.Total < 0 || is.Ready > is.Total || is.Available > is.Ready || is.Updated > is.Total || is.Terminating < 0 {
				out = append(out, fmt.Sprintf("%s at %d ms: impossible counts %+v", name, is.T, *is))
			}
		}
	}
	return out
}

func sizes(f *Frame) (sum int) {
	for _, rs := range f.ReplicaSets {
		sum += rs.Spec
	}
	return sum
}
