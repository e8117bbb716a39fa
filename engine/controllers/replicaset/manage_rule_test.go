package replicaset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// scale changes spec.replicas now.
func (w *testWorld) scale(n int32) {
	rs := api.Shallow(w.rs())
	rs.Spec.Replicas = &n
	w.Update(rs)
}

// TestEvents is, and the order of the calls in a batch (SIM-7): with room for two pods the batches are of 1
// and 2 pods, one of which is refused.
func TestEvents(t *testing.T) {
	w := newTestWorld(t, 3, 0)
	w.Quota("2")
	w.Until(1)
	pods := w.Pods()
	got := w.Events("")
	refused := "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2"
	if len(got) != 3 || got[0] != "Normal SuccessfulCreate Created pod: "+pods[0].Name || got[1] != "Normal SuccessfulCreate Created pod: "+pods[1].Name ||
		!strings.HasPrefix(got[2], `Warning FailedCreate Error creating: pods "web-`) || !strings.HasSuffix(got[2], refused) {
		t.Errorf("events are\n%s", strings.Join(got, "\n"))
	}
	// the condition says what the event says, without its first words.
	if c := api.FindCondition(w.rs().Status.Conditions, "ReplicaFailure"); c == nil || "Warning FailedCreate Error creating: "+c.Message != got[2] {
		t.Errorf("the condition is %+v", c)
	}
	w.scale(0)
	w.Until(100)
	got = w.Events("")
	if want := "Normal SuccessfulDelete Deleted pod: " + pods[0].Name; !slices.Contains(got, want) {
		t.Errorf("no event %q in\n%s", want, strings.Join(got, "\n"))
	}
}

// TestPodFromTemplate is R-7.
func TestPodFromTemplate(t *testing.T) {
	w := newTestWorld(t, 1, 0)
	w.Until(1)
	pod, rs := w.Pods()[0], w.rs()
	if pod.GenerateName != "web-" || !strings.HasPrefix(pod.Name, "web-") || pod.Namespace != "default" {
		t.Errorf("it is named %s/%s, from %q", pod.Namespace, pod.Name, pod.GenerateName)
	}
	if !maps.Equal(pod.Labels, rs.Spec.Template.Labels) || !pod.Spec.Equal(rs.Spec.Template.Spec) {
		t.Errorf("labels %v and spec must be the template's", pod.Labels)
	}
	want := api.OwnerReference{APIVersion: "apps/v1", Kind: api.KindReplicaSet, Name: "web", UID: rs.UID, Controller: true, BlockOwnerDeletion: true}
	if len(pod.OwnerReferences) != 1 || pod.OwnerReferences[0] != want {
		t.Errorf("owners are %+v, want %+v", pod.OwnerReferences, want)
	}
}

// TestStatusIsOfBefore is R-2: a sync writes the counts of the pods that it began with.
func TestStatusIsOfBefore(t *testing.T) {
	w := newTestWorld(t, 3, 0)
	w.Until(100)
	w.scale(1)
	w.Until(200)
	var got []string
	for _, c := range w.Server.Store.Log {
		if rs, ok := c.New.(*api.ReplicaSet); ok {
			got = append(got, fmt.Sprintf("%d/%d gen %d", *rs.Spec.Replicas, rs.Status.Replicas, rs.Status.ObservedGeneration))
		}
	}
	want := []string{"3/0 gen 0", "3/0 gen 1", "3/3 gen 1", "1/3 gen 1", "1/3 gen 2", "1/1 gen 2"}
	if !slices.Equal(got, want) {
		t.Errorf("stored were %q, want %q", got, want)
	}
}

// TestNoRankingForAll is R-8: if all pods must go they go in the order of the list, else the first by rank.
func TestNoRankingForAll(t *testing.T) {
	w := newTestWorld(t, 0, 0)
	w.Until(10)
	list := func() []*api.Pod {
		return []*api.Pod{rankedPod("c", 100, nil), rankedPod("a", 100, nil), rankedPod("b", -1, nil)}
	}
	for n, want := range map[int]string{3: "cab", 9: "cab", 2: "ba", 1: "b"} {
		got := ""
		for _, pod := range w.c.podsToDelete(w.rs(), list(), n) {
			got += pod.Name
		}
		if got != want {
			t.Errorf("%d of three: %s, want %s", n, got, want)
		}
	}
}

// TestChanceOfUIDs is R-11: which of three pods of the same age goes depends on the seed alone.
func TestChanceOfUIDs(t *testing.T) {
	victim := func(seed uint64) int {
		s := apiserver.New(&sim.Kernel{}, seed)
		client := s.Client("test")
		var pods []*api.Pod
		for i := range 3 {
			p := rankedPod(fmt.Sprint(i), 50, nil)
			p.Namespace = "default"
			if _, err := client.Create(p, "", nil); err != nil {
				t.Fatal(err)
			}
			pods = append(pods, p)
		}
		return slices.Index(pods, DeletionOrder(pods, nil, 100_000)[0].Pod)
	}
	seen := map[int]bool{}
	for seed := range uint64(30) {
		i := victim(seed)
		if again := victim(seed); again != i {
			t.Errorf("seed %d: pod %d goes, and then pod %d", seed, i, again)
		}
		seen[i] = true
	}
	if len(seen) != 3 {
		t.Errorf("30 seeds choose only %v", seen)
	}
}

