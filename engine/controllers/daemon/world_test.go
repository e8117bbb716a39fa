package daemon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// testWorld is a cluster of a few nodes with one DaemonSet called agent. Its fleet binds, starts and stops pods.
type testWorld struct {
	*cluster.Cluster
	c     *Controller
	fleet *fleet
	rows  []string // of the status, each change of it
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

func key() api.Key { return cluster.Key(api.KindDaemonSet, "agent") }

// newTestWorld makes nodes node-1 … and a DaemonSet, which the test may change first. Nothing has happened yet.
func newTestWorld(t *testing.T, nodes int, edit func(*api.DaemonSet)) *testWorld {
	t.Helper()
	w := newEmptyWorld(t)
	w.fleet = &fleet{w: w, start: 1000, stop: 1000}
	w.Server.Store.Informer(api.KindPod).AddHandler(w.fleet)
	for i := range nodes {
		w.addNode(i+1, nil)
	}
	ds := newDaemonSet(t)
	if edit != nil {
		edit(ds)
	}
	w.Create(ds)
	return w
}

// newEmptyWorld is a cluster with the controller alone.
func newEmptyWorld(t *testing.T) *testWorld {
	w := &testWorld{Cluster: cluster.New(t)}
	w.c = New(w.Server)
	w.Server.Store.Informer(api.KindDaemonSet).AddHandler(w)
	return w
}

func newDaemonSet(t *testing.T) *api.DaemonSet {
	t.Helper()
	ds := &api.DaemonSet{ObjectMeta: api.ObjectMeta{Name: "agent", Namespace: "default"},
		Spec: api.DaemonSetSpec{Selector: cluster.Selects("agent"), Template: template(t, "v1")}}
	decode.Default(ds)
	return ds
}

// template is a pod template with one container of an image; fields of its spec may follow, as JSON.
func template(t testing.TB, image string, fields ...string) api.PodTemplateSpec {
	return cluster.Template(t, "agent", image, fields...)
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

func nodeName(i int) string { return fmt.Sprint("node-", i) }

func (w *testWorld) addNode(i int, labels map[string]string, taints ...api.Taint) {
	w.T.Helper()
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: nodeName(i), Labels: labels}, Spec: api.NodeSpec{Taints: taints}})
}

func (w *testWorld) node(i int) *api.Node { return w.Node(nodeName(i)) }

// editNode changes a node's spec and labels now.
func (w *testWorld) editNode(i int, edit func(*api.Node)) {
	w.T.Helper()
	w.EditNode(nodeName(i), edit)
}

func (w *testWorld) taint(i int, taints ...api.Taint) {
	w.T.Helper()
	w.editNode(i, func(n *api.Node) { n.Spec.Taints = taints })
}

func (w *testWorld) ds() *api.DaemonSet { return w.Server.Store.Get(key()).(*api.DaemonSet) }

// editDS changes the spec now, as kubectl does.
func (w *testWorld) editDS(edit func(*api.DaemonSet)) {
	w.T.Helper()
	ds := api.Copy(w.ds())
	edit(ds)
	w.Update(ds)
}

// image changes the template's image now.
func (w *testWorld) image(image string) {
	w.T.Helper()
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.Template = template(w.T, image) })
}

// pods lists the pods by node, then by creation.
func (w *testWorld) pods() (out []*api.Pod) {
	out = w.Pods()
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

// syncs counts the reconciles of the DaemonSet so far.
func (w *testWorld) syncs() int {
	return len(w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && r.Actor == actor }))
}

// decisions lists what was decided without a write, and the sum behind it.
func (w *testWorld) decisions() (out []string) {
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Kind == sim.Decision }) {
		out = append(out, r.What+" ["+r.Why.String()+"]")
	}
	return out
}

func (w *testWorld) revisions() (out []*api.ControllerRevision) {
	for o := range w.Server.Store.Table(api.KindControllerRevision).All() {
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
	now := f.w.Kernel.Now()
	switch {
	case old == nil && pod.NodeName == "":
		f.w.Kernel.Schedule(sim.Event{At: now + 5, To: f, Op: opBind, Key: pod.Key()})
	case pod.Terminating() && !old.Terminating():
		f.w.Kernel.Schedule(sim.Event{At: now + f.stop, To: f, Op: opStop, Key: pod.Key()})
	case pod.NodeName != "" && (old == nil || old.NodeName == ""):
		f.w.Kernel.Schedule(sim.Event{At: now + f.start, To: f, Op: opStart, Key: pod.Key()})
	}
}

// Handle does what was planned, if the pod is still there.
func (f *fleet) Handle(e sim.Event) {
	f.w.T.Helper()
	pod, ok := f.w.Server.Store.Get(e.Key).(*api.Pod)
	if !ok {
		return
	}
	switch {
	case e.Op == opBind && f.w.Server.Store.Get(api.Key{Kind: api.KindNode, Name: pod.TargetNode}) != nil:
		f.w.Must(f.w.User.Bind(e.Key, pod.TargetNode, "", nil))
	case e.Op == opStart && f.fails != nil && f.fails(pod):
		f.w.SetPhase(pod.Name, api.PodFailed, false)
	case e.Op == opStart:
		f.w.SetPhase(pod.Name, api.PodRunning, true)
	case e.Op == opStop:
		f.w.End(e.Key)
	}
}

func wantEqual[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
