package forecast

import (
	"fmt"
	"sort"

	"github.com/rollplay/rollplay/engine/frames"
)

// Figures are the numbers of a stretch of time. A state counts if it lasts at least a millisecond: a state that comes and goes within
// one is seen by nobody.
type Figures struct {
	Lowest   int   `json:"lowest"`   // available pods at the worst moment, the one with the smallest share of the desired
	LowestOf int   `json:"lowestOf"` // desired pods at that moment; 0 if no pod was ever desired
	LowestAt int64 `json:"lowestAt"` // virtual ms

	BelowDesired int64 `json:"belowDesired"` // ms with fewer available pods than desired
	BelowBound   int64 `json:"belowBound"`   // ms with fewer than desired - maxUnavailable
	AtZero       int64 `json:"atZero"`       // ms without any although some are desired, after the first one was available

	PeakPods   int   `json:"peakPods"` // including terminating ones
	PeakAt     int64 `json:"peakAt"`
	PeakCPU    int64 `json:"peakCPU"`    // requests of the existing pods, in thousandths of a CPU
	PeakMemory int64 `json:"peakMemory"` // in bytes

	ExtraPodMs int64 `json:"extraPodMs"` // pod-ms above desired, terminating pods included, until the last of them is gone
	NodeMs     int64 `json:"nodeMs"`     // node-ms of the whole cluster until then, whether the rollout uses the nodes or not
	Created    int   `json:"created"`    // pods created
	Refused    int   `json:"refused"`    // evictions of its pods that a budget refused
}

// LowestPercent returns the smallest share of the desired pods that was available, rounded down: 6 of 8 are 75.
func (f *Figures) LowestPercent() int {
	if f.LowestOf == 0 {
		return 100
	}
	return f.Lowest * 100 / f.LowestOf
}

// LowestText writes the fewest available pods for people: 8 of 10 (80%).
func (f *Figures) LowestText() string {
	if f.LowestOf == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%d%%)", f.Lowest, f.LowestOf, f.LowestPercent())
}

// state holds the counts of a workload between two changes.
type state struct {
	desired, total, updated, available, terminating, lower int
	nodes                                                  int // of the cluster
	cpu, memory                                            int64
}

// pods returns the number of pods, including terminating ones.
func (s *state) pods() int { return s.total + s.terminating }

// tally adds up figures.
type tally struct {
	Figures
	any bool // a state was counted
}

// add counts a state that holds from one moment to another; up says that the workload has had an available pod.
func (t *tally) add(s *state, from, to int64, up bool) {
	ms := to - from
	if ms <= 0 {
		return
	}
	t.low(s, from)
	if s.available < s.desired {
		t.BelowDesired += ms
	}
	if s.available < s.lower {
		t.BelowBound += ms
	}
	if s.available == 0 && s.desired > 0 && up {
		t.AtZero += ms
	}
	t.addCost(s, from, to)
}

// low keeps the state if a smaller share of its pods is available: 6 of 8 is worse than 8 of 10. It is compared without
// dividing: a/b < c/d is a·d < c·b.
func (t *tally) low(s *state, at int64) {
	t.any = true
	if s.desired > 0 && (t.LowestOf == 0 || s.available*t.LowestOf < t.Lowest*s.desired) {
		t.Lowest, t.LowestOf, t.LowestAt = s.available, s.desired, at
	}
}

// addCost counts the pods, requests and nodes of a state.
func (t *tally) addCost(s *state, from, to int64) {
	if n := s.pods(); n > t.PeakPods {
		t.PeakPods, t.PeakAt = n, from
	}
	t.PeakCPU, t.PeakMemory = max(t.PeakCPU, s.cpu), max(t.PeakMemory, s.memory)
	t.ExtraPodMs += int64(max(0, s.pods()-s.desired)) * (to - from)
	t.NodeMs += int64(s.nodes) * (to - from)
}

// Between returns the availability of a workload from one virtual ms to another, and since when no pod has been available: -1 if one
// is, none was yet or none is desired. The state of the last moment counts even if it has just begun.
func Between(all []frames.Frame, from, to int64) (sum Figures, down int64) {
	begin := sort.Search(len(all), func(i int) bool { return all[i].T > from })
	for begin = max(0, begin-1); begin > 0 && all[begin].Available == 0; begin-- { // a pod was available there
	}
	var t tally
	up := false
	down = -1
	for i := begin; i < len(all); i++ {
		f, until, last := &all[i], to, i+1 == len(all) || all[i+1].T > to
		if f.T > to {
			break
		}
		if !last {
			until = all[i+1].T
		}
		up = up || f.Available > 0
		if !up || f.Available > 0 || f.Desired == 0 {
			down = -1
		} else if down < 0 {
			down = f.T
		}
		now := state{desired: f.Desired, available: f.Available}
		if last {
			t.low(&now, max(f.T, from))
		}
		t.add(&now, max(f.T, from), until, up)
	}
	return t.Figures, down
}
