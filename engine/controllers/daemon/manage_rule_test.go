package daemon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

var apiDelete apiserver.DeleteOptions

// TestPodsShouldBeOnNode is DS-8, node by node.
func TestPodsShouldBeOnNode(t *testing.T) {
	for _, tt := range []struct {
		surge  bool
		node   string
		create bool
		remove string
	}{
		{false, "", true, ""},
		{false, "!", false, ""},
		{false, "new-", false, ""},
		{false, "old+", false, ""},
		{false, "old+x", false, ""}, // the new one comes when the old one is gone
		{false, "old+ new+", false, "1-new"},
		{false, "old+x new-", false, ""},
		{false, "! old+", false, ""}, // may stay
		{true, "", true, ""},
		{true, "old+x", true, ""}, // with a surge the new one comes at once
		{true, "! old+x", false, ""},
		{true, "old+ new-", false, ""},
		{true, "old+ new+", false, "1-old"},
		{true, "old- new-", false, "1-old"},
		{true, "old+ old+", false, "1-old"},
		{true, "new+ new-", false, "1-new"},
		{true, "old+ new- new-", false, "1-new"},
	} {
		w := newTestWorld(t, 0, nil)
		ds := newDaemonSet(t)
		if tt.surge {
			surge(1, 0)(ds)
		}
		r := roundOf(ds, tt.node)
		var p plan
		w.c.podsShouldBeOnNode(r, &r.places[0], &p)
		var pods []*api.Pod
		for _, x := range p.remove {
			pods = append(pods, x.pod)
		}
		if len(p.create) > 0 != tt.create || names(pods) != tt.remove {
			t.Errorf("surge %t, %q: creates %t, deletes %q; want %t, %q", tt.surge, tt.node, len(p.create) > 0, names(pods), tt.create, tt.remove)
		}
	}
}

// TestMayNotStay: a node with an untolerated NoExecute taint, or without the label, loses its pods (DS-6, DS-8).
func TestMayNotStay(t *testing.T) {
	w := newTestWorld(t, 2, func(ds *api.DaemonSet) { ds.Spec.Template = template(t, "v1", `"nodeSelector":{"disk":"ssd"}`) })
	w.Until(1000)
	wantEqual(t, "without the label", w.images(), "")
	for i := range 2 {
		w.editNode(i+1, func(n *api.Node) { n.Labels = map[string]string{"disk": "ssd"} })
	}
	w.Until(5000)
	wantEqual(t, "with the label", w.images(), "1:v1 2:v1")
	w.editNode(1, func(n *api.Node) { n.Labels = nil })
	w.taint(2, api.Taint{Key: "k", Effect: api.NoExecute})
	w.Until(5100)
	wantEqual(t, "without it again, and with a taint", w.images(), "1:v1- 2:v1-")
	w.Until(10_000)
	wantEqual(t, "after", w.images(), "")
}

// TestFailedPodBackoff: a pod that fails on a node is deleted at once the first time, then after 1, 2, 4 … seconds (DS-8).
func TestFailedPodBackoff(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.fleet.start = 10
	w.fleet.fails = func(*api.Pod) bool { return true }
	var at []int64
	n := 0
	for ms := int64(0); ms < 40_000; ms += 10 {
		w.Until(ms)
		if got := len(w.Events("FailedDaemonPod")); got != n {
			n = got
			at = append(at, w.Kernel.Now())
		}
	}
	var gaps []int64
	for i := 1; i < len(at); i++ {
		gaps = append(gaps, (at[i]-at[i-1])/1000)
	}
	if !slices.Equal(gaps, []int64{1, 2, 4, 8, 16}) {
		t.Errorf("pods were deleted at %v: %v s apart", at, gaps)
	}
	if got := w.Events("FailedDaemonPod")[0]; !strings.HasPrefix(got, "Warning FailedDaemonPod Found failed daemon pod default/agent-") ||
		!strings.HasSuffix(got, " on node node-1, will try to kill it") {
		t.Errorf("the event is %q", got)
	}
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.MinReadySeconds = 1 }) // another generation starts again
	w.Until(40_100)
	if got := len(w.Events("FailedDaemonPod")); got <= n {
		t.Error("after a change of the spec a failed pod must be deleted at once")
	}
	if got := strings.Join(w.decisions(), "\n"); !strings.Contains(got, "looks again in 4000 ms [4000 = min(1000 base * 2 ^ 2 failures, 900000 longest)]") {
		t.Errorf("decisions\n%s", got)
	}
}

// TestBackoff: the delay doubles up to 15 minutes, and restarts after half an hour.
func TestBackoff(t *testing.T) {
	b, key, now := backoff{}, backoffKey{node: "n"}, int64(0)
	for i, want := range []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900} {
		e := b.next(key, now)
		wantEqual(t, fmt.Sprint("delay ", i), e.delay, want*1000)
		if b.current(key, now+e.delay-1) == nil || b.current(key, now+e.delay) != nil {
			t.Errorf("delay %d must be over after %d ms", i, e.delay)
		}
		now += e.delay
	}
	now += 900_000 // the last failure is half an hour ago
	wantEqual(t, "half an hour later", b.next(key, now).delay, 900_000)
	wantEqual(t, "after half an hour", b.next(key, now+1_800_001).delay, 1000)
}

