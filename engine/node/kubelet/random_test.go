package kubelet_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestAnyPodEnds: whatever a pod's containers do and whatever happens to it, the invariants of check hold, and a deleted pod is
// removed within its grace period and the two seconds that every container has.
func TestAnyPodEnds(t *testing.T) {
	for seed := uint64(0); seed < 500; seed++ {
		r := sim.NewRand(seed, "test")
		behaviour := kubelet.Behaviour{Match: "*", PullFails: one(r, 8), NeverReady: one(r, 5), Stop: exact(r.Intn(60_000)), Ready: exact(r.Intn(30_000))}
		if one(r, 3) {
			behaviour.CrashAfter = exact(r.Intn(40_000))
		}
		grace := r.Intn(40)
		spec := fmt.Sprintf(`{'terminationGracePeriodSeconds': %d, 'initContainers': [%s], 'containers': [%s]}`,
			grace, containers(r, "i", r.Intn(3), true), containers(r, "c", 1+r.Intn(2), false))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newSeededWorld(t, seed, behaviour)
			w.create("web", spec)
			end := r.Between(10, 400_000)
			for at := int64(10); at < end; at += r.Between(1, 60_000) {
				w.at(at)
				do := []func(api.Key) error{w.kubelet.Crash, w.kubelet.FailReadiness, w.kubelet.RestoreReadiness}[r.Intn(3)]
				_ = do(key("web")) // an error is fine
			}
			if at := end - seen; at > w.Kernel.Now() {
				w.at(at)
			}
			told := w.Kernel.Now()
			w.Delete(key("web"))
			w.runTo(10_000_000)
			last := w.Server.Store.Log[len(w.Server.Store.Log)-1]
			// A sync that kills containers, and starts them again, goes on for that long before the pod is stopped.
			if limit := told + sim.WatchLatency + 4*(1000*grace+2000) + 10_000; last.Type != sim.Deleted || last.At > limit {
				t.Errorf("deleted at %d with %d s, the last write is at %d, want a removal before %d\n%s\n%s", told, grace, last.At, limit, spec, w.trace())
			}
		})
	}
}

func one(r *sim.Rand, in int64) bool { return r.Intn(in) == 0 }

// containers returns n containers with random probes and hooks, in JSON.
func containers(r *sim.Rand, prefix string, n int64, sidecars bool) (list string) {
	for i := range n {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf(`{'name': '%s%d', 'image': 'a:%d'`, prefix, i, r.Intn(2))
		sidecar := sidecars && one(r, 2)
		if sidecar {
			list += `, 'restartPolicy': 'Always'`
		}
		if sidecar || !sidecars {
			for _, which := range []string{"startup", "liveness", "readiness"} {
				if one(r, 2) {
					list += fmt.Sprintf(`, '%sProbe': {'httpGet': {'port': 80}, 'initialDelaySeconds': %d, 'periodSeconds': %d, 'failureThreshold': %d}`,
						which, r.Intn(10), 1+r.Intn(10), 1+r.Intn(5))
				}
			}
			if one(r, 3) {
				list += fmt.Sprintf(`, 'lifecycle': {'preStop': {'sleep': {'seconds': %d}}}`, r.Intn(50))
			}
		}
		list += "}"
	}
	return list
}
