package kubelet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// seen is when the kubelet sees a pod that was created at 0: its way to the scheduler, and the binding's way to the kubelet.
const seen = 2 * sim.WatchLatency

// world is a cluster of one node without controllers.
type world struct {
	*cluster.Cluster
	kubelet *kubelet.Kubelet
}

func newWorld(t testing.TB, behaviours ...kubelet.Behaviour) *world {
	t.Helper()
	return newSeededWorld(t, 1, behaviours...)
}

func newSeededWorld(t testing.TB, seed uint64, behaviours ...kubelet.Behaviour) *world {
	t.Helper()
	w := &world{Cluster: cluster.Seeded(t, seed)}
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-1"}})
	scheduler.New(w.Server)
	w.kubelet = kubelet.New(w.Server, seed, behaviours)
	return w
}

// exact is a range of one value.
func exact(ms int64) *kubelet.Range { return &kubelet.Range{Min: ms, Max: ms} }

// instant is an image that is pulled and started in no time, so S is when the kubelet sees the pod.
func instant(b kubelet.Behaviour) kubelet.Behaviour {
	b.Match, b.Pull, b.Start = "*", exact(0), exact(0)
	return b
}

func key(name string) api.Key { return cluster.Key(api.KindPod, name) }

// create makes a pod of a spec in JSON, in which single quotes replace double quotes.
func (w *world) create(name, spec string) {
	w.T.Helper()
	w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: cluster.Spec(w.T, spec)})
}

// runTo lets time pass up to and including a moment, and checks what came of it.
func (w *world) runTo(at sim.Time) {
	w.T.Helper()
	w.Until(at)
	w.check()
}

// check asserts what must hold of every version of every pod.
func (w *world) check() {
	w.T.Helper()
	for _, c := range w.Server.Store.Log {
		p, ok := c.New.(*api.Pod)
		if !ok || p.NodeName == "" || len(p.Status.ContainerStatuses) == 0 {
			continue
		}
		ready := true
		for _, c := range p.Status.ContainerStatuses {
			ready = ready && c.Ready
			if c.Ready && (c.State.Kind != api.Running || !c.Started) {
				w.T.Errorf("%s is ready but not started and running: %+v", c.Name, c)
			}
		}
		if ready && p.Status.Phase != api.PodRunning {
			w.T.Errorf("all containers are ready, but the phase is %s", p.Status.Phase)
		}
		if containers := api.FindCondition(p.Status.Conditions, "ContainersReady"); p.Spec.ReadinessGates == nil && containers.Status != api.FindCondition(p.Status.Conditions, "Ready").Status {
			w.T.Errorf("Ready and ContainersReady differ without readiness gates: %+v", p.Status.Conditions)
		}
	}
}

// status returns READY and STATUS as kubectl prints them (K-52).
func status(p *api.Pod) string {
	ready, text := 0, p.Status.Phase
	for _, list := range [][]api.ContainerStatus{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} {
		for _, c := range list {
			if c.State.Kind != api.Running && (c.State.Reason != "Completed" || !c.Ready) && c.State.Reason != "PodInitializing" {
				text = c.State.Reason
			}
		}
	}
	for _, c := range p.Status.ContainerStatuses {
		if c.Ready {
			ready++
		}
	}
	if p.Terminating() {
		text = "Terminating"
	}
	return fmt.Sprintf("%d/%d %s", ready, len(p.Spec.Containers), text)
}

// trace prints the records of pods, a line each: the time, and the event or the status with the text of the write.
func (w *world) trace() string {
	var b strings.Builder
	for _, r := range w.Kernel.Trace.Records {
		if r.Object.Kind != api.KindPod {
			continue
		}
		if r.Kind == sim.Notice {
			fmt.Fprintf(&b, "%d %s: %s\n", r.At, r.Reason, r.What)
			continue
		}
		line := "gone"
		if p, ok := w.Server.Store.Log[r.Change].New.(*api.Pod); ok {
			line = status(p)
		}
		fmt.Fprintf(&b, "%d [%s] %s\n", r.At, line, r.What)
	}
	return b.String()
}

// times lists when events of a reason were sent, in ms after the kubelet saw its first pod.
func (w *world) times(reason string) (list []sim.Time) {
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Notice && r.Reason == reason {
			list = append(list, r.At-seen)
		}
	}
	return list
}

// changes lists when the shown part of a status changed, in ms after the kubelet saw its first pod.
func (w *world) changes(show func(*api.Pod) string) (list []string) {
	last := ""
	for _, c := range w.Server.Store.Log {
		text := "gone"
		if p, ok := c.New.(*api.Pod); ok {
			text = show(p)
		} else if _, ok := c.Old.(*api.Pod); !ok {
			continue
		}
		if text != last {
			list = append(list, fmt.Sprintf("%d %s", c.At-seen, text))
			last = text
		}
	}
	return list
}

func readiness(p *api.Pod) string { return fmt.Sprint(p.IsReady()) }

// at lets time pass up to a moment, counted in ms after the kubelet saw its first pod.
func (w *world) at(ms sim.Time) { w.runTo(seen + ms) }

// contains asserts that the trace has lines with these texts.
func (w *world) contains(texts ...string) {
	w.T.Helper()
	trace := w.trace()
	for _, text := range texts {
		if !strings.Contains(trace, text) {
			w.T.Errorf("no line has %q in:\n%s", text, trace)
		}
	}
}
