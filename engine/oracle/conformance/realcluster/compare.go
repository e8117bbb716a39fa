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

// Runs runs a rollout in a real cluster and in the engine, once for each phase. One and two processors take turns: they must not decide anything.
func (r Rollout) Runs(t *testing.T) (real, ours []Milestones) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, p := range phases {
		runtime.GOMAXPROCS(1 + i%2)
		mine, uids := r.Ours(p)
		real, ours = append(real, r.Real(t, p, uids)), append(ours, mine)
	}
	return real, ours
}

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
