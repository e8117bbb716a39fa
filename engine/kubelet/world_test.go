package kubelet_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/kubelet"
	"github.com/rollplay/rollplay/engine/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster of one node without controllers.
type world struct {
	kernel  *sim.Kernel
	server  *apiserver.Server
	kubelet *kubelet.Kubelet
	user    *apiserver.Client
}

func newWorld(behaviours ...kubelet.Behaviour) *world {
	w := &world{kernel: &sim.Kernel{}}
	w.server = apiserver.New(w.kernel, 1)
	w.user = w.server.Client("kubectl")
	w.user.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-1"}}, "created", nil)
	scheduler.New(w.server)
	w.kubelet = kubelet.New(w.server, 1, behaviours)
	return w
}

func key(name string) api.Key { return api.Key{Kind: api.KindPod, Namespace: "default", Name: name} }

// create makes a pod of a spec in JSON.
func (w *world) create(t testing.TB, name, spec string) {
	t.Helper()
	s := &api.PodSpec{}
	if err := json.Unmarshal([]byte(spec), s); err != nil {
		t.Fatal(err)
	}
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: s}
	if _, err := w.user.Create(pod, "created", nil); err != nil {
		t.Fatal(err)
	}
}

func (w *world) pod(name string) *api.Pod {
	p, _ := w.server.Store.Get(key(name)).(*api.Pod)
	return p
}

// runTo lets the time pass up to and including a moment.
func (w *world) runTo(at sim.Time) {
	for {
		next, ok := w.kernel.Next()
		if !ok || next > at {
			return
		}
		w.kernel.Step()
	}
}

// status returns STATUS as kubectl prints it (K-52).
func status(p *api.Pod) string {
	ready := 0
	text := p.Status.Phase
	for _, c := range p.Status.ContainerStatuses {
		if c.Ready {
			ready++
		}
		if c.State.Kind != api.Running {
			text = c.State.Reason
		}
	}
	if p.Terminating() {
		text = "Terminating"
	}
	return fmt.Sprintf("%d/%d %s", ready, len(p.Spec.Containers), text)
}

// trace prints what has happened, a line for each record from the first on.
func (w *world) trace(from int) string {
	var b strings.Builder
	for _, r := range w.kernel.Trace.Records[from:] {
		fmt.Fprintf(&b, "%6d %s %s", r.At, r.Actor, r.Object.Name)
		switch r.Kind {
		case sim.Notice:
			fmt.Fprintf(&b, " %s %s: %s\n", r.Type, r.Reason, r.What)
		default:
			c := w.server.Store.Log[r.Change]
			line := "gone"
			if p, ok := c.New.(*api.Pod); ok {
				line = status(p)
			}
			fmt.Fprintf(&b, ": %s (%s)\n", line, r.What)
		}
	}
	return b.String()
}

func TestTmp(t *testing.T) {
	w := newWorld()
	w.create(t, "web", `{"containers":[{"name":"c","image":"nginx:1","readinessProbe":{"httpGet":{},"initialDelaySeconds":5}}]}`)
	w.runTo(20000)
	w.user.Delete(key("web"), apiserver.DeleteOptions{}, "deleted", nil)
	w.runTo(100000)
	t.Log("\n" + w.trace(0))
	t.Log("\n", w.pod("web"))
}