// TestCounts is R-16: what each pod counts for, with minReadySeconds 10, at 100 s.
func TestCounts(t *testing.T) {
	w := newTestWorld(t, 3, 10)
	now := int64(100)
	w.Until(1000 * now)
	labels := w.rs().Spec.Template.Labels
	pod := func(readySince int64, labels map[string]string) *api.Pod {
		p := &api.Pod{ObjectMeta: api.ObjectMeta{Labels: labels}}
		if readySince >= 0 {
			p.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: api.TimeAt(1000 * readySince)}}
		}
		return p
	}
	tests := []struct {
		name string
		pod  *api.Pod
		want string // replicas, fully labelled, ready, available
	}{
		{"not ready", pod(-1, labels), "1 1 0 0"},
		{"ready for 9 s", pod(91, labels), "1 1 1 0"},
		{"ready for 10 s", pod(90, labels), "1 1 1 1"},
		{"equal labels, but not the same map", pod(90, maps.Clone(labels)), "1 1 1 1"},
		{"with more labels", pod(90, map[string]string{"app": "web", "x": "y"}), "1 1 1 1"},
		{"without a label of the template", pod(90, nil), "1 0 1 1"},
	}
	for _, tt := range tests {
		s := w.c.calculateStatus(w.rs(), w.c.countPods(w.rs(), []*api.Pod{tt.pod}, 4), nil)
		if got := fmt.Sprint(s.Replicas, s.FullyLabeledReplicas, s.ReadyReplicas, s.AvailableReplicas); got != tt.want || *s.TerminatingReplicas != 4 {
			t.Errorf("%s: %s, %d terminating; want %s, 4", tt.name, got, *s.TerminatingReplicas, tt.want)
		}
	}
}

// TestStatusWrites is R-18: no write without a difference, and a second try, on the stored version, after a conflict.
func TestStatusWrites(t *testing.T) {
	w := newTestWorld(t, 2, 10)
	w.Until(10)
	log := len(w.Server.Store.Log)
	if err := w.c.Sync(w.rs().Key()); err != nil || len(w.Server.Store.Log) != log {
		t.Errorf("a sync with nothing new: %v, %d writes", err, len(w.Server.Store.Log)-log)
	}
	annotated := api.Copy(w.rs())
	annotated.SetAnnotation("a", "b")
	w.Update(annotated) // the cache does not know this version
	before := w.Pods()[0]
	w.SetPhase(before.Name, api.PodRunning, true)
	after := w.Pods()[0]
	w.c.pods.Cache.Put(after)
	w.c.observe(&sim.Change{Type: sim.Modified, Old: before, New: after})
	if err := w.c.Sync(annotated.Key()); err != nil {
		t.Fatalf("a conflict must be tried again: %v", err)
	}
	if rs := w.rs(); rs.Status.ReadyReplicas != 1 || rs.Annotations["a"] != "b" {
		t.Errorf("stored are %d ready ones and the annotations %v", rs.Status.ReadyReplicas, rs.Annotations)
	}
	if w.c.loop.AddAfter(annotated.Key(), 10_000) {
		t.Error("after the second try, too, it must wait for the pod to become available")
	}
}

// TestTerminatingInStatus is R-16: since 1.35 the status counts terminating pods, and its record says so.
func TestTerminatingInStatus(t *testing.T) {
	for minor, want := range map[int]string{34: "status: replicas 0, ready 0, available 0", 35: "status: replicas 0, ready 0, available 0, terminating 0"} {
		w := newTestWorld(t, 1, 0)
		w.Server.Minor = minor
		w.Until(10)
		writes := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Write && strings.HasPrefix(r.What, "status: ") })
		if len(writes) == 0 || writes[0].What != want {
			t.Errorf("1.%d: the first of %d writes is not %q", minor, len(writes), want)
		}
	}
}

