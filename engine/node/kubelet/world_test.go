package kubelet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// seen is when the kubelet sees a pod that was created at 0: its way to the scheduler, the scheduling, and the
// binding's way to the kubelet.
const seen = sim.WatchLatency + 5 + sim.WatchLatency

// world is a cluster of one node without controllers.
type world struct {
	kernel  *sim.Kernel
	server  *apiserver.Server
	kubelet *kubelet.Kubelet
	user    *apiserver.Client
}

func newWorld(t testing.TB, behaviours ...kubelet.Behaviour) *world {
	t.Helper()
	return newSeededWorld(t, 1, behaviours...)
}

func newSeededWorld(t testing.TB, seed uint64, behaviours ...kubelet.Behaviour) *world {
	t.Helper()
	w := &world{kernel: &sim.Kernel{}}
	w.server = apiserver.New(w.kernel, seed)
	w.user = w.server.Client("kubectl")
	if _, err := w.user.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-1"}}, "created", nil); err != nil {
		t.Fatal(err)
	}
	scheduler.New(w.server)
	w.kubelet = kubelet.New(w.server, seed, behaviours)
	return w
}

// exact is a range of one value.
func exact(ms int64) *kubelet.Range { return &kubelet.Range{Min: ms, Max: ms} }

// instant is an image that is pulled and started in no time, so that S is the moment when the kubelet sees the pod.
func instant(b kubelet.Behaviour) kubelet.Behaviour {
	b.Match, b.Pull, b.Start = "*", exact(0), exact(0)
	return b
}

func key(name string) api.Key { return api.Key{Kind: api.KindPod, Namespace: "default", Name: name} }

func specOf(t testing.TB, text string) *api.PodSpec {
	t.Helper()
	s, err := decode.PodSpec([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// create makes a pod of a spec in JSON, in which single quotes stand for double ones.
func (w *world) create(t testing.TB, name, spec string) {
	t.Helper()
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: specOf(t, strings.ReplaceAll(spec, "'", `"`))}
	if _, err := w.user.Create(pod, "created", nil); err != nil {
		t.Fatal(err)
	}
}

func (w *world) delete(t testing.TB, name string) {
	t.Helper()
	if err := w.user.Delete(key(name), apiserver.DeleteOptions{}, "deleted", nil); err != nil {
		t.Fatal(err)
	}
}

// runTo lets the time pass up to and including a moment, and checks each event's outcome.
func (w *world) runTo(t testing.TB, at sim.Time) {
	t.Helper()
	for {
		next, ok := w.kernel.Next()
		if !ok || next > at {
			break
		}
		w.kernel.Step()
	}
	w.check(t)
}

// check asserts what must hold of every version of every pod.
func (w *world) check(t testing.TB) {
	t.Helper()
	for _, c := range w.server.Store.Log {
		p, ok := c.New.(*api.Pod)
		if !ok || p.NodeName == "" || len(p.Status.ContainerStatuses) == 0 {
			continue
		}
		ready := true
		for _, c := range p.Status.ContainerStatuses {
			ready = ready && c.Ready
			if c.Ready && (c.State.Kind != api.Running || !c.Started) {
				t.Errorf("%s is ready but not started and running: %+v", c.Name, c)
			}
		}
		if ready && p.Status.Phase != api.PodRunning {
			t.Errorf("all containers are ready, but the phase is %s", p.Status.Phase)
		}
		if containers := api.FindCondition(p.Status.Conditions, "ContainersReady"); containers.Status != api.FindCondition(p.Status.Conditions, "Ready").Status {
			t.Errorf("Ready and ContainersReady differ without readiness gates: %+v", p.Status.Conditions)
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

// trace prints what has happened to pods, a line for each record: the time, the event, or the status and what was
// written.
func (w *world) trace() string {
	var b strings.Builder
	for _, r := range w.kernel.Trace.Records {
		if r.Object.Kind != api.KindPod {
			continue
		}
		if r.Kind == sim.Notice {
			fmt.Fprintf(&b, "%d %s: %s\n", r.At, r.Reason, r.What)
			continue
		}
		line := "gone"
		if p, ok := w.server.Store.Log[r.Change].New.(*api.Pod); ok {
			line = status(p)
		}
		fmt.Fprintf(&b, "%d [%s] %s\n", r.At, line, r.What)
	}
	return b.String()
}

// times lists when events of a reason were sent, in ms after the kubelet saw its first pod.
func (w *world) times(reason string) (list []sim.Time) {
	for _, r := range w.kernel.Trace.Records {
		if r.Kind == sim.Notice && r.Reason == reason {
			list = append(list, r.At-seen)
		}
	}
	return list
}

// changes lists the ms, after the kubelet saw its first pod, at which what a status shows changed.
func (w *world) changes(show func(*api.Pod) string) (list []string) {
	last := ""
	for _, c := range w.server.Store.Log {
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

// at lets the time pass up to a moment, counted in ms after the kubelet saw its first pod, so that something can be
// done just then.
func (w *world) at(t testing.TB, ms sim.Time) {
	t.Helper()
	w.kernel.Schedule(sim.Event{At: seen + ms, To: nothing{}})
	w.runTo(t, seen+ms)
}

// nothing lets time pass.
type nothing struct{}

func (nothing) Handle(sim.Event) {}

// contains asserts that the trace has lines with these texts.
func (w *world) contains(t testing.TB, texts ...string) {
	t.Helper()
	trace := w.trace()
	for _, text := range texts {
		if !strings.Contains(trace, text) {
			t.Errorf("no line has %q in:\n%s", text, trace)
		}
	}
}
