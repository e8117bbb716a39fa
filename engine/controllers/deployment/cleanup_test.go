package deployment

import (
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
		w.c.OnChange(&sim.Change{Type: sim.Modified, Old: pod, New: pod})
		w.c.OnChange(&sim.Change{Type: sim.Deleted, Old: pod})
		if got := w.Kernel.Pending() > before; got != want {
			t.Errorf("%s: woken is %t, want %t", strategy, got, want)
		}
	}
}
