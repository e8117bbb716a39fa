package replicaset

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// testWorld is a server with one ReplicaSet and its controller. Time passes only by step and until.
type testWorld struct {
	*cluster.Cluster
	c *Controller
}

func newTestWorld(t *testing.T, replicas, minReadySeconds int32) *testWorld {
	t.Helper()
	w := &testWorld{Cluster: cluster.New(t)}
	w.c = New(w.Server)
	w.Create(&api.ReplicaSet{
		ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"},
		Spec: api.ReplicaSetSpec{Replicas: &replicas, MinReadySeconds: minReadySeconds, Template: cluster.Template(t, "web", "nginx"),
			Selector: cluster.Selects("web")},
	})
	return w
}

func (w *testWorld) rs() *api.ReplicaSet {
	return w.Server.Store.Get(cluster.Key(api.KindReplicaSet, "web")).(*api.ReplicaSet)
}

// events counts the events with a reason.
func (w *testWorld) events(reason string) int { return len(w.Events(reason)) }

// TestSlowStart is the worked example of R-4: with room for 4 of 6 pods the batches are 1, 2 and 3, so two calls fail;
// every later retry makes one failing call.
func TestSlowStart(t *testing.T) {
	w := newTestWorld(t, 6, 0)
	w.Quota("4")
	w.Until(1)
	if created, failed := w.events("SuccessfulCreate"), w.events("FailedCreate"); created != 4 || failed != 2 {
		t.Fatalf("%d created and %d failed, want 4 and 2", created, failed)
	}
	cond := api.FindCondition(w.rs().Status.Conditions, "ReplicaFailure")
	if cond == nil || cond.Status != "True" || cond.Reason != "FailedCreate" {
		t.Fatalf("R-20: condition is %+v", cond)
	}
	first, retries := cond.Message, 0
	for failed := w.events("FailedCreate"); w.Kernel.Now() < 1000; {
		w.Kernel.Step()
		if now := w.events("FailedCreate"); now != failed {
			if now != failed+1 {
				t.Fatalf("a retry made %d failing calls, want 1", now-failed)
			}
			failed, retries = now, retries+1
		}
	}
	if retries < 4 {
		t.Errorf("%d retries within a second", retries)
	}
	if got := api.FindCondition(w.rs().Status.Conditions, "ReplicaFailure").Message; got != first {
		t.Errorf("R-20: the message changed from %q to %q", first, got)
	}
}

// TestBatches: ten pods are created in batches of 1, 2, 4 and 3; a refusal ends it after its batch.
func TestBatches(t *testing.T) {
	for _, tt := range []struct{ room, created, failed int }{{0, 0, 1}, {1, 1, 2}, {2, 2, 1}, {3, 3, 4}, {6, 6, 1}, {7, 7, 3}, {9, 9, 1}, {10, 10, 0}} {
		w := newTestWorld(t, 10, 0)
		w.Quota(fmt.Sprint(tt.room))
		w.Until(1)
		if created, failed := w.events("SuccessfulCreate"), w.events("FailedCreate"); created != tt.created || failed != tt.failed {
			t.Errorf("room for %d: %d created and %d failed, want %d and %d", tt.room, created, failed, tt.created, tt.failed)
		}
	}
}

// TestBurst: at most 500 pods are created in one sync.
func TestBurst(t *testing.T) {
	w := newTestWorld(t, 1200, 0)
	var seen []int
	for w.Kernel.Step() {
		if n := len(w.Pods()); len(seen) == 0 || n != seen[len(seen)-1] {
			seen = append(seen, n)
		}
	}
	if !slices.Equal(seen, []int{0, 500, 1000, 1200}) {
		t.Errorf("numbers of pods were %v", seen)
	}
}