// TestSucceededPod is replaced (DS-8).
func TestSucceededPod(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(5000)
	old := w.on(1)[0]
	w.SetPhase(old.Name, api.PodSucceeded, false)
	w.Until(10_000)
	if pods := w.on(1); len(pods) != 1 || pods[0].Name == old.Name || !pods[0].IsReady() {
		t.Errorf("pods are %v", w.images())
	}
	want := "Normal SucceededDaemonPod Found succeeded daemon pod default/" + old.Name + " on node node-1, will try to delete it"
	if got := w.Events("SucceededDaemonPod"); len(got) != 1 || got[0] != want {
		t.Errorf("events %q, want %q", got, want)
	}
}

// TestPodFromTemplate is DS-5 and DS-9: the pods of a template share one spec, which has the tolerations; the revision has the
// user's own template.
func TestPodFromTemplate(t *testing.T) {
	w := newTestWorld(t, 3, func(ds *api.DaemonSet) {
		ds.Spec.Template = template(t, "v1", `"tolerations":[{"key":"a","operator":"Exists"}]`)
		ds.Spec.Template.Annotations = map[string]string{"note": "x"}
	})
	w.Until(5000)
	pods := w.pods()
	p, revision := pods[0], w.revisions()[0]
	if len(pods) != 3 || p.Spec != pods[1].Spec || len(p.Spec.Tolerations) != 7 {
		t.Fatalf("%d pods, tolerations %+v", len(pods), p.Spec.Tolerations)
	}
	hash := revision.Labels[api.ControllerRevisionHashLabel]
	wantEqual(t, "hash", p.Labels[api.ControllerRevisionHashLabel], hash)
	wantEqual(t, "generation", p.Labels[api.PodTemplateGenerationLabel], "1")
	wantEqual(t, "label", p.Labels["app"], "agent")
	wantEqual(t, "annotation", p.Annotations["note"], "x")
	wantEqual(t, "target", p.TargetNode, "node-1")
	if ref := p.ControllerOf(); ref == nil || ref.Kind != api.KindDaemonSet || ref.UID != w.ds().UID {
		t.Errorf("owner %+v", ref)
	}
	if !strings.HasPrefix(p.Name, "agent-") || p.GenerateName != "agent-" {
		t.Errorf("name %q", p.Name)
	}
	if len(revision.Template.Spec.Tolerations) != 1 || len(w.ds().Spec.Template.Spec.Tolerations) != 1 {
		t.Error("the template must stay the user's")
	}
}

// TestEvents is; without room for a pod, R-13 and the slow start: batches of 1, 2 and 4, the second of which is
// refused (DS-9).
func TestEvents(t *testing.T) {
	w := newTestWorld(t, 7, nil)
	w.Quota("2")
	w.Until(1)
	wantEqual(t, "created", len(w.Events("SuccessfulCreate")), 2)
	failed := w.Events("FailedCreate")
	if len(failed) != 1 || !strings.HasPrefix(failed[0], `Warning FailedCreate Error creating: pods "agent-`) {
		t.Errorf("events %q", failed)
	}
	if got := w.Events("SuccessfulCreate")[0]; got != "Normal SuccessfulCreate Created pod: "+w.on(1)[0].Name {
		t.Errorf("event %q", got)
	}
	if c := w.ds().Status.Conditions; len(c) > 0 {
		t.Errorf("a DaemonSet has no condition, but there is %+v", c)
	}
	pod := w.on(1)[0]
	w.Until(100)
	w.taint(1, api.Taint{Key: "k", Effect: api.NoExecute})
	w.Until(200)
	if got := w.Events("SuccessfulDelete"); len(got) != 1 || got[0] != "Normal SuccessfulDelete Deleted pod: "+pod.Name {
		t.Errorf("events %q", got)
	}
}

// TestBurst: at most 250 pods are created in one go; while they are not seen, a sync only counts (DS-9).
func TestBurst(t *testing.T) {
	w := newTestWorld(t, 600, nil)
	w.Until(1)
	wantEqual(t, "first sync", len(w.pods()), 250)
	w.c.loop.Add(key())
	if err := w.c.Sync(key()); err != nil { // the cache has no pod yet
		t.Fatal(err)
	}
	wantEqual(t, "with a stale cache", len(w.pods()), 250)
	wantEqual(t, "generation worked on", w.ds().Status.ObservedGeneration, 1)
	w.Until(5000)
	wantEqual(t, "in the end", len(w.pods()), 600)
	wantEqual(t, "notes", w.notes("creates pods"), "350 more are left for the next sync, 100 more are left for the next sync, ")
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.Template = template(t, "v1", `"nodeSelector":{"disk":"ssd"}`) })
	w.Until(20_000)
	wantEqual(t, "of no node", len(w.pods()), 0)
	wantEqual(t, "notes", w.notes("deletes pods"), "350 more are left for the next sync, 100 more are left for the next sync, ")
}

