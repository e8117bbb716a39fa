package daemon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/history"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestRevisions is DS-20: a new template makes a revision, with the labels of the template and the hash, and the annotations
// of the DaemonSet.
func TestRevisions(t *testing.T) {
	w := newTestWorld(t, 1, func(ds *api.DaemonSet) { ds.Annotations = map[string]string{api.ChangeCauseAnnotation: "first"} })
	w.Until(5000)
	w.image("v2")
	w.Until(20_000)
	wantEqual(t, "revisions", w.numbers(), "1:v1 2:v2")
	r, ds := w.revisions()[0], w.ds()
	hash := r.Labels[api.ControllerRevisionHashLabel]
	wantEqual(t, "name", r.Name, "agent-"+hash)
	wantEqual(t, "label", r.Labels["app"], "agent")
	wantEqual(t, "cause", r.Annotations[api.ChangeCauseAnnotation], "first")
	wantEqual(t, "generation", r.Annotations[templateGenerationAnnotation], "1")
	if !r.IsControlledBy(ds.UID) {
		t.Error("the revision has no owner")
	}
	wantEqual(t, "generation of the pod", w.on(1)[0].Labels[api.PodTemplateGenerationLabel], "2")
}

// TestRollback is DS-21: back at the first template, revision 1 becomes 3.
func TestRollback(t *testing.T) {
	w := newTestWorld(t, 2, nil)
	w.Until(5000)
	w.image("v2")
	w.Until(20_000)
	w.image("v1")
	w.Until(40_000)
	wantEqual(t, "revisions", w.numbers(), "3:v1 2:v2")
	wantEqual(t, "pods", w.images(), "1:v1 2:v1")
	wantEqual(t, "status", row(&w.ds().Status), "2 2 2 2")
}

// TestCleanup is DS-22: the oldest revisions beyond the limit are deleted, except those that pods use.
func TestCleanup(t *testing.T) {
	w := newTestWorld(t, 2, func(ds *api.DaemonSet) {
		onDelete(ds)
		ds.Spec.RevisionHistoryLimit = api.Ptr[int32](1)
	})
	w.Until(5000)
	for i := range 4 {
		w.image(fmt.Sprint("v", i+2))
		w.Until(int64(10_000 + i*1000))
	}
	wantEqual(t, "revisions", w.numbers(), "1:v1 5:v5") // the pods are of v1
	for i := range 2 {
		w.Must(w.User.Delete(w.on(i + 1)[0].Key(), apiDelete, "", nil))
	}
	w.Until(30_000)
	wantEqual(t, "revisions", w.numbers(), "1:v1 5:v5") // one old revision is within the limit
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.RevisionHistoryLimit = api.Ptr[int32](0) })
	w.Until(31_000)
	wantEqual(t, "revisions", w.numbers(), "5:v5")
}

// TestCleanupOfSeveral is DS-22: one sync deletes as many as are too many, and no more.
func TestCleanupOfSeveral(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	for i := range 6 {
		w.image(fmt.Sprint("v", i+1))
		w.Advance(10_000)
	}
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.RevisionHistoryLimit = api.Ptr[int32](2) })
	w.Advance(100)
	wantEqual(t, "revisions", w.numbers(), "4:v4 5:v5 6:v6")
}

// TestCollision: a revision of another template that has the name makes the sync fail once; the count of collisions makes
// another name (DS-20).
func TestCollision(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	second := template(t, "v2")
	w.Create(&api.ControllerRevision{Template: template(t, "other"), Revision: 7,
		ObjectMeta: api.ObjectMeta{Name: history.Name("agent", second.Hash(nil)), Namespace: "default"}})
	w.Until(5000)
	w.image("v2")
	w.Until(20_000)
	if got := w.ds().Status.CollisionCount; got == nil || *got != 1 {
		t.Fatalf("collisionCount %v, want 1", got)
	}
	wantEqual(t, "revisions", w.numbers(), "7:other 1:v1 2:v2")
	wantEqual(t, "pods", w.images(), "1:v2")
	if got := strings.Join(w.decisions(), "\n"); !strings.Contains(got, "tries again in 5 ms: failed to construct revisions of DaemonSet: ") {
		t.Errorf("decisions\n%s", got)
	}
}

// TestDuplicates: of several revisions with the present template, which came by adoption, the highest stays, and all pods get
// its label (DS-20).
func TestDuplicates(t *testing.T) {
	w := newTestWorld(t, 2, nil)
	w.Until(5000)
	w.Create(&api.ControllerRevision{Template: template(t, "v1"), Revision: 7,
		ObjectMeta: api.ObjectMeta{Name: "mine", Namespace: "default", Labels: map[string]string{"app": "agent"}}})
	w.Until(10_000)
	wantEqual(t, "revisions", w.numbers(), "7:v1")
	wantEqual(t, "label", w.revisions()[0].Labels[api.ControllerRevisionHashLabel], "mine")
	for i := range 2 {
		wantEqual(t, "label of the pod", w.on(i + 1)[0].Labels[api.ControllerRevisionHashLabel], "mine")
	}
	wantEqual(t, "relabelled in one sync", w.syncsThatWrite("pod labelled"), 1)
	wantEqual(t, "status", row(&w.ds().Status), "2 2 2 2")
}

// syncsThatWrite counts the moments at which something was written.
func (w *testWorld) syncsThatWrite(what string) int {
	moments := map[sim.Time]bool{}
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Kind == sim.Write && strings.HasPrefix(r.What, what) }) {
		moments[r.At] = true
	}
	return len(moments)
}

// TestRevisionWakes: a deleted revision is created again; a new revision queues no DaemonSet (DS-33).
func TestRevisionWakes(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(5000)
	w.Must(w.User.Delete(w.revisions()[0].Key(), apiDelete, "", nil))
	before := w.syncs()
	w.Until(6000)
	wantEqual(t, "revisions", w.numbers(), "1:v1")
	wantEqual(t, "syncs", w.syncs()-before, 1)
}
