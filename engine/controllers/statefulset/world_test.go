package statefulset

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

// testWorld is a server with one StatefulSet named db, its controller, and a kubelet that does one thing for each call.
// Time passes only by advance, except the few ms until a change is seen.
type testWorld struct {
	*cluster.Cluster
	c      *Controller
	broken map[string]bool // images that never become Ready
}

// newWorld stores a StatefulSet with these replicas; change may be nil.
func newWorld(t testing.TB, minor int, replicas int32, change func(*api.StatefulSet)) *testWorld {
	t.Helper()
	w := &testWorld{Cluster: cluster.New(t), broken: map[string]bool{"db:broken": true}}
	w.Server.Minor = minor
	w.c = New(w.Server)
	set := &api.StatefulSet{
		ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default"},
		Spec: api.StatefulSetSpec{Replicas: &replicas, ServiceName: "db-headless", Template: template(t, "db:1"),
			Selector: cluster.Selects("db")},
	}
	if change != nil {
		change(set)
	}
	decode.Default(set)
	w.Create(set)
	t.Cleanup(w.checkRecords)
	w.settle()
	return w
}

// newReadyWorld is newWorld with all pods Ready.
func newReadyWorld(t testing.TB, minor int, replicas int32, change func(*api.StatefulSet)) *testWorld {
	t.Helper()
	w := newWorld(t, minor, replicas, change)
	w.run()
	if s := w.set().Status; s.ReadyReplicas != replicas || s.UpdatedReplicas != replicas {
		t.Fatalf("the world is not ready: %+v", s)
	}
	return w
}

func template(t testing.TB, image string) api.PodTemplateSpec {
	return cluster.Template(t, "db", image)
}

func parallel(s *api.StatefulSet) { s.Spec.PodManagementPolicy = api.Parallel }

// rolling returns a change that sets the update strategy.
func rolling(partition int32, maxUnavailable *api.IntOrString) func(*api.StatefulSet) {
	return func(s *api.StatefulSet) {
		s.Spec.UpdateStrategy = api.StatefulSetUpdateStrategy{Type: api.RollingUpdate,
			RollingUpdate: &api.RollingUpdateStatefulSet{Partition: &partition, MaxUnavailable: maxUnavailable}}
	}
}

func both(a, b func(*api.StatefulSet)) func(*api.StatefulSet) {
	return func(s *api.StatefulSet) { a(s); b(s) }
}

func (w *testWorld) set() *api.StatefulSet {
	return w.Server.Store.Get(cluster.Key(api.KindStatefulSet, "db")).(*api.StatefulSet)
}

// update changes the StatefulSet as a user does and lets the controller see it.
func (w *testWorld) update(change func(*api.StatefulSet)) {
	w.T.Helper()
	set := api.Copy(w.set())
	change(set)
	decode.Default(set)
	w.Update(set)
	w.settle()
}

func (w *testWorld) setImage(image string) {
	w.T.Helper()
	w.update(func(s *api.StatefulSet) { s.Spec.Template = template(w.T, image) })
}

func (w *testWorld) scale(n int32) {
	w.T.Helper()
	w.update(func(s *api.StatefulSet) { s.Spec.Replicas = &n })
}

// deletePod deletes a pod as a user does.
func (w *testWorld) deletePod(name string) {
	w.T.Helper()
	w.Delete(cluster.Key(api.KindPod, name))
	w.settle()
}

// settle lets the controller work until nothing is due within 100 ms.
func (w *testWorld) settle() { w.Advance(100) }

// run lets the kubelet work until it is done.
func (w *testWorld) run() {
	w.T.Helper()
	for range 10_000 {
		if !w.step() {
			return
		}
	}
	w.T.Fatal("it never ends")
}

// step does what the kubelet does next, for the first pod that needs it, and lets the controller see it.
func (w *testWorld) step() bool {
	for o := range w.Server.Store.Table(api.KindPod).All() {
		if w.work(o.(*api.Pod)) {
			w.settle()
			return true
		}
	}
	return false
}

