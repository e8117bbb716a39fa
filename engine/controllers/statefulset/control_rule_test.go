package statefulset

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestIdentity is S-5: names, labels, hostname and subdomain, and where the numbers begin.
func TestIdentity(t *testing.T) {
	w := newReadyWorld(t, 37, 2, func(s *api.StatefulSet) { s.Spec.Ordinals = &api.StatefulSetOrdinals{Start: 5} })
	pod := w.Pod("db-6")
	if w.Pod("db-5") == nil || pod == nil {
		t.Fatalf("pods are %s, want 5 and 6", w.images())
	}
	want := map[string]string{"app": "db", "statefulset.kubernetes.io/pod-name": "db-6", "apps.kubernetes.io/pod-index": "6",
		"controller-revision-hash": w.set().Status.UpdateRevision}
	if !maps.Equal(pod.Labels, want) {
		t.Errorf("labels are %v, want %v", pod.Labels, want)
	}
	if pod.Hostname != "db-6" || pod.Subdomain != "db-headless" || pod.GenerateName != "db-" || !pod.IsControlledBy(w.set().UID) {
		t.Errorf("hostname %q, subdomain %q, generateName %q, owners %v", pod.Hostname, pod.Subdomain, pod.GenerateName, pod.OwnerReferences)
	}
}

// TestParentAndOrdinal is S-11: which names belong to a StatefulSet, and which have a number.
func TestParentAndOrdinal(t *testing.T) {
	for _, tt := range []struct {
		name, parent string
		ordinal      int
	}{
		{"db-0", "db", 0}, {"db-12", "db", 12}, {"db-1-3", "db-1", 3}, {"db-007", "db", 7}, {"db", "", -1}, {"db-", "", -1}, {"db-x", "", -1},
		{"db-1x", "", -1}, {"db-2147483647", "db", 2147483647}, {"db-2147483648", "db", -1}, {"db-99999999999999999999", "db", -1}, {"-1", "", 1},
	} {
		if parent, ordinal := parentAndOrdinal(tt.name); parent != tt.parent || ordinal != tt.ordinal {
			t.Errorf("%s: %q %d, want %q %d", tt.name, parent, ordinal, tt.parent, tt.ordinal)
		}
	}
}

// TestScaling is S-14 and S-15: up in order, one when the one before is Ready; down from the top, one when the one before
// is gone. In parallel all at once.
func TestScaling(t *testing.T) {
	for _, tt := range []struct {
		name     string
		change   func(*api.StatefulSet)
		up, down string
	}{
		{"OrderedReady", nil, "+db-0, ready db-0, +db-1, ready db-1, +db-2, ready db-2", "-db-2, gone db-2, -db-1, gone db-1"},
		{"Parallel", parallel, "+db-0, +db-1, +db-2, ready db-0, ready db-1, ready db-2", "-db-2, -db-1, gone db-1, gone db-2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newReadyWorld(t, 37, 3, tt.change)
			if got := w.podLog(0); got != tt.up {
				t.Errorf("up: %s\nwant: %s", got, tt.up)
			}
			from := w.mark()
			w.scale(1)
			w.run()
			if got := w.podLog(from); got != tt.down {
				t.Errorf("down: %s\nwant: %s", got, tt.down)
			}
		})
	}
}

// TestScaleDownWaits is S-14 and S-15: no pod goes while one below it is not healthy, and nothing is created meanwhile.
func TestScaleDownWaits(t *testing.T) {
	w := newReadyWorld(t, 37, 3, nil)
	w.SetPhase("db-0", api.PodRunning, false)
	from := w.mark()
	w.scale(1)
	if got := w.podLog(from); got != "" {
		t.Fatalf("though db-0 is not Ready: %s", got)
	}
	if d := w.last(sim.Decision); d.What != "db-0 is not Ready: OrderedReady waits" || d.Why.Rule != "S-14" {
		t.Errorf("the decision is %q (%s)", d.What, d.Why.Rule)
	}
	if r := w.last(sim.Reconcile); !strings.HasPrefix(r.What, "waits for db-0") {
		t.Errorf("the reconcile %q", r.What)
	}
	w.run()
	if got, want := w.podLog(from), "ready db-0, -db-2, gone db-2, -db-1, gone db-1"; got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
}

