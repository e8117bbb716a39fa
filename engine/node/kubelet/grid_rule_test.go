package kubelet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestProbeGrid is G-21: the probe runs with the status that shows the container, again at the next two relists, 0.998 and 1.998 s later, and
// from then on in its period, unless its delay is not over. The app answers at 9 s.
func TestProbeGrid(t *testing.T) {
	for _, tt := range []struct {
		delay, period int
		unhealthy     []sim.Time
		ready         string
	}{
		{0, 1, []sim.Time{0}, "9998 true"},
		{3, 4, []sim.Time{5998}, "9998 true"},
		{3, 6, []sim.Time{7998}, "13998 true"},
		{8, 10, nil, "11998 true"},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(9000)}))
		w.create("web", fmt.Sprintf(`{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe':
			{'httpGet': {'port': 80}, 'initialDelaySeconds': %d, 'periodSeconds': %d}}]}`, tt.delay, tt.period))
		w.runTo(100_000)
		if got := w.times("Unhealthy"); !slices.Equal(got, tt.unhealthy) {
			t.Errorf("delay %d, period %d: unhealthy at %v, want %v", tt.delay, tt.period, got, tt.unhealthy)
		}
		if got := w.changes(readiness); got[len(got)-1] != tt.ready {
			t.Errorf("delay %d, period %d: %q, want %s", tt.delay, tt.period, got, tt.ready)
		}
	}
}

// TestTimingDefaults is SIM-6: 1 ms until a pod is bound, a pull of 1 to 3 s unless the image is on the node, 300 ms to the running
// container, and 1 s from the signal to the exit.
func TestTimingDefaults(t *testing.T) {
	pulls := map[bool]int{}
	for seed := range uint64(20) {
		w := newSeededWorld(t, seed)
		for _, name := range []string{"first", "second"} {
			w.create(name, plain)
			w.at(20_000 * sim.Time(1+len(w.times("Started"))))
		}
		w.Delete(key("second"))
		w.runTo(200_000)
		pulled, started, killing := w.times("Pulled"), w.times("Started"), w.times("Killing")
		took := pulled[0]
		if took < 1000 || took > 3000 || started[0] != took+300 {
			t.Errorf("seed %d: pulled at %d and started at %d", seed, took, started[0])
		}
		pulls[took < 2000]++
		if second := w.times("Scheduled")[1]; pulled[1] != second+sim.WatchLatency || started[1] != pulled[1]+300 {
			t.Errorf("seed %d: the second pod is scheduled at %d, pulled at %d, started at %d", seed, second, pulled[1], started[1])
		}
		log := w.Server.Store.Log
		if last := log[len(log)-1]; last.Type != sim.Deleted || last.At-seen != killing[0]+1000+997 { // the next relist
			t.Errorf("seed %d: told to stop at %d, gone at %d", seed, killing[0], last.At-seen)
		}
	}
	if pulls[true] == 0 || pulls[false] == 0 {
		t.Errorf("the pulls of 20 seeds are not spread: %v", pulls)
	}
}
