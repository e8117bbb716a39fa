package realkubelet

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/pleg"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

// instant is how long a step takes that takes no time in a bubble, but some on a machine: long enough for the other goroutines to go on. Some
// of the kubelet's goroutines race; where one outcome must be chosen, this chooses it:
//
//   - A probe takes that long, so what the kubelet does about a container that a probe's worker sees for the first time comes before its result.
//   - The worker of a probe that a sync triggers looks at the status that this sync sets, not at the one before.
//   - Of two events of the PLEG at the same time, the first one's sync begins before the second one comes.
const instant = time.Microsecond

// settleRaces makes the kubelet's races end the same way in each run.
func settleRaces(ctx context.Context, k *kubelet.Kubelet) {
	put[status.Manager](k, lateReader{inside(k, "statusManager").Interface().(status.Manager)}, "probeManager", "statusManager")
	put[pleg.PodLifecycleEventGenerator](k, oneByOne{inside(k, "pleg").Interface().(*pleg.GenericPLEG), ctx}, "pleg")
}

// lateReader is the status manager of the probes.
type lateReader struct{ status.Manager }

// GetPodStatus implements status.Manager.
func (r lateReader) GetPodStatus(uid types.UID) (corev1.PodStatus, bool) {
	time.Sleep(instant)
	return r.Manager.GetPodStatus(uid)
}

// oneByOne is a PLEG whose events come one by one.
type oneByOne struct {
	*pleg.GenericPLEG
	life context.Context
}

// Watch implements pleg.PodLifecycleEventGenerator.
func (o oneByOne) Watch() chan *pleg.PodLifecycleEvent {
	events := make(chan *pleg.PodLifecycleEvent)
	go func() {
		for {
			select {
			case e := <-o.GenericPLEG.Watch():
				time.Sleep(instant)
				events <- e
			case <-o.life.Done():
				return
			}
		}
	}()
	return events
}