// notes joins what the reconciles of a branch note.
func (w *testWorld) notes(branch string) string {
	var notes []string
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && strings.HasPrefix(r.What, branch) }) {
		notes = append(notes, r.Why.Note)
	}
	return strings.Join(notes, ", ")
}

// TestExpectationsLeaveGeneration: a sync that only counts does not raise observedGeneration (DS-7).
func TestExpectationsLeaveGeneration(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(10_000)
	w.c.expectations.Expect(key(), 1, 0)
	w.image("v2")
	w.Until(10_100)
	s := w.ds().Status
	wantEqual(t, "observedGeneration", s.ObservedGeneration, 1)
	wantEqual(t, "updated", s.UpdatedNumberScheduled, 0)
	wantEqual(t, "pods", w.images(), "1:v1")
}

// TestVanishedNode: the loss of a node queues no DaemonSet; the next sync deletes a pod that still waits for the node, but not a pod
// that is bound to it, which the garbage collector removes (DS-8, DS-33).
func TestVanishedNode(t *testing.T) {
	w := newTestWorld(t, 2, nil)
	w.Until(5000)
	w.addNode(3, nil)
	w.Until(5003)
	waiting := w.on(3)[0]
	if waiting.NodeName != "" {
		t.Fatal("the pod is bound already")
	}
	before := w.syncs()
	for _, i := range []int{2, 3} {
		w.Must(w.User.Delete(w.node(i).Key(), apiDelete, "", nil))
	}
	w.Until(6000)
	wantEqual(t, "syncs", w.syncs(), before)
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.RevisionHistoryLimit = api.Ptr[int32](3) })
	w.Until(7000)
	wantEqual(t, "pods", w.images(), "1:v1 2:v1")
	wantEqual(t, "desired", w.ds().Status.DesiredNumberScheduled, 1)
}

// TestGoneAndTerminating: a sync does nothing for a DaemonSet that is being deleted, and forgets a removed one (DS-7).
func TestGoneAndTerminating(t *testing.T) {
	w := newTestWorld(t, 1, nil)
	w.Until(5000)
	before := w.ds().Status
	w.Must(w.User.Delete(key(), apiserver.DeleteOptions{Propagation: apiserver.Foreground}, "", nil))
	w.addNode(2, nil)
	w.Until(10_000)
	wantEqual(t, "pods", w.images(), "1:v1")
	if s := w.ds().Status; !api.Equal(&s, &before) {
		t.Errorf("the status of a DaemonSet that goes is %+v", s)
	}
	ds := api.Copy(w.ds())
	ds.Finalizers = nil
	w.Update(ds)
	w.Until(15_000)
	wantEqual(t, "specs", len(w.c.specs), 0)
}

// TestSelectsAll is the step of DS-7 for an empty selector.
func TestSelectsAll(t *testing.T) {
	w := newTestWorld(t, 1, func(ds *api.DaemonSet) { ds.Spec.Selector = &api.LabelSelector{} })
	w.Until(1000)
	if got := w.Events(""); len(got) != 1 || got[0] != "Warning SelectingAll This daemon set is selecting all pods. A non-empty selector is required." {
		t.Errorf("events %q", got)
	}
}

// TestAdoption: a pod without an owner is adopted if the selector matches it, and counts for its node (A-13, DS-33).
func TestAdoption(t *testing.T) {
	w := newTestWorld(t, 1, onDelete) // a rolling update would replace the pod: it has no hash
	w.addNode(2, nil, api.Taint{Key: "k", Effect: api.NoSchedule})
	w.Until(5000)
	orphan := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "orphan", Namespace: "default", Labels: map[string]string{"app": "agent"}},
		NodeName: "node-2", Spec: w.ds().Spec.Template.Spec}
	w.Create(orphan)
	w.Until(6000)
	if !w.on(2)[0].IsControlledBy(w.ds().UID) {
		t.Error("the pod was not adopted")
	}
	wantEqual(t, "misscheduled", w.ds().Status.NumberMisscheduled, 1)
	relabelled := api.Copy(w.on(2)[0])
	relabelled.Labels = map[string]string{"app": "other"}
	w.Update(relabelled)
	w.Until(7000)
	if w.on(2)[0].ControllerOf() != nil {
		t.Error("the pod was not released")
	}
	wantEqual(t, "misscheduled", w.ds().Status.NumberMisscheduled, 0)
}

// TestDeletePods: a pod that is gone already is no error, and is not waited for; more than 250 are left for later (DS-9).
func TestDeletePods(t *testing.T) {
	w := newTestWorld(t, 260, nil)
	w.Until(10_000)
	r, err := w.c.newRound(w.ds(), "")
	if err != nil {
		t.Fatal(err)
	}
	var p plan
	for at := range r.checked {
		p.removes(whyExcess, at.pods[0])
	}
	w.End(p.remove[0].pod.Key())
	w.Must(w.c.syncNodes(r, &p, func(err error) error { return err }))
	wantEqual(t, "deleted", len(w.Events("SuccessfulDelete")), 249)
	_, deletions := w.c.expectations.Left(key())
	wantEqual(t, "expected", deletions, 249)
}