// TestUnhealthyCondemned is S-12 and S-15: of the pods that are too many the highest goes first, unless two are unhealthy: then the
// highest waits.
func TestUnhealthyCondemned(t *testing.T) {
	w := newReadyWorld(t, 37, 4, nil)
	w.SetPhase("db-3", api.PodRunning, false)
	from := w.mark()
	w.broken["db:1"] = true
	w.scale(1)
	if got := w.podLog(from); got != "-db-3" {
		t.Errorf("one unhealthy pod: %q, want it to go", got)
	}
	w = newReadyWorld(t, 37, 4, nil)
	w.SetPhase("db-3", api.PodRunning, false)
	w.SetPhase("db-2", api.PodRunning, false)
	from = w.mark()
	w.scale(1)
	if got := w.podLog(from); got != "" {
		t.Errorf("two unhealthy pods: %q, want none to go", got)
	}
	if d := w.last(sim.Decision); d.What != "db-3 is not healthy, and neither is a pod below it: OrderedReady waits" || d.Why.Rule != "S-15" {
		t.Errorf("the decision is %q", d.What)
	}
}

// TestFinished is S-14 step 1: a pod that has finished is deleted and recreated, whatever its exit code.
func TestFinished(t *testing.T) {
	for _, phase := range []string{api.PodFailed, api.PodSucceeded} {
		w := newReadyWorld(t, 37, 2, nil)
		from := w.mark()
		w.SetPhase("db-0", phase, false)
		w.settle()
		w.run()
		if got, want := w.podLog(from), "gone db-0, +db-0, ready db-0"; got != want {
			t.Errorf("%s: %s\nwant: %s", phase, got, want)
		}
	}
}

// TestTerminatingKeepsItsSlot is S-23: as long as the object of a lost pod is there, no other one takes its place.
func TestTerminatingKeepsItsSlot(t *testing.T) {
	w := newReadyWorld(t, 37, 2, nil)
	from := w.mark()
	w.deletePod("db-1")
	w.Advance(600_000)
	if got := w.podLog(from); got != "-db-1" {
		t.Errorf("%s, want nothing after the deletion", got)
	}
	if s := w.set().Status; s.Replicas != 2 || s.ReadyReplicas != 2 || s.CurrentReplicas != 1 || s.UpdatedReplicas != 1 {
		t.Errorf("S-30: status is %+v", s)
	}
}

// TestMinReadySeconds is S-14 step 6 and S-34: the next pod is created when the one before has been Ready for long enough,
// and the controller wakes up for that.
func TestMinReadySeconds(t *testing.T) {
	w := newWorld(t, 37, 2, func(s *api.StatefulSet) { s.Spec.MinReadySeconds = 10 })
	w.step()
	w.step()
	ready := w.Pod("db-0").ReadyCondition().LastTransitionTime.Milli()
	if s := w.set().Status; s.ReadyReplicas != 1 || s.AvailableReplicas != 0 || w.Pod("db-1") != nil {
		t.Fatalf("status is %+v, pods are %s", s, w.images())
	}
	if d := w.last(sim.Decision); d.What != "db-0 is Ready, but not yet for minReadySeconds: OrderedReady waits" || d.Why.Value != 10 {
		t.Errorf("the decision is %q: %s", d.What, d.Why)
	}
	w.Until(ready + 4_500)
	w.update(func(s *api.StatefulSet) { s.SetAnnotation("wake", "up") })
	if d := w.last(sim.Decision); d.Why.String() != "6 = 10 minReadySeconds - 4 readySeconds" {
		t.Errorf("after 4.5 s it waits because %s", d.Why)
	}
	w.Advance(20_000)
	created := int64(0)
	for _, c := range w.Server.Store.Log {
		if c.Type == sim.Added && c.New.Key() == cluster.Key(api.KindPod, "db-1") {
			created = c.At
		}
	}
	if created < ready+10_000 || created > ready+11_000 || w.set().Status.AvailableReplicas != 1 {
		t.Errorf("db-1 was created at %d ms, db-0 was Ready at %d ms: %+v", created, ready, w.set().Status)
	}
}

// TestReadyPodWakesAgain is S-34: a pod that becomes Ready wakes its StatefulSet again after minReadySeconds, if there are any.
func TestReadyPodWakesAgain(t *testing.T) {
	for _, seconds := range []int32{0, 10} {
		w := newReadyWorld(t, 37, 1, func(s *api.StatefulSet) { s.Spec.MinReadySeconds = seconds })
		w.Finish()
		ready, unready := w.Pod("db-0"), api.Copy(w.Pod("db-0"))
		unready.Status.Conditions = nil
		before := w.Kernel.Pending()
		w.c.loop.AddOwnersOfPod(&w.c.sets.Cache, &sim.Change{Type: sim.Modified, Old: unready, New: ready})
		if got, want := w.Kernel.Pending()-before, int(1+min(seconds, 1)); got != want {
			t.Errorf("minReadySeconds %d: %d events were scheduled, want %d", seconds, got, want)
		}
		if seconds > 0 && (w.c.loop.AddAfter(w.set().Key(), 10_000) || !w.c.loop.AddAfter(w.set().Key(), 9_999)) {
			t.Error("the key must wait for exactly ten seconds")
		}
		if w.Finish(); w.last(sim.Reconcile).Sync.Woken != 1 {
			t.Errorf("minReadySeconds %d: the last sync was woken %d times", seconds, w.last(sim.Reconcile).Sync.Woken)
		}
	}
}

