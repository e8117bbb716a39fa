package engine

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/scenarios"
)

// TestInvariants asserts SIM-9 after every record of every shipped scenario, but for that in which a person scales a ReplicaSet
// past its Deployment.
func TestInvariants(t *testing.T) {
	for _, name := range scenarios.Names() {
		if name == "hand-scaled-rs" {
			continue
		}
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
// The latter is not asserted with minReadySeconds, where upstream itself does not keep it: the Deployment counts on it that
// pods which are not available go first (D-54), but the ReplicaSet ranks pods that are not Ready first, and may take
// an available pod before one that is only Ready. Nor does it hold while a change of spec.replicas spreads: in mid-rollout the
// ReplicaSets shrink in proportion to their sizes, whatever is available (D-70). A pod that becomes ready in the ms in which a
// controller deletes it as unhealthy does not count: with 8 of at least 9 available, an old pod may go (D-54), and that it is the
// ninth comes 1 ms too late. And a Deployment that shrinks one ReplicaSet and, in its next sync, another one still counts the available pods
// that the first is about to delete: it reads them from a status. Fuzzing found all four, and the real controllers do the same.
func violations(run *Run) []string {
	var out []string
	for _, name := range run.Workloads() {
		waits := api.MinReadySecondsOf(run.world.counts.Object(name)) > 0
		frames := run.Frames(name)
		const scaling = 100 // ms in which a changed spec.replicas has reached everyone
		scaled := int64(-scaling)
		for i := 1; i < len(frames); i++ {
			was, is := &frames[i-1], &frames[i]
			lower, upper, seen := is.Lower, is.Upper, was.Available
			for j := i - 1; j >= 0 && frames[j+1].T >= is.T-sim.WatchLatency; j-- { // what has just changed has not reached everyone yet
				lower, upper, seen = min(lower, frames[j].Lower), max(upper, frames[j].Upper), min(seen, frames[j].Available)
			}
			syncEnds := i+1 == len(frames) || frames[i+1].T > is.T // proportional scaling grows one ReplicaSet, then shrinks another
			if syncEnds && sizes(is) > max(upper, sizesBefore(frames, i)) {
				out = append(out, fmt.Sprintf("%s at %d ms: the sizes add up to %d, the bound is %d", name, is.T, sizes(is), is.Upper))
			}
			if is.Desired != was.Desired {
				scaled = is.T
			}
			byController := run.Record(is.Record).Actor == "replicaset-controller"
			if byController && is.Available < seen && is.Available < lower && is.T > scaled+scaling && !waits && !twoShrink(frames, i) {
				out = append(out, fmt.Sprintf("%s at %d ms: %d available, the bound is %d", name, is.T, is.Available, lower))
			}
			if is.Total < 0 || is.Ready > is.Total || is.Available > is.Ready || is.Updated > is.Total || is.Terminating < 0 {
				out = append(out, fmt.Sprintf("%s at %d ms: impossible counts %+v", name, is.T, *is))
			}
		}
	}
	return out
}

// twoShrink says whether more than one ReplicaSet lost available pods in the last moments before a frame: a status is written in the ms
// of the deletion, and read 1 ms later.
func twoShrink(frames []Frame, i int) bool {
	shrank := map[string]bool{}
	for j := i; j > 0 && frames[j].T >= frames[i].T-2*sim.WatchLatency; j-- {
		for _, was := range frames[j-1].ReplicaSets {
			for _, is := range frames[j].ReplicaSets {
				if is.Name == was.Name && is.Available < was.Available {
					shrank[is.Name] = true
				}
			}
		}
	}
	return len(shrank) > 1
}

func sizes(f *Frame) (sum int) {
	for _, rs := range f.ReplicaSets {
		sum += rs.Spec
	}
	return sum
}

// sizesBefore adds up the sizes before the millisecond of a frame.
func sizesBefore(frames []Frame, i int) int {
	j := i
	for j > 0 && frames[j].T == frames[i].T {
		j--
	}
	return sizes(&frames[j])
}
