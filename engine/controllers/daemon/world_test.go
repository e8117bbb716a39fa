package daemon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// testWorld is a cluster of a few nodes with one DaemonSet called agent. Its fleet binds, starts and stops pods.
type testWorld struct {
	t      *testing.T
	kernel *sim.Kernel
	server *apiserver.Server
	client *apiserver.Client
	c      *Controller
	fleet  *fleet
	rows   []string // of the status, each change of it
}

// fleet is a scheduler that puts pods where they are meant to be, and the kubelets of all nodes.
type fleet struct {
	w           *testWorld
	start, stop int64               // ms from the binding to Ready, and from the deletion to the end
	fails       func(*api.Pod) bool // pods that fail instead of starting
}

const (
	opBind uint8 = iota
	opStart
	opStop
)

func key() api.Key { return api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"} }

// newTestWorld makes nodes node-1 … and a DaemonSet, which the test may change first. Nothing has happened yet.
func newTestWorld(t *testing.T, nodes int, edit func(*api.DaemonSet)) *testWorld {
	t.Helper()
	k := &sim.Kernel{}
	s := apiserver.New(k, 1)
	w := &testWorld{t: t, kernel: k, server: s, client: s.Client("test"), c: New(s)}
	w.fleet = &fleet{w: w, start: 1000, stop: 1000}
	s.Store.Informer(api.KindPod).AddHandler(w.fleet)
	s.Store.Informer(api.KindDaemonSet).AddHandler(w)
	for i := range nodes {
		w.addNode(i+1, nil)
	}
	ds := newDaemonSet(t)
	if edit != nil {
		edit(ds)
	}
	w.must(w.client.Create(ds, "", nil))
	return w
}

func newDaemonSet(t *testing.T) *api.DaemonSet {
	t.Helper()
	ds := &api.DaemonSet{ObjectMeta: api.ObjectMeta{Name: "agent", Namespace: "default"},
		Spec: api.DaemonSetSpec{Selector: &api.LabelSelector{MatchLabels: map[string]string{"app": "agent"}}, Template: template(t, "v1")}}
	decode.DefaultDaemonSet(ds)
	return ds
}

// template is a pod template with one container of an image; fields of its spec may follow, as JSON.
func template(t *testing.T, image string, fields ...string) api.PodTemplateSpec {
	t.Helper()
	text := `{"metadata":{"labels":{"app":"agent"}},"spec":{` + strings.Join(append(fields, `"containers":[{"name":"agent","image":"`+image+`"}]`), ",") + `}}`
	template, err := decode.Template([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// surge lets a DaemonSet have new pods beside old ones.
func surge(n int32, minReadySeconds int32) func(*api.DaemonSet) {
	return func(ds *api.DaemonSet) {
		ds.Spec.MinReadySeconds = minReadySeconds
		ds.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: api.Int(n), MaxUnavailable: api.Int(0)}
	}
}

func unavailable(v *api.IntOrString) func(*api.DaemonSet) {
	return func(ds *api.DaemonSet) {
		ds.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: api.Int(0), MaxUnavailable: v}
	}
}

func onDelete(ds *api.DaemonSet) {
	ds.Spec.UpdateStrategy = api.DaemonSetUpdateStrategy{Type: "OnDelete"}
}

func (w *testWorld) must(_ api.Object, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func nodeName(i int) string { return fmt.Sprint("node-", i) }

func (w *testWorld) addNode(i int, labels map[string]string, taints ...api.Taint) {
	w.t.Helper()
	w.must(w.client.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: nodeName(i), Labels: labels}, Spec: api.NodeSpec{Taints: taints}}, "", nil))
}

func (w *testWorld) node(i int) *api.Node {
	return w.server.Store.Get(api.Key{Kind: api.KindNode, Name: nodeName(i)}).(*api.Node)
}

// editNode changes a node's spec and labels now.
func (w *testWorld) editNode(i int, edit func(*api.Node)) {
	w.t.Helper()
	n := w.node(i).DeepCopy()
	edit(n)
	w.must(w.client.Update(n, "", nil))
}

func (w *testWorld) taint(i int, taints ...api.Taint) {
	w.t.Helper()
	w.editNode(i, func(n *api.Node) { n.Spec.Taints = taints })
}

func (w *testWorld) ds() *api.DaemonSet { return w.server.Store.Get(key()).(*api.DaemonSet) }

// editDS changes the spec now, as kubectl does.
func (w *testWorld) editDS(edit func(*api.DaemonSet)) {
	w.t.Helper()
	ds := w.ds().DeepCopy()
	edit(ds)
	w.must(w.client.Update(ds, "", nil))
}

// image changes the template's image now.
func (w *testWorld) image(image string) {
	w.t.Helper()
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.Template = template(w.t, image) })
}

// until handles all events up to and including a moment.
func (w *testWorld) until(ms int64) {
	w.kernel.Schedule(sim.Event{At: ms, To: nothing{}})
	for {
		at, ok := w.kernel.Next()
		if !ok || at > ms {
			return
		}
		w.kernel.Step()
	}
}

type nothing struct{}

func (nothing) Handle(sim.Event) {}

