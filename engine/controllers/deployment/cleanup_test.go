package deployment

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// change stores a changed ReplicaSet and lets the cache have it.
func (w *testWorld) change(i int, change func(*api.ReplicaSet)) {
	key := cluster.Key(api.KindReplicaSet, w.sets[i])
	rs := api.Copy(w.Server.Store.Get(key).(*api.ReplicaSet))
	change(rs)
	w.Server.Store.Put(rs, sim.Record{Actor: "test"})
	w.c.replicaSets.Cache.Put(rs)
}

func (w *testWorld) names() (out []string) {
	for o := range w.Server.Store.Table(api.KindReplicaSet).All() {
		out = append(out, o.Key().Name)
	}
	return out
}

// TestCleanup is the worked example of D-56: with a limit of 2, old revisions 1 to 4 that are all empty lose 1 and 2; one
// that is not quite empty stays, and no other goes in its place.
func TestCleanup(t *testing.T) {
	tests := []struct {
		name   string
		change func(*api.ReplicaSet) // of revision 1
		gone   int
	}{
		{"all empty", func(*api.ReplicaSet) {}, 2},
		{"its status still counts a pod", func(rs *api.ReplicaSet) { rs.Status.Replicas = 1 }, 1},
		{"its spec asks for a pod", func(rs *api.ReplicaSet) { rs.Spec.Replicas = api.Ptr[int32](1) }, 1},
		{"its status is of an older generation", func(rs *api.ReplicaSet) { rs.Generation = 2 }, 1},
		{"it is being deleted, and is no candidate", func(rs *api.ReplicaSet) { rs.DeletionTimestamp = 1 }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
			w.d.Spec.RevisionHistoryLimit = api.Ptr[int32](2)
			for _, image := range []string{"image-1", "image-2", "image-3", "image-4"} {
				w.addReplicaSet(image, size{})
			}
			w.change(0, tt.change)
			rsList, err := w.c.claimReplicaSets(w.d)
			if err != nil {
				t.Fatal(err)
			}
			w.Must(w.c.cleanupDeployment(w.d, rsList))
			if gone := 4 - len(w.names()); gone != tt.gone {
				t.Errorf("%d are gone, want %d", gone, tt.gone)
			}
		})
	}
}

// TestPausedConditions is D-24: a pause and its end are noted once, and never over a passed deadline.
func TestPausedConditions(t *testing.T) {
	tests := []struct {
		paused bool
		reason string // of the Progressing condition before; "" for none
		want   string
	}{
		{true, "", reasonDeploymentPaused},
		{true, reasonReplicaSetUpdated, reasonDeploymentPaused},
		{true, reasonDeploymentPaused, reasonDeploymentPaused},
		{true, reasonProgressDeadlineExceeded, reasonProgressDeadlineExceeded},
		{false, reasonDeploymentPaused, reasonDeploymentResumed},
		{false, reasonProgressDeadlineExceeded, reasonProgressDeadlineExceeded},
		{false, reasonReplicaSetUpdated, reasonReplicaSetUpdated},
	}
	for _, tt := range tests {
		w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
		w.d.Spec.Paused = tt.paused
		if tt.reason != "" {
			w.d.Status.Conditions = []api.Condition{{Type: progressing, Status: "Unknown", Reason: tt.reason}}
		}
		w.Must(w.c.checkPausedConditions(w.d))
		if got := api.FindCondition(w.d.Status.Conditions, progressing).Reason; got != tt.want {
			t.Errorf("paused %t after %q: reason is %q, want %q", tt.paused, tt.reason, got, tt.want)
		}
	}
}

// TestRequeue is D-66: the deadline is looked at again a second after it has passed, and not at all once it is reported.
func TestRequeue(t *testing.T) {
	for reason, want := range map[string]bool{reasonReplicaSetUpdated: true, reasonProgressDeadlineExceeded: false} {
		w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
		w.d.Status.Conditions = []api.Condition{newCondition(api.TimeAt(0), progressing, "True", reason, "")}
		before := w.Kernel.Pending()
		w.c.requeueStuckDeployment(w.d, &w.d.Status)
		if got := w.Kernel.Pending() > before; got != want {
			t.Errorf("%s: requeued is %t, want %t", reason, got, want)
		}
		if want && w.c.loop.AddAfter(w.d.Key(), 601_000) {
			t.Error("it must wait for 601 s at the latest")
		}
	}
}