func (w *testWorld) work(pod *api.Pod) bool {
	switch {
	case pod.Terminating():
		w.End(pod.Key())
	case pod.NodeName == "":
		w.Must(w.User.Bind(pod.Key(), "node-1", "bound", nil))
		w.SetPhase(pod.Name, api.PodRunning, false)
	case pod.Status.Phase == api.PodRunning && !pod.IsReady() && !w.broken[pod.Spec.Containers[0].Image]:
		w.SetPhase(pod.Name, api.PodRunning, true)
	default:
		return false
	}
	return true
}

// mark returns where the log is now, for rows and podLog.
func (w *testWorld) mark() int { return len(w.Server.Store.Log) }

// rows lists the statuses written since a mark: replicas, ready, current, updated (S-33).
func (w *testWorld) rows(from int) (rows []string) {
	for _, c := range w.Server.Store.Log[from:] {
		if set, ok := c.New.(*api.StatefulSet); ok {
			s := &set.Status
			row := fmt.Sprint(s.Replicas, s.ReadyReplicas, s.CurrentReplicas, s.UpdatedReplicas)
			if len(rows) == 0 || rows[len(rows)-1] != row {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// podLog lists the changes of pods since a mark: "-db-2" marked for deletion, "gone db-2", "+db-2", "ready db-2".
func (w *testWorld) podLog(from int) string {
	var out []string
	for _, c := range w.Server.Store.Log[from:] {
		pod, ok := c.Object().(*api.Pod)
		if !ok {
			continue
		}
		old, _ := c.Old.(*api.Pod)
		switch {
		case c.Type == sim.Added:
			out = append(out, "+"+pod.Name)
		case c.Type == sim.Deleted:
			out = append(out, "gone "+pod.Name)
		case pod.Terminating() && !old.Terminating():
			out = append(out, "-"+pod.Name)
		case pod.IsReady() && !old.IsReady():
			out = append(out, "ready "+pod.Name)
		}
	}
	return strings.Join(out, ", ")
}

// images lists the pods with their images, by name.
func (w *testWorld) images() string {
	var out []string
	for o := range w.Server.Store.Table(api.KindPod).All() {
		pod := o.(*api.Pod)
		out = append(out, strings.TrimPrefix(pod.Name, "db-")+"="+strings.TrimPrefix(pod.Spec.Containers[0].Image, "db:"))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// events lists the events since a record: "Normal SuccessfulCreate: …".
func (w *testWorld) events(from int) (out []string) {
	for _, r := range w.Kernel.Trace.Records[from:] {
		if r.Kind == sim.Notice {
			out = append(out, r.Type+" "+r.Reason+": "+r.What)
		}
	}
	return out
}

// records returns how many records there are, for events and last.
func (w *testWorld) records() int { return len(w.Kernel.Trace.Records) }

// last returns the last record of a kind that the controller made.
func (w *testWorld) last(kind sim.RecordKind) *sim.Record {
	w.T.Helper()
	for i := w.records() - 1; i >= 0; i-- {
		if r := w.Kernel.Trace.Records[i]; r.Kind == kind && r.Actor == actor {
			return r
		}
	}
	w.T.Fatal("there is no such record")
	return nil
}

// revisions lists the stored revisions by number: "1=db:1".
func (w *testWorld) revisions() string {
	var out []string
	for o := range w.Server.Store.Table(api.KindControllerRevision).All() {
		r := o.(*api.ControllerRevision)
		out = append(out, fmt.Sprintf("%d=%s", r.Revision, strings.TrimPrefix(r.Template.Spec.Containers[0].Image, "db:")))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// checkRecords requires a rule for every write and every reconcile of the controller.
func (w *testWorld) checkRecords() {
	for _, r := range w.Kernel.Trace.Records {
		if r.Actor != actor || r.Kind == sim.Notice || r.Failed {
			continue
		}
		if r.Why == nil || r.Why.Rule == "" || r.Why.Upstream == "" {
			w.T.Errorf("%s %q has no rule", r.Kind, r.What)
			continue
		}
		if r.Kind == sim.Reconcile && r.Sync.Writes == 0 && !strings.Contains(r.What, ", changes nothing: ") {
			w.T.Errorf("a reconcile changed nothing and does not say why: %q", r.What)
		}
	}
}
