package realcluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// phases are those of the kubelets' ticks in the real runs of a rollout.
var phases = []time.Duration{130 * time.Millisecond, 430 * time.Millisecond, 830 * time.Millisecond}

// What ours may differ by: nothing but the latencies of a few writes where the real runs agree; else as far as two phases are apart.
const (
	latencies = 10
	apart     = 400
)

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

// Runs runs a rollout in a real cluster, once for each phase.
func (r Rollout) Runs(t *testing.T) (real []Milestones) {
	for _, p := range phases {
		real = append(real, r.Real(t, p))
	}
	return real
}

// Compare says which milestone of ours lies outside of what the real runs span. One that is exactly the known one, if that is not 0, may.
func Compare(real []Milestones, ours, known Milestones) string {
	for _, of := range []struct {
		name  string
		value func(Milestones) int64
	}{
		{"the first replica is available", func(m Milestones) int64 { return m.First }},
		{"all replicas are available", func(m Milestones) int64 { return m.All }},
		{"the rollout is complete after its change", func(m Milestones) int64 { return m.Complete }},
	} {
		low, high := of.value(real[0]), of.value(real[0])
		for _, m := range real {
			low, high = min(low, of.value(m)), max(high, of.value(m))
		}
		slack := int64(latencies)
		if high-low > latencies {
			slack = apart
		}
		if v := of.value(ours); (v == 0 || v != of.value(known)) && (v < low-slack || v > high+slack) {
			return fmt.Sprintf("%s at %d to %d ms in reality, at %d ms in ours", of.name, low, high, v)
		}
	}
	return ""
}
