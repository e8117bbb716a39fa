package realcluster

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// phases are those of the kubelets' ticks in the real runs of a rollout.
var phases = []time.Duration{130 * time.Millisecond, 430 * time.Millisecond, 830 * time.Millisecond}

// latencies is what ours may differ by: the latencies of a few writes.
const latencies = 10

// Draw returns the rollout of a number.
func Draw(seed uint64, k int) Rollout {
	r := rand.New(rand.NewPCG(seed, uint64(k)))
	if r.IntN(4) == 0 {
		return Rollout{"StatefulSet", 1 + r.IntN(8), 1 + r.IntN(3)}
	}
	return Rollout{"Deployment", 1 + r.IntN(60), 1 + r.IntN(5)}
}

// String names a rollout.
func (r Rollout) String() string {
	return fmt.Sprintf("%s of %d replicas on %d nodes", r.Kind, r.Replicas, r.Nodes)
}

// Run is a rollout in a real cluster and in the engine.
type Run struct {
	Real, Ours Milestones
	Difference string // "" if there is none
	Choice     string // the choice that explains it, "" if none does
}

// KubeletLimit is a choice: a kubelet's client has no limit in the engine. Upstream's sends 50 requests a second after a burst of 100, two for
// each status, which shows when fifty pods of a node change at once. It explains a difference that is gone when the real kubelets have none.
const KubeletLimit = "kubelet-limit"

// Runs runs a rollout once for each phase. One and two processors take turns: they must not decide anything.
func (r Rollout) Runs(t *testing.T) (runs []Run) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, p := range phases {
		runtime.GOMAXPROCS(1 + i%2)
		ours, uids := r.Ours(p)
		unlimited := func() Milestones { return r.Real(t, p, uids, noLimit) }
		runs = append(runs, compared(r.Real(t, p, uids, machineQPS), ours, unlimited))
	}
	return runs
}

// compared compares two runs. A difference is explained if ours is like the run of kubelets without a limit.
func compared(real, ours Milestones, unlimited func() Milestones) Run {
	run := Run{Real: real, Ours: ours, Difference: Compare(real, ours)}
	if run.Difference != "" && Compare(unlimited(), ours) == "" {
		run.Choice = KubeletLimit
	}
	return run
}

// noLimit is the QPS of a client without a limit.
const noLimit = -1

// Compare says which milestone of ours a real run of the same phase has at another time.
func Compare(real, ours Milestones) string {
	for _, of := range []struct {
		name       string
		real, ours int64
	}{
		{"the first replica is available", real.First, ours.First},
		{"all replicas are available", real.All, ours.All},
		{"the rollout is complete after its change", real.Complete, ours.Complete},
	} {
		if d := of.ours - of.real; d < -latencies || d > latencies {
			return fmt.Sprintf("%s at %d ms in reality, at %d ms in ours", of.name, of.real, of.ours)
		}
	}
	return ""
}