// pods lists the pods by node, then by creation.
func (w *testWorld) pods() (out []*api.Pod) {
	for o := range w.server.Store.Table(api.KindPod).All() {
		out = append(out, o.(*api.Pod))
	}
	slices.SortStableFunc(out, func(a, b *api.Pod) int { return strings.Compare(targetNode(a), targetNode(b)) })
	return out
}

// on returns the pods of a node.
func (w *testWorld) on(i int) (out []*api.Pod) {
	for _, pod := range w.pods() {
		if targetNode(pod) == nodeName(i) {
			out = append(out, pod)
		}
	}
	return out
}

// images says what runs where: node-1:v1, with a minus sign behind a pod that is being deleted.
func (w *testWorld) images() string {
	var out []string
	for _, pod := range w.pods() {
		text := strings.TrimPrefix(targetNode(pod), "node-") + ":" + pod.Spec.Containers[0].Image
		if pod.Terminating() {
			text += "-"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// notices lists the events so far with a reason, or all.
func (w *testWorld) notices(reason string) (out []string) {
	for _, r := range w.kernel.Trace.Records {
		if r.Kind == sim.Notice && (reason == "" || r.Reason == reason) {
			out = append(out, r.Type+" "+r.Reason+" "+r.What)
		}
	}
	return out
}

// syncs counts the reconciles of the DaemonSet so far.
func (w *testWorld) syncs() (n int) {
	for _, r := range w.kernel.Trace.Records {
		if r.Kind == sim.Reconcile && r.Actor == actor {
			n++
		}
	}
	return n
}

// decisions lists what was decided without a write, and the sum behind it.
func (w *testWorld) decisions() (out []string) {
	for _, r := range w.kernel.Trace.Records {
		if r.Kind == sim.Decision {
			out = append(out, r.What+" ["+r.Why.String()+"]")
		}
	}
	return out
}

func (w *testWorld) revisions() (out []*api.ControllerRevision) {
	for o := range w.server.Store.Table(api.KindControllerRevision).All() {
		out = append(out, o.(*api.ControllerRevision))
	}
	return out
}

// numbers lists the revisions' numbers with their images.
func (w *testWorld) numbers() string {
	var out []string
	for _, r := range w.revisions() {
		out = append(out, fmt.Sprintf("%d:%s", r.Revision, r.Template.Spec.Containers[0].Image))
	}
	return strings.Join(out, " ")
}

// row is a status as DS-32 writes it: current, ready, updated, available.
func row(s *api.DaemonSetStatus) string {
	return fmt.Sprint(s.CurrentNumberScheduled, s.NumberReady, s.UpdatedNumberScheduled, s.NumberAvailable)
}

// OnChange keeps the rows of the status.
func (w *testWorld) OnChange(c *sim.Change) {
	if c.New == nil {
		return
	}
	text := row(&c.New.(*api.DaemonSet).Status)
	if n := len(w.rows); n == 0 || w.rows[n-1] != text {
		w.rows = append(w.rows, text)
	}
}

// OnChange moves a pod on.
func (f *fleet) OnChange(c *sim.Change) {
	pod, ok := c.New.(*api.Pod)
	if !ok {
		return
	}
	old, _ := c.Old.(*api.Pod)
	now := f.w.kernel.Now()
	switch {
	case old == nil && pod.NodeName == "":
		f.w.kernel.Schedule(sim.Event{At: now + 5, To: f, Op: opBind, Key: pod.Key()})
	case pod.Terminating() && !old.Terminating():
		f.w.kernel.Schedule(sim.Event{At: now + f.stop, To: f, Op: opStop, Key: pod.Key()})
	case pod.NodeName != "" && (old == nil || old.NodeName == ""):
		f.w.kernel.Schedule(sim.Event{At: now + f.start, To: f, Op: opStart, Key: pod.Key()})
	}
}

// Handle does what was planned, if the pod is still there.
func (f *fleet) Handle(e sim.Event) {
	f.w.t.Helper()
	pod, ok := f.w.server.Store.Get(e.Key).(*api.Pod)
	if !ok {
		return
	}
	switch {
	case e.Op == opBind && f.w.server.Store.Get(api.Key{Kind: api.KindNode, Name: pod.TargetNode}) != nil:
		if err := f.w.client.Bind(e.Key, pod.TargetNode, "", nil); err != nil {
			f.w.t.Fatal(err)
		}
	case e.Op == opStart && f.fails != nil && f.fails(pod):
		f.w.phase(pod, api.PodFailed, "False")
	case e.Op == opStart:
		f.w.phase(pod, api.PodRunning, "True")
	case e.Op == opStop:
		if err := f.w.client.Delete(e.Key, apiserver.DeleteOptions{GracePeriodSeconds: api.Ptr[int64](0)}, "", nil); err != nil {
			f.w.t.Fatal(err)
		}
	}
}

// phase sets a pod's phase and its readiness now.
func (w *testWorld) phase(pod *api.Pod, phase, ready string) {
	w.t.Helper()
	p := w.server.Store.Get(pod.Key()).(*api.Pod).CopyForStatus()
	p.Status.Phase = phase
	p.Status.Conditions = api.SetPodCondition(p.Status.Conditions, api.Condition{Type: "Ready", Status: ready}, w.client.Timestamp())
	w.must(w.client.UpdateStatus(p, "", nil))
}

func wantEqual[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