// TestRecheck is S-34: pods that were Ready before minReadySeconds was set are available when they have been Ready for as long.
func TestRecheck(t *testing.T) {
	w := newReadyWorld(t, 37, 1, nil)
	ready := w.Pod("db-0").ReadyCondition().LastTransitionTime.Milli()
	w.update(func(s *api.StatefulSet) { s.Spec.MinReadySeconds = 60 })
	for i, at := range []sim.Time{59_999, 60_100} {
		w.Until(ready + at)
		if got := int(w.set().Status.AvailableReplicas); got != i {
			t.Errorf("%d ms after it was Ready: %d available, want %d", at, got, i)
		}
	}
}

// TestPresent: what creates a pod says how many are there (S-14).
func TestPresent(t *testing.T) {
	w := newReadyWorld(t, 37, 2, nil)
	w.scale(3)
	syncs := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && strings.HasPrefix(r.What, "creates db-2") })
	if len(syncs) != 1 || syncs[0].Why.String() != "1 = 3 replicas - 2 present" {
		t.Errorf("%d syncs create it, the first because %s", len(syncs), syncs[0].Why)
	}
}

// TestTerminatingSet is S-13: a StatefulSet that is being deleted only counts.
func TestTerminatingSet(t *testing.T) {
	w := newReadyWorld(t, 37, 2, nil)
	w.Must(w.User.Delete(w.set().Key(), apiserver.DeleteOptions{Propagation: apiserver.Foreground}, "deleted", nil))
	w.settle()
	from := w.mark()
	w.deletePod("db-1")
	w.step()
	if got := w.podLog(from); got != "-db-1, gone db-1" {
		t.Errorf("%s, want no new pod", got)
	}
	if got := w.set().Status.Replicas; got != 1 {
		t.Errorf("status.replicas is %d, want 1", got)
	}
}

// TestClaimPods is A-13: orphans with a name of the StatefulSet are adopted, pods with another name are let go.
func TestClaimPods(t *testing.T) {
	w := newWorld(t, 37, 0, nil)
	orphan := func(name string, owners []api.OwnerReference) {
		w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "db"},
			OwnerReferences: owners}, Spec: w.set().Spec.Template.Spec})
		w.settle()
	}
	orphan("web-0", nil)
	if w.Pod("web-0").ControllerOf() != nil {
		t.Error("web-0 was adopted, though it has another name")
	}
	orphan("other-1", []api.OwnerReference{apiserver.ControllerRef(w.set())})
	if w.Pod("other-1").ControllerOf() != nil {
		t.Error("other-1 was not let go, though it has another name")
	}
	w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: "db-0", Namespace: "default", Labels: map[string]string{"app": "other"}},
		Spec: w.set().Spec.Template.Spec})
	w.scale(1)
	if events := w.events(0); len(events) != 0 {
		t.Errorf("S-40: a pod of the name that exists already makes no event: %v", events)
	}
	p := api.Copy(w.Pod("db-0"))
	p.Labels = map[string]string{"app": "db"}
	w.Update(p)
	w.settle()
	if pod := w.Pod("db-0"); !pod.IsControlledBy(w.set().UID) {
		t.Error("db-0 was not adopted")
	}
	from := w.mark()
	w.SetPhase("db-0", api.PodRunning, true)
	w.settle()
	repaired := slices.ContainsFunc(w.Server.Store.Log[from:], func(c sim.Change) bool {
		pod, ok := c.New.(*api.Pod)
		return ok && pod.Labels[api.StatefulSetPodNameLabel] == "db-0" && pod.Labels[api.PodIndexLabel] == "0"
	})
	if !repaired {
		t.Error("S-14: the labels of the adopted pod were not repaired")
	}
	if pod := w.Pod("db-0"); pod == nil || revisionOf(pod) != w.set().Status.UpdateRevision {
		t.Error("S-17: the adopted pod, which is of no revision, was not replaced")
	}
	if want := "Normal SuccessfulUpdate: Update Pod db-0 in StatefulSet db successful"; !slices.Contains(w.events(0), want) {
		t.Errorf("no event %q in %v", want, w.events(0))
	}
}