// TestFailureConditions is R-20: the condition is added at the first error and removed without one; its reason says
// whether pods are too few or too many.
func TestFailureConditions(t *testing.T) {
	first := []api.Condition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate", Message: "first", LastTransitionTime: api.TimeAt(0)}}
	for _, tt := range []struct {
		name   string
		have   []api.Condition
		active int
		err    error
		want   string
	}{
		{"none", nil, 3, nil, ""},
		{"too few", nil, 1, errors.New("no"), "FailedCreate no 9000"},
		{"too many", nil, 5, errors.New("no"), "FailedDelete no 9000"},
		{"still", first, 1, errors.New("second"), "FailedCreate first 0"},
		{"no more", first, 1, nil, ""},
	} {
		rs := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: api.Ptr[int32](3)}, Status: api.ReplicaSetStatus{Conditions: tt.have}}
		got := ""
		if c := api.FindCondition(failureConditions(rs, tt.active, tt.err, api.TimeAt(9000)), "ReplicaFailure"); c != nil {
			got = fmt.Sprint(c.Reason, " ", c.Message, " ", c.LastTransitionTime.Milli())
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestVictimsByName is H-8: what is expected are the names of the deleted pods, so that another pod's end is no answer.
func TestVictimsByName(t *testing.T) {
	w := newTestWorld(t, 0, 0)
	w.Until(10)
	key := w.rs().Key()
	pod := func(name string) *api.Pod { return &api.Pod{ObjectMeta: api.ObjectMeta{Name: name}} }
	w.c.expectations.ExpectDeletions(key, []*api.Pod{pod("a"), pod("b")})
	for _, name := range []string{"x", "a", "a", "y"} {
		if w.c.expectations.DeletionObserved(key, name); w.c.expectations.Satisfied(key) {
			t.Errorf("satisfied after %s, though b was not seen to go", name)
		}
	}
	if w.c.expectations.DeletionObserved(key, "b"); !w.c.expectations.Satisfied(key) {
		t.Error("not satisfied after all victims were seen to go")
	}
}

// TestNeverGivesUp is H-6: a ReplicaSet is tried again without end.
func TestNeverGivesUp(t *testing.T) {
	if w := newTestWorld(t, 0, 0); w.c.loop.MaxRetries != 0 {
		t.Errorf("it gives up after %d retries", w.c.loop.MaxRetries)
	}
}

// TestWakeUps is R-25: which changes of a pod wake the ReplicaSet web.
func TestWakeUps(t *testing.T) {
	w := newTestWorld(t, 0, 0)
	w.Until(10)
	ref := []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "web", UID: w.rs().UID, Controller: true}}
	stranger := []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "web", UID: "another", Controller: true}}
	pod := func(owner []api.OwnerReference, label string, terminating bool) *api.Pod {
		p := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", OwnerReferences: owner, Labels: map[string]string{"app": label}}}
		if terminating {
			p.DeletionTimestamp = api.TimeAt(0)
		}
		return p
	}
	tests := []struct {
		name     string
		old, new *api.Pod
		want     bool
	}{
		{"mine is added", nil, pod(ref, "web", false), true},
		{"mine changes", pod(ref, "web", false), pod(ref, "web", false), true},
		{"mine is marked for deletion", pod(ref, "web", false), pod(ref, "web", true), true},
		{"mine is gone", pod(ref, "web", true), nil, true},
		{"one of my predecessor", nil, pod(stranger, "web", false), false},
		{"an orphan that I select", nil, pod(nil, "web", false), true},
		{"an orphan that I do not select", nil, pod(nil, "db", false), false},
		{"an orphan changes, not its labels", pod(nil, "web", false), pod(nil, "web", false), false},
		{"an orphan gets my labels", pod(nil, "db", false), pod(nil, "web", false), true},
		{"an orphan is gone", pod(nil, "web", false), nil, false},
		{"mine is released", pod(ref, "db", false), pod(nil, "db", false), true},
	}
	for _, tt := range tests {
		c := &sim.Change{Type: sim.Modified}
		switch {
		case tt.old == nil:
			c.Type, c.New = sim.Added, tt.new
		case tt.new == nil:
			c.Type, c.Old = sim.Deleted, tt.old
		default:
			c.Old, c.New = tt.old, tt.new
		}
		before := w.Kernel.Pending()
		w.c.OnChange(c)
		if got := w.Kernel.Pending() > before; got != tt.want {
			t.Errorf("%s: woken is %t, want %t", tt.name, got, tt.want)
		}
		for w.Kernel.Step() {
		}
	}
}

// TestClaimGoesOn is A-13: an orphan that another owner has adopted since the cache was filled does not keep the ReplicaSet
// from adopting the others, and each such orphan is an error.
func TestClaimGoesOn(t *testing.T) {
	w := newTestWorld(t, 3, 0)
	w.Until(0)
	for _, name := range []string{"a", "b", "c"} {
		w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "web"}},
			Spec: w.rs().Spec.Template.Spec, Status: api.PodStatus{Phase: api.PodRunning}})
	}
	w.Until(1)
	for _, name := range []string{"a", "c"} {
		pod := api.Copy(w.Server.Store.Get(cluster.Key(api.KindPod, name)))
		pod.Meta().OwnerReferences = []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "other", UID: "other", Controller: true}}
		w.Update(pod)
	}
	err := w.c.Sync(w.rs().Key())
	if err == nil || strings.Count(err.Error(), "Only one reference can have Controller set to true.") != 2 || err.Error()[0] != '[' {
		t.Errorf("the sync ended with %v", err)
	}
	for _, pod := range w.Pods() {
		if mine := pod.IsControlledBy(w.rs().UID); mine != (pod.Name == "b") {
			t.Errorf("pod %s is mine: %v", pod.Name, mine)
		}
	}
}
