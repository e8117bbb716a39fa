package daemon

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// wantNumbers compares desired, current, misscheduled and available.
func (w *testWorld) wantNumbers(what string, want ...int32) {
	w.T.Helper()
	s := w.ds().Status
	if got := []int32{s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberMisscheduled, s.NumberAvailable}; got[0] != want[0] ||
		got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
		w.T.Errorf("%s: desired, current, misscheduled, available %v, want %v", what, got, want)
	}
}

// TestDeadNode is DS-6: a dead node has two taints, of which only one is tolerated: it should run no pod, but its
// present pod stays. When the node is back, the pod counts again.
func TestDeadNode(t *testing.T) {
	w := newTestWorld(t, 4, nil)
	w.Until(5000)
	w.wantNumbers("before", 4, 4, 0, 4)
	w.taint(4, api.Taint{Key: api.TaintNodeUnreachable, Effect: api.NoSchedule}, api.Taint{Key: api.TaintNodeUnreachable, Effect: api.NoExecute})
	w.SetPhase(w.on(4)[0].Name, api.PodRunning, false) // the node's loss marks its pods, which wakes the DaemonSet
	w.Until(6000)
	w.wantNumbers("dead", 3, 3, 1, 3)
	wantEqual(t, "pods", w.images(), "1:v1 2:v1 3:v1 4:v1")
	w.taint(4)
	w.Until(7000)
	w.wantNumbers("back, not Ready", 4, 4, 0, 3)
	w.SetPhase(w.on(4)[0].Name, api.PodRunning, true)
	w.Until(8000)
	w.wantNumbers("back", 4, 4, 0, 4)
}

// TestTaintWakesNobody: a NoSchedule taint on a node with a pod brings no sync, so the status stays as it was until something
// else happens (DS-33).
func TestTaintWakesNobody(t *testing.T) {
	w := newTestWorld(t, 2, nil)
	w.Until(5000)
	before := w.syncs()
	w.taint(2, api.Taint{Key: "k", Effect: api.NoSchedule})
	w.Until(6000)
	wantEqual(t, "syncs", w.syncs(), before)
	w.wantNumbers("stale", 2, 2, 0, 2)
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.RevisionHistoryLimit = api.Ptr[int32](3) })
	w.Until(7000)
	w.wantNumbers("after something else", 1, 1, 1, 1)
	w.taint(2) // with a misplaced pod somewhere, every change of a node with a pod counts
	w.Until(8000)
	w.wantNumbers("without the taint", 2, 2, 0, 2)
}

// TestCordon: a cordon matters neither to pods that are there nor to new ones (DS-6), and queues no DaemonSet by itself.
func TestCordon(t *testing.T) {
	w := newTestWorld(t, 2, nil)
	w.Until(5000)
	before := w.syncs()
	w.editNode(2, func(n *api.Node) { n.Spec.Unschedulable = true })
	w.Until(6000)
	wantEqual(t, "syncs", w.syncs(), before)
	w.taint(2, api.Taint{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule})
	w.image("v2")
	w.Until(30_000)
	wantEqual(t, "pods", w.images(), "1:v2 2:v2")
	w.wantNumbers("cordoned", 2, 2, 0, 2)
}

// TestAddedNode: a new node gets its pod; a changed status of a node queues no DaemonSet (DS-33).
func TestAddedNode(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(5000)
	w.addNode(2, nil)
	w.Until(10_000)
	wantEqual(t, "pods", w.images(), "1:v1 2:v1")
	var said []string
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && r.Actor == nodeActor }) {
		_, what, _ := strings.Cut(r.What, ", changes nothing: ")
		said = append(said, what)
	}
	wantEqual(t, "what its syncs say", strings.Join(said[len(said)-1:], "; "), "it queues 1 of 1 DaemonSets")
	before := len(w.Kernel.Trace.Records)
	n := api.Copy(w.node(1))
	n.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True"}}
	w.UpdateStatus(n)
	w.Until(11_000)
	wantEqual(t, "records", len(w.Kernel.Trace.Records)-before, 1)
}

// TestRecheck is DS-31: pods that were Ready before minReadySeconds was set are available once they have been Ready for as long.
func TestRecheck(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(5000)
	ready := w.on(1)[0].ReadyCondition().LastTransitionTime.Milli()
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.MinReadySeconds = 60 })
	w.Until(ready + 59_000)
	wantEqual(t, "too early", w.ds().Status.NumberAvailable, 0)
	w.Until(ready + 120_000)
	wantEqual(t, "in time", w.ds().Status.NumberAvailable, 1)
}

// TestNoDaemonSet: without a DaemonSet the controller leaves no trace.
func TestNoDaemonSet(t *testing.T) {
	w := newTestWorld(t, 0, nil)
	w.Must(w.User.Delete(key(), apiDelete, "", nil))
	w.Until(10)
	before := len(w.Kernel.Trace.Records)
	w.addNode(1, nil)
	w.Until(1000)
	wantEqual(t, "records", len(w.Kernel.Trace.Records)-before, 1)
}

// TestReconcilesSay: every reconcile says which way it took by which rule, and why it changed nothing, if so; every write of
// the controller has its reason.
func TestReconcilesSay(t *testing.T) {
	for _, edit := range []func(*api.DaemonSet){nil, surge(1, 2), onDelete} {
		w := newTestWorld(t, 3, edit)
		w.Until(10_000)
		w.image("v2")
		w.taint(3, api.Taint{Key: "k", Effect: api.NoExecute})
		w.Until(30_000)
		w.taint(3)
		w.Until(60_000)
		for _, r := range w.Kernel.Trace.Records {
			if r.Actor != actor && r.Actor != nodeActor || r.Kind == sim.Notice {
				continue
			}
			if r.Why == nil && !strings.Contains(r.What, "status is up to date") || r.Why != nil && (r.Why.Rule == "" || r.Why.Upstream == "") {
				t.Errorf("%v %q has no reason: %v", r.Kind, r.What, r.Why)
			}
			if r.Kind == sim.Reconcile && (r.What == "" || r.Sync.Writes == 0 && !r.Failed && !strings.Contains(r.What, ", changes nothing: ")) {
				t.Errorf("reconcile %q does not say why it changed nothing", r.What)
			}
		}
	}
}