// TestEvents is S-40, with the quota of T-5: a refused creation is an event on the StatefulSet, and the status stays.
func TestEvents(t *testing.T) {
	w := newReadyWorld(t, 37, 1, nil)
	w.Quota("1")
	from := w.records()
	w.scale(2)
	want := `Warning FailedCreate: Create Pod db-1 in StatefulSet db failed error: pods "db-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1`
	events := w.events(from)
	if len(events) < 3 || slices.ContainsFunc(events, func(e string) bool { return e != want }) {
		t.Errorf("events are %v\nwant several of %q", events, want)
	}
	if s := w.set().Status; s.Replicas != 1 || len(s.Conditions) != 0 || s.ObservedGeneration != 2 {
		t.Errorf("status is %+v", s)
	}
	from = w.records()
	w.scale(0)
	w.run()
	if got := w.events(from); !slices.Equal(got, []string{"Normal SuccessfulDelete: Delete Pod db-0 in StatefulSet db successful"}) {
		t.Errorf("events are %v", got)
	}
	if got := w.events(0)[0]; got != "Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db successful" {
		t.Errorf("the first event is %q", got)
	}
}

// TestStatusConflict is S-32: a status that meets a conflict is written by a later sync.
func TestStatusConflict(t *testing.T) {
	w := newReadyWorld(t, 37, 1, nil)
	w.SetPhase("db-0", api.PodRunning, false)
	w.Advance(1) // the controller has the change in its queue, and not yet what follows
	w.settle()
	w.SetPhase("db-0", api.PodRunning, true)
	for w.Kernel.Pending() > 0 { // the change reaches the queue; then the set is written before the controller takes it
		at, _ := w.Kernel.Next()
		if at > w.Kernel.Now() {
			w.Kernel.Step()
			break
		}
		w.Kernel.Step()
	}
	set := api.Copy(w.set())
	set.SetAnnotation("a", "b")
	w.Update(set)
	w.settle()
	if s := w.set(); s.Status.ReadyReplicas != 1 || s.Annotations["a"] != "b" {
		t.Errorf("status is %+v", s.Status)
	}
	if !slices.ContainsFunc(w.Kernel.Trace.Records, func(r *sim.Record) bool {
		return r.Kind == sim.Decision && strings.Contains(r.What, "the object has been modified")
	}) {
		t.Error("there was no conflict")
	}
}

// TestWakeUps is S-41: which changes of a pod wake the StatefulSet db.
func TestWakeUps(t *testing.T) {
	w := newWorld(t, 37, 0, nil)
	ref := []api.OwnerReference{apiserver.ControllerRef(w.set())}
	stranger := []api.OwnerReference{{Kind: api.KindStatefulSet, Name: "db", UID: "another", Controller: true}}
	other := []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "db", UID: w.set().UID, Controller: true}}
	pod := func(owner []api.OwnerReference, label string, terminating bool) *api.Pod {
		p := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", OwnerReferences: owner, Labels: map[string]string{"app": label}}}
		if terminating {
			p.DeletionTimestamp = api.TimeAt(0)
		}
		return p
	}
	for _, tt := range []struct {
		name     string
		old, new *api.Pod
		want     bool
	}{
		{"mine is added", nil, pod(ref, "db", false), true},
		{"mine changes", pod(ref, "db", false), pod(ref, "db", false), true},
		{"mine is marked for deletion", pod(ref, "db", false), pod(ref, "db", true), true},
		{"mine is gone", pod(ref, "db", true), nil, true},
		{"one of my predecessor", nil, pod(stranger, "db", false), false},
		{"one of another kind", nil, pod(other, "db", false), false},
		{"an orphan that I select", nil, pod(nil, "db", false), true},
		{"an orphan that is about to go", nil, pod(nil, "db", true), false},
		{"an orphan changes, not its labels", pod(nil, "db", false), pod(nil, "db", false), false},
		{"an orphan gets my labels", pod(nil, "web", false), pod(nil, "db", false), true},
		{"an orphan is gone", pod(nil, "db", false), nil, false},
		{"mine is released", pod(ref, "web", false), pod(nil, "web", false), true},
	} {
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
		w.settle()
	}
}

// TestNeverGivesUp is H-6: a StatefulSet is tried again without end.
func TestNeverGivesUp(t *testing.T) {
	if w := newWorld(t, 37, 0, nil); w.c.loop.MaxRetries != 0 {
		t.Errorf("it gives up after %d retries", w.c.loop.MaxRetries)
	}
}

// TestIdentityMatches is S-14 step 7: the name of the StatefulSet, a number without leading zeros, and the label.
func TestIdentityMatches(t *testing.T) {
	set := &api.StatefulSet{ObjectMeta: api.ObjectMeta{Name: "db"}}
	for _, tt := range []struct {
		name, label string
		want        bool
	}{{"db-0", "db-0", true}, {"db-10", "db-10", true}, {"db-01", "db-01", false}, {"db-00", "db-00", false}, {"db-1", "db-2", false},
		{"web-1", "web-1", false}, {"db", "db", false}} {
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: tt.name, Labels: map[string]string{api.StatefulSetPodNameLabel: tt.label}}}
		if got := identityMatches(set, pod); got != tt.want {
			t.Errorf("%s labelled %s: %t, want %t", tt.name, tt.label, got, tt.want)
		}
	}
}
