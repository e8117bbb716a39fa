package realkubelet

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/pleg"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
	"k8s.io/kubernetes/pkg/kubelet/status"
	"k8s.io/kubernetes/pkg/kubelet/util/queue"
)

// Instant is how long a step takes that takes no time in a bubble, but some on a machine: long enough for the other goroutines to go on. Some
// of the kubelet's goroutines race; where one outcome must be chosen, this chooses it:
//
//   - A probe takes ten times as long, and so does its worker's look at the pod's status: the worker of a probe that a sync triggers sees the status that
//     this sync sets, and what the kubelet does about a container that the worker sees for the first time comes before the probe's result.
//   - Of events of the PLEG, or results of probes, at the same time, the first one's sync begins before the second one comes.
//   - A relist comes before the look at the queue of pods that are due again: their syncs see what it has found, and come after those that it asks for.
//   - A result of a probe is sent as a status of its own, before the sync to which it leads sets the next one.
//   - A request takes time: the worker of a pod goes on while the status manager reads the pod. So a pod that has stopped is known to have when its
//     last status is sent.
const Instant = time.Microsecond

// Early is how much before a full ms a kubelet starts, so that its relists never have the very time of something else that happens in their ms:
// the engine, which counts whole ms, takes that to come after them.
const Early = 300 * time.Microsecond

// settleRaces makes the kubelet's races end the same way in each run.
func settleRaces(ctx context.Context, k *kubelet.Kubelet) {
	put[status.Manager](k, lateReader{inside(k, "statusManager").Interface().(status.Manager)}, "probeManager", "statusManager")
	Wrap(k, func(p status.PodDeletionSafetyProvider) status.PodDeletionSafetyProvider { return slowReader{p} }, "statusManager", "podDeletionSafety")
	late := slowQueue{inside(k, "workQueue").Interface().(queue.WorkQueue)}
	put[queue.WorkQueue](k, late, "workQueue")
	put[queue.WorkQueue](k, late, "podWorkers", "workQueue")
	lister := inside(k, "pleg").Interface().(*pleg.GenericPLEG)
	put[pleg.PodLifecycleEventGenerator](k, lifecycle{lister, oneByOne(ctx, lister.Watch(), 0, make(chan bool, 1))}, "pleg")
	Wrap(k, func(m status.Manager) status.Manager { return &teller{m} }, "statusManager")
	turn := make(chan bool, 1)
	for i, name := range []string{"livenessManager", "readinessManager", "startupManager"} {
		m := inside(k, name).Interface().(results.Manager)
		put[results.Manager](k, result{m, oneByOne(ctx, m.Updates(), time.Duration(1+i)*Instant/10, turn)}, name)
	}
}

// slowQueue is the queue of pods that are due again.
type slowQueue struct{ queue.WorkQueue }

// Enqueue implements queue.WorkQueue: a sync has taken some time, so a pod that is due after whole seconds misses the look of that very ms.
func (q slowQueue) Enqueue(pod types.UID, after time.Duration) {
	q.WorkQueue.Enqueue(pod, after+10*Instant)
}

// slowReader is asked by the status manager after it has read a pod from the API.
type slowReader struct {
	status.PodDeletionSafetyProvider
}

// PodCouldHaveRunningContainers implements status.PodDeletionSafetyProvider.
func (r slowReader) PodCouldHaveRunningContainers(pod *corev1.Pod) bool {
	time.Sleep(Instant)
	return r.PodDeletionSafetyProvider.PodCouldHaveRunningContainers(pod)
}

// told is how long it takes to tell a result: the sync to which it leads begins before the next result comes.
const told = Instant * 9 / 10

// teller is the status manager that the main loop tells the results of probes.
type teller struct{ status.Manager }

// SetContainerReadiness implements status.Manager.
func (t *teller) SetContainerReadiness(logger klog.Logger, pod types.UID, id kubecontainer.ContainerID, ready bool) {
	t.Manager.SetContainerReadiness(logger, pod, id, ready)
	time.Sleep(told)
}

// SetContainerStartup implements status.Manager.
func (t *teller) SetContainerStartup(logger klog.Logger, pod types.UID, id kubecontainer.ContainerID, started bool) {
	t.Manager.SetContainerStartup(logger, pod, id, started)
	time.Sleep(told)
}

// lateReader is the status manager of the probes.
type lateReader struct{ status.Manager }

// GetPodStatus implements status.Manager.
func (r lateReader) GetPodStatus(uid types.UID) (corev1.PodStatus, bool) {
	time.Sleep(10 * Instant)
	return r.Manager.GetPodStatus(uid)
}

// lifecycle is a PLEG whose events come one by one.
type lifecycle struct {
	*pleg.GenericPLEG
	events chan *pleg.PodLifecycleEvent
}

// Start implements pleg.PodLifecycleEventGenerator. The kubelet's other tickers begin after this.
func (l lifecycle) Start(ctx context.Context) {
	l.GenericPLEG.Start(ctx)
	time.Sleep(5 * Instant)
}

// Watch implements pleg.PodLifecycleEventGenerator.
func (l lifecycle) Watch() chan *pleg.PodLifecycleEvent { return l.events }

// result has the results of a kind of probe, which come one by one.
type result struct {
	results.Manager
	updates chan results.Update
}

// Updates implements results.Manager.
func (r result) Updates() <-chan results.Update { return r.updates }

// oneByOne passes on what comes, each a little later than the one before, until a context ends. Those that take turns do so together.
func oneByOne[T any](ctx context.Context, from <-chan T, after time.Duration, turn chan bool) chan T {
	to := make(chan T)
	go func() {
		for {
			select {
			case e := <-from:
				time.Sleep(after)
				turn <- true
				time.Sleep(Instant)
				to <- e
				<-turn
			case <-ctx.Done():
				return
			}
		}
	}()
	return to
}