// TestBillionReplicas: the API server refuses a billion replicas (see limits), but a sync needs memory for the existing pods and for its
// burst only, not for spec.replicas. It was 8 GB.
func TestBillionReplicas(t *testing.T) {
	const ceiling = 64 << 20 // two bursts of 500 pods take 1 MB
	w := newTestWorld(t, 3, 0)
	huge := api.Copy(w.rs())
	huge.SetReplicas(1_000_000_000)
	w.Server.Store.Put(huge, sim.Record{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for events := 0; len(w.Pods()) < 2*burstReplicas; events++ {
		if events == 4*burstReplicas || !w.Kernel.Step() {
			t.Fatalf("%d pods after %d events, want %d", len(w.Pods()), events, 2*burstReplicas)
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > ceiling {
			t.Fatalf("%d pods took %d MB, want at most %d", len(w.Pods()), taken>>20, ceiling>>20)
		}
	}
}

// TestExpectations: while the cache does not show what the last sync did, a sync only updates the status. Without
// that, the sync that the first pod's arrival wakes would create the others a second time.
func TestExpectations(t *testing.T) {
	w := newTestWorld(t, 3, 0)
	w.Until(1)
	if n := len(w.Pods()); n != 3 {
		t.Fatalf("%d pods, want 3", n)
	}
	if err := w.c.Sync(w.rs().Key()); err != nil { // the cache has no pod yet
		t.Fatal(err)
	}
	if n := len(w.Pods()); n != 3 {
		t.Errorf("%d pods after a sync with a stale cache, want 3", n)
	}
	w.Until(2)
	rs := api.Shallow(w.rs())
	rs.Spec.Replicas = api.Ptr[int32](1)
	w.Update(rs)
	w.Until(3)
	if err := w.c.Sync(w.rs().Key()); err != nil { // two victims are gone from the store, not from the cache
		t.Fatal(err)
	}
	if n := len(w.Pods()); n != 1 {
		t.Errorf("%d pods after scaling down, want 1", n)
	}
	if w.c.expectations.Satisfied(w.rs().Key()) {
		t.Error("the deletions must still be expected")
	}
	w.Until(10)
	if !w.c.expectations.Satisfied(w.rs().Key()) {
		t.Error("the deletions were seen and must not be expected any more")
	}
}

// TestExpectationsTimeOut: what was never seen is expected for five minutes.
func TestExpectationsTimeOut(t *testing.T) {
	w := newTestWorld(t, 0, 0)
	w.Until(10)
	key := w.rs().Key()
	w.c.expectations.Expect(key, 1, 0)
	since := w.Kernel.Now()
	w.Until(since + 5*60*1000)
	if w.c.expectations.Satisfied(key) {
		t.Error("after exactly five minutes it must still be expected")
	}
	w.Until(since + 5*60*1000 + 1)
	if !w.c.expectations.Satisfied(key) {
		t.Error("after more than five minutes it must not be expected any more")
	}
}

// TestMinReadySeconds is the worked example of R-22: with ten seconds, pods that are Ready at 1 s and 4 s count as
// available at 11 s and 14 s.
func TestMinReadySeconds(t *testing.T) {
	w := newTestWorld(t, 2, 10)
	w.Until(100)
	pods := w.Pods()
	for i, at := range []int64{1000, 4000} {
		w.Until(at)
		w.SetPhase(pods[i].Name, api.PodRunning, true)
	}
	var rows []string
	last := "1/0"
	for w.Kernel.Step() {
		s := w.rs().Status
		if row := fmt.Sprintf("%d/%d", s.ReadyReplicas, s.AvailableReplicas); row != last {
			rows = append(rows, fmt.Sprintf("%d ms %s", w.Kernel.Now(), row))
			last = row
		}
	}
	if got, want := strings.Join(rows, ", "), "4001 ms 2/0, 11000 ms 2/1, 14000 ms 2/2"; got != want {
		t.Errorf("ready/available: %s, want %s", got, want)
	}
}

// TestReadyPodWakesAgain: a pod that becomes Ready wakes its ReplicaSet after minReadySeconds, whatever the last sync
// has planned (R-22a).
func TestReadyPodWakesAgain(t *testing.T) {
	w := newTestWorld(t, 1, 10)
	w.Until(100)
	old := w.Pods()[0]
	w.Until(1000)
	w.SetPhase(old.Name, api.PodRunning, true)
	before := w.Kernel.Pending()
	w.c.loop.AddOwnersOfPod(&w.c.replicaSets.Cache, &sim.Change{Type: sim.Modified, Old: old, New: w.Pods()[0]})
	if got := w.Kernel.Pending() - before; got != 2 {
		t.Errorf("%d events were scheduled, want one for now and one for later", got)
	}
	if !w.c.loop.AddAfter(w.rs().Key(), 9_999) || w.c.loop.AddAfter(w.rs().Key(), 10_000) {
		t.Error("the key must wait for exactly ten seconds")
	}
}

// TestNoSecondWake: without minReadySeconds a pod that becomes Ready wakes its ReplicaSet once (R-22a).
func TestNoSecondWake(t *testing.T) {
	w := newTestWorld(t, 1, 0)
	w.Until(100)
	w.SetPhase(w.Pods()[0].Name, api.PodRunning, true)
	w.Until(200)
	syncs := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && r.At > 100 })
	if len(syncs) == 0 || syncs[0].Sync.Woken != 1 {
		t.Errorf("%d syncs, the first woken %d times, want once", len(syncs), syncs[0].Sync.Woken)
	}
}

// TestRecheck is R-22b: what the status update returns decides whether the ReplicaSet is looked at again, and when.
func TestRecheck(t *testing.T) {
	for _, tt := range []struct {
		name             string
		seconds          int32
		ready, available int32
		want             int64 // ms until then, 0 for never
	}{
		{"a pod is not available yet", 10, 1, 0, 9_000},
		{"all are available", 10, 1, 1, 0},
		{"minReadySeconds has been taken away since", 0, 1, 0, 0},
	} {
		w := newTestWorld(t, 1, 0)
		w.Until(1000)
		w.SetPhase(w.Pods()[0].Name, api.PodRunning, true)
		w.Until(2000)
		stored := api.Copy(w.rs())
		stored.Spec.MinReadySeconds, stored.Status.ReadyReplicas, stored.Status.AvailableReplicas = tt.seconds, tt.ready, tt.available
		before := w.Kernel.Pending()
		w.Must(w.c.recheckAvailability(w.rs(), stored, nil, true))
		if queued := w.Kernel.Pending() > before; queued != (tt.want > 0) {
			t.Errorf("%s: queued is %t", tt.name, queued)
		} else if queued && (!w.c.loop.AddAfter(stored.Key(), tt.want-1) || w.c.loop.AddAfter(stored.Key(), tt.want)) {
			t.Errorf("%s: not queued for %d ms later", tt.name, tt.want)
		}
	}
}

// TestTally: the tally stands for the pods through their whole lives, unless only a look at each can tell.
func TestTally(t *testing.T) {
	w := newTestWorld(t, 4, 0)
	agrees := func(when, want string) {
		t.Helper()
		w.Advance(100)
		tally, counted := w.c.tallied(w.rs())
		active, terminating, err := w.c.claimPods(w.rs())
		if one := w.c.countPods(w.rs(), active, terminating); err != nil || counted && one != tally {
			t.Errorf("%s: the tally is %+v, the pods are %+v (%v)", when, tally, one, err)
		}
		if got := fmt.Sprint(tally.active, tally.ready, tally.terminating, counted); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	agrees("created", "4 0 0 true")
	pods := w.Pods()
	for _, pod := range pods[:2] {
		w.SetPhase(pod.Name, api.PodRunning, true)
	}
	agrees("two are Ready", "4 2 0 true")
	w.SetPhase(pods[0].Name, api.PodRunning, false)
	agrees("one is Ready no more", "4 1 0 true")
	w.Delete(pods[1].Key())
	agrees("one is replaced", "4 0 0 true")
	odd := api.Copy(w.Pods()[0])
	odd.Labels = map[string]string{"app": "web", "more": "x"}
	w.Update(odd)
	agrees("one has another label", "3 0 0 false")
	odd = api.Copy(w.Pod(odd.Name))
	odd.Labels = w.rs().Spec.Template.Labels
	w.Update(odd)
	agrees("it has it no more", "4 0 0 true")
}