// TestRequeueWhen is the sum of D-66: when a rollout whose last progress was at 10 s is looked at again. With less than a second left it is
// the back-off of a failure; a condition that only this sync has set counts from now on.
func TestRequeueWhen(t *testing.T) {
	for _, tt := range []struct {
		name   string
		now    sim.Time
		stored bool
		want   int64 // ms later
	}{
		{"585 s are left", 25_000, true, 586_000},
		{"a second is left", 609_000, true, 2_000},
		{"less is left", 609_001, true, 5},
		{"set by this sync", 25_000, false, 601_000},
	} {
		w := newLaterWorld(t, tt.now)
		w.d.Status.Conditions = []api.Condition{newCondition(api.TimeAt(10_000), progressing, "True", reasonReplicaSetUpdated, "")}
		w.put()
		if !tt.stored {
			w.d = api.Copy(w.d)
			w.d.Status.Conditions[0].Message = "new"
		}
		w.c.requeueStuckDeployment(w.d, &w.d.Status)
		if w.c.loop.AddAfter(w.d.Key(), tt.want) || !w.c.loop.AddAfter(w.d.Key(), tt.want-1) {
			t.Errorf("%s: not queued for %d ms later", tt.name, tt.want)
		}
		if said := fmt.Sprintf("looks again in %d s whether the deadline has passed", tt.want/1000); w.decided(said) != (tt.want >= 1000) {
			t.Errorf("%s: no decision, or a needless one: %s", tt.name, said)
		}
	}
}

// TestRecreateScalesAll: Recreate scales every old ReplicaSet to 0 and writes the status; the sum counts the pods that are still there, though
// no status does (D-58, D-59).
func TestRecreateScalesAll(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.d.Spec.Strategy = api.DeploymentStrategy{Type: api.Recreate}
	w.put()
	w.addReplicaSet("image-1", size{3, 3})
	w.addReplicaSet("image-2", size{2, 2})
	w.sync()
	if got := w.sizes(); got != "0 0" {
		t.Errorf("sizes are %q, want 0 0", got)
	}
	for i := range w.sets {
		w.change(i, func(rs *api.ReplicaSet) { rs.Spec.Replicas, rs.Status = new(int32), api.ReplicaSetStatus{} })
	}
	for _, name := range []string{"p", "q"} {
		w.c.pods.Cache.Put(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", UID: name, OwnerReferences: []api.OwnerReference{
			{Kind: api.KindReplicaSet, Name: w.sets[0], UID: w.setAt(0).UID, Controller: true}}}})
	}
	w.sync()
	waits := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Decision && r.Why != nil && r.Why.Rule == "D-59" })
	if n := len(waits); n == 0 || waits[n-1].Why.String() != "2 = max(0 statusReplicas, 2 oldPods)" {
		t.Errorf("%d decisions to wait, the last because %s", n, waits[max(0, n-1)].Why)
	}
}

// TestPodDeletedWakesRecreate: only a Deployment that recreates waits for the end of its pods (D-90).
func TestPodDeletedWakesRecreate(t *testing.T) {
	for strategy, want := range map[string]bool{api.Recreate: true, api.RollingUpdate: false} {
		w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
		w.d.Spec.Strategy = api.DeploymentStrategy{Type: strategy}
		w.put()
		w.addReplicaSet("image-1", size{3, 3})
		rs := w.Server.Store.Get(cluster.Key(api.KindReplicaSet, w.sets[0]))
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", OwnerReferences: []api.OwnerReference{
			{Kind: api.KindReplicaSet, Name: w.sets[0], UID: rs.Meta().UID, Controller: true}}}}
		before := w.Kernel.Pending()
		if w.c.OnChange(&sim.Change{Type: sim.Modified, Old: pod, New: pod}); w.Kernel.Pending() > before {
			t.Errorf("%s: woken by a change", strategy)
		}
		w.c.OnChange(&sim.Change{Type: sim.Deleted, Old: pod})
		if got := w.Kernel.Pending() > before; got != want {
			t.Errorf("%s: woken is %t, want %t", strategy, got, want)
		}
	}
}
