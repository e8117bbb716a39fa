package statefulset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestGoldenTrace is S-33 row for row, with what S-10 puts into each, and the order of S-20, with and without the gate of 1.37.
func TestGoldenTrace(t *testing.T) {
	for _, minor := range []int{36, 37} {
		w := newReadyWorld(t, minor, 3, nil)
		old := w.set().Status.CurrentRevision
		from := w.mark()
		w.setImage("db:2")
		if s := w.set().Status; s.CurrentRevision != old || s.UpdateRevision == old {
			t.Errorf("1.%d: in mid-update the revisions are %q and %q", minor, s.CurrentRevision, s.UpdateRevision)
		}
		w.run()
		want := []string{"3 3 3 3", "3 3 2 0", "2 2 2 0", "3 2 2 1", "3 3 1 1", "2 2 1 1", "3 2 1 2", "3 3 0 2", "2 2 0 2", "3 2 0 3", "3 3 3 3"}
		if got := w.rows(from); !slices.Equal(got, want) {
			t.Errorf("1.%d: rows are\n%s\nwant\n%s", minor, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if s := w.set().Status; s.CurrentRevision != s.UpdateRevision || s.CurrentRevision == old {
			t.Errorf("1.%d, S-31: revisions are %q and %q", minor, s.CurrentRevision, s.UpdateRevision)
		}
		order := "-db-2, gone db-2, +db-2, ready db-2, -db-1, gone db-1, +db-1, ready db-1, -db-0, gone db-0, +db-0, ready db-0"
		if got := w.podLog(from); got != order {
			t.Errorf("1.%d: %s\nwant: %s", minor, got, order)
		}
		if got := w.images(); got != "0=2 1=2 2=2" {
			t.Errorf("1.%d: %s", minor, got)
		}
	}
}

// TestPartition is S-20 and S-21, the canary: only the pods from the partition on are updated, and one below it that is
// deleted by hand comes back as it was. Then maxUnavailable 2 takes the rest in one sync; they come back in order.
func TestPartition(t *testing.T) {
	w := newReadyWorld(t, 37, 4, rolling(2, nil))
	from := w.mark()
	w.setImage("db:2")
	w.run()
	if got, want := w.podLog(from), "-db-3, gone db-3, +db-3, ready db-3, -db-2, gone db-2, +db-2, ready db-2"; got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
	if s := w.set().Status; s.CurrentReplicas != 2 || s.UpdatedReplicas != 2 || s.CurrentRevision == s.UpdateRevision {
		t.Errorf("S-31: with a partition no update is complete: %+v", s)
	}
	w.deletePod("db-0")
	w.run()
	if got := w.images(); got != "0=1 1=1 2=2 3=2" {
		t.Errorf("after the deletion of db-0: %s", got)
	}
	if r := w.last(sim.Reconcile); !strings.Contains(r.What, "the partition keeps 2 pods as they are") {
		t.Errorf("the reconcile %q", r.What)
	}
	from = w.mark()
	w.update(rolling(0, api.Int(2)))
	w.run()
	if got, want := w.podLog(from), "-db-1, -db-0, gone db-1, gone db-0, +db-0, ready db-0, +db-1, ready db-1"; got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
	if got := w.images(); got != "0=2 1=2 2=2 3=2" {
		t.Error(got)
	}
}

// TestRevisionOfANewPod is S-21: the revision of a pod that is deleted by hand while db-2 is being updated.
func TestRevisionOfANewPod(t *testing.T) {
	explicit := func(s *api.StatefulSet) { s.Spec.UpdateStrategy.Type = api.RollingUpdate }
	for _, tt := range []struct {
		name   string
		change func(*api.StatefulSet)
		start  int32
		want   string // image of the first pod
	}{
		{"partition 0", rolling(0, nil), 0, "db:2"},
		{"partition 1", rolling(1, nil), 0, "db:1"},
		{"partition 1, start 4", rolling(1, nil), 4, "db:1"},
		{"no rollingUpdate", explicit, 0, "db:1"},
		{"no rollingUpdate, start 4", explicit, 4, "db:1"},
		{"OnDelete", func(s *api.StatefulSet) { s.Spec.UpdateStrategy.Type = api.OnDelete }, 0, "db:2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newReadyWorld(t, 37, 3, both(tt.change, func(s *api.StatefulSet) { s.Spec.Ordinals = &api.StatefulSetOrdinals{Start: tt.start} }))
			w.broken["db:2"] = true // the update goes no further than its first pod
			w.setImage("db:2")
			first := podName(w.set(), int(tt.start))
			w.deletePod(first)
			w.run()
			pod := w.Pod(first)
			if got := pod.Spec.Containers[0].Image; got != tt.want {
				t.Errorf("%s came back with %s, want %s", first, got, tt.want)
			}
			revision := w.set().Status.CurrentRevision
			if tt.want == "db:2" {
				revision = w.set().Status.UpdateRevision
			}
			if got := revisionOf(pod); got != revision {
				t.Errorf("its revision is %s, want %s", got, revision)
			}
		})
	}
}

// TestStuck is S-22: in order, a pod that never becomes Ready stops everything. Taking the template back does not replace
// it; deleting it does.
func TestStuck(t *testing.T) {
	for _, minor := range []int{36, 37} {
		w := newReadyWorld(t, minor, 3, nil)
		w.setImage("db:broken")
		w.run()
		from := w.mark()
		w.setImage("db:1")
		w.run()
		w.Advance(3_600_000)
		if got := w.podLog(from); got != "" {
			t.Fatalf("1.%d: after the template was taken back: %s", minor, got)
		}
		s := w.set().Status
		if s.CurrentRevision != s.UpdateRevision || s.Replicas != 3 || s.ReadyReplicas != 2 || s.CurrentReplicas != 2 || s.UpdatedReplicas != 2 {
			t.Errorf("1.%d: status while stuck is %+v", minor, s)
		}
		d := w.last(sim.Decision)
		if d.What != "db-2 is not Ready: OrderedReady waits" || d.Why.Rule != "S-22" || !strings.Contains(d.Why.Note, "delete it") {
			t.Errorf("1.%d: the decision is %q: %s %s", minor, d.What, d.Why.Rule, d.Why.Note)
		}
		w.deletePod("db-2")
		w.run()
		if got := w.images(); got != "0=1 1=1 2=1" || w.set().Status.ReadyReplicas != 3 {
			t.Errorf("1.%d: after the deletion of db-2: %s, %+v", minor, got, w.set().Status)
		}
	}
}

// TestParallelHeals is S-22: in parallel, taking the template back replaces the broken pods at once, whatever
// maxUnavailable is. Before 1.37 it is the same pod, as the highest of an old revision.
func TestParallelHeals(t *testing.T) {
	for _, minor := range []int{36, 37} {
		w := newReadyWorld(t, minor, 3, parallel)
		w.setImage("db:broken")
		w.run()
		from := w.mark()
		w.setImage("db:1")
		w.run()
		if got, want := w.podLog(from), "-db-2, gone db-2, +db-2, ready db-2"; got != want {
			t.Errorf("1.%d: %s\nwant: %s", minor, got, want)
		}
		if got := w.images(); got != "0=1 1=1 2=1" {
			t.Errorf("1.%d: %s", minor, got)
		}
	}
}

// TestParallelPhases is S-17: old pods that are not available cost no budget, and they come first.
func TestParallelPhases(t *testing.T) {
	w := newReadyWorld(t, 37, 5, both(parallel, rolling(0, api.Int(2))))
	w.SetPhase("db-0", api.PodRunning, false)
	w.SetPhase("db-1", api.PodRunning, false)
	from := w.mark()
	w.broken["db:1"] = true
	w.setImage("db:2")
	if got, want := w.podLog(from), "-db-1, -db-0"; got != want {
		t.Errorf("two of five are not available: %s\nwant: %s", got, want)
	}
	if got := w.set().Status; got.CurrentReplicas != 3 {
		t.Errorf("status is %+v", got)
	}
}

// TestParallelMaxUnavailable is S-20: {4,3} go at once, then one more for each pod that becomes available.
func TestParallelMaxUnavailable(t *testing.T) {
	w := newReadyWorld(t, 37, 5, both(parallel, rolling(0, api.Int(2))))
	from := w.mark()
	w.setImage("db:2")
	if got := w.podLog(from); got != "-db-4, -db-3" {
		t.Fatalf("first: %s", got)
	}
	if d := w.last(sim.Decision); d.What != "no pod may be deleted: 2 of 5 are unavailable" || d.Why.Value != 0 {
		t.Errorf("the decision is %q: %s", d.What, d.Why)
	}
	for w.step() {
		down := 0
		for o := range w.Server.Store.Table(api.KindPod).All() {
			if p := o.(*api.Pod); !p.IsReady() || p.Terminating() {
				down++
			}
		}
		if down > 2 {
			t.Fatalf("%d pods are down: %s", down, w.podLog(from))
		}
	}
	log := w.podLog(from)
	if got := strings.Count(log, "-db-"); got != 5 || w.images() != "0=2 1=2 2=2 3=2 4=2" {
		t.Errorf("%s: %s", w.images(), log)
	}
	var deleted []string
	for _, word := range strings.Split(log, ", ") {
		if strings.HasPrefix(word, "-") {
			deleted = append(deleted, word)
		}
	}
	if got := strings.Join(deleted, " "); got != "-db-4 -db-3 -db-2 -db-1 -db-0" {
		t.Errorf("deleted in the order %s", got)
	}
}

// TestGate is S-2 and S-19: before 1.37 maxUnavailable is not read, and one pod goes at a time in parallel too.
func TestGate(t *testing.T) {
	for _, tt := range []struct {
		minor  int
		change func(*api.StatefulSet)
		want   string
	}{
		{36, rolling(0, api.Int(2)), "-db-3"}, {37, rolling(0, api.Int(2)), "-db-3, -db-2"},
		{36, both(parallel, rolling(0, api.Int(2))), "-db-3"}, {37, both(parallel, rolling(0, api.Int(2))), "-db-3, -db-2"},
	} {
		w := newReadyWorld(t, tt.minor, 4, tt.change)
		from := w.mark()
		w.setImage("db:2")
		if got := w.podLog(from); got != tt.want {
			t.Errorf("1.%d: %s, want %s", tt.minor, got, tt.want)
		}
		w.run()
		if got := w.images(); got != "0=2 1=2 2=2 3=2" {
			t.Errorf("1.%d: %s", tt.minor, got)
		}
	}
	w := newReadyWorld(t, 36, 3, parallel)
	w.setImage("db:2")
	if d := w.last(sim.Decision); d.What != "db-2 is not available: the update waits" || d.Why.Rule != "S-19" {
		t.Errorf("the decision is %q", d.What)
	}
}

// TestMaxUnavailable is S-18: a percentage is rounded down, but it is at least one.
func TestMaxUnavailable(t *testing.T) {
	for _, tt := range []struct {
		value    *api.IntOrString
		replicas int32
		want     int
	}{{api.Str("25%"), 3, 1}, {api.Str("50%"), 5, 2}, {api.Int(2), 5, 2}, {nil, 5, 1}, {api.Str("1%"), 10, 1}, {api.Str("100%"), 10, 10}, {api.Int(7), 3, 7}} {
		set := &api.StatefulSet{Spec: api.StatefulSetSpec{Replicas: &tt.replicas}}
		rolling(0, tt.value)(set)
		if got := maxUnavailable(set); got != tt.want {
			t.Errorf("%v of %d: %d, want %d", tt.value, tt.replicas, got, tt.want)
		}
	}
	if got := maxUnavailable(&api.StatefulSet{}); got != 1 {
		t.Errorf("without rollingUpdate it is %d, want 1", got)
	}
}

// TestNeverMoreUnavailable is S-17: with maxUnavailable 2 at most two pods are missing, terminating or not Ready, and at some moment it is two.
func TestNeverMoreUnavailable(t *testing.T) {
	w := newReadyWorld(t, 37, 5, rolling(0, api.Int(2)))
	w.setImage("db:2")
	most := 0
	for going := true; going; going = w.step() {
		available := 0
		for _, pod := range w.Pods() {
			if pod.IsReady() && !pod.Terminating() {
				available++
			}
		}
		most = max(most, 5-available)
	}
	if most != 2 || w.images() != "0=2 1=2 2=2 3=2 4=2" {
		t.Errorf("at most %d were unavailable, want 2; in the end: %s", most, w.images())
	}
}

// TestOnDelete is S-16: no pod is replaced until it is deleted.
func TestOnDelete(t *testing.T) {
	w := newReadyWorld(t, 37, 3, func(s *api.StatefulSet) { s.Spec.UpdateStrategy.Type = api.OnDelete })
	from := w.mark()
	w.setImage("db:2")
	w.run()
	if got := w.podLog(from); got != "" {
		t.Fatalf("%s, want nothing", got)
	}
	if r := w.last(sim.Reconcile); !strings.HasPrefix(r.What, "OnDelete") || r.Why.Rule != "S-16" {
		t.Errorf("the reconcile %q", r.What)
	}
	w.deletePod("db-1")
	w.run()
	if got := w.images(); got != "0=1 1=2 2=1" {
		t.Errorf("after the deletion of db-1: %s", got)
	}
}

// TestRevisions is S-6, S-7 and S-8: an earlier template gets its revision back under a new number; the oldest beyond the
// limit are deleted, except those that pods use.
func TestRevisions(t *testing.T) {
	w := newReadyWorld(t, 37, 1, func(s *api.StatefulSet) {
		s.Annotations = map[string]string{"kubernetes.io/change-cause": "first"}
		s.Spec.RevisionHistoryLimit = api.Ptr(int32(1))
	})
	revision := w.Server.Store.Get(cluster.Key(api.KindControllerRevision, w.set().Status.UpdateRevision)).(*api.ControllerRevision)
	if hash := strings.TrimPrefix(revision.Name, "db-"); revision.Labels["controller.kubernetes.io/hash"] != hash || revision.Labels["app"] != "db" ||
		revision.Annotations["kubernetes.io/change-cause"] != "first" || !revision.IsControlledBy(w.set().UID) || strings.Trim(hash, "456789bcdf") != "" {
		t.Errorf("S-6: the revision is %+v", revision.ObjectMeta)
	}
	if got := *w.set().Status.CollisionCount; got != 0 {
		t.Errorf("the collision count is %d", got)
	}
	for i, tt := range []struct{ image, want string }{
		{"db:1", "1=1"}, {"db:2", "1=1 2=2"}, {"db:1", "2=2 3=1"}, {"db:3", "3=1 4=3"}, {"db:4", "4=3 5=4"},
	} {
		w.setImage(tt.image)
		w.run()
		if got := w.revisions(); got != tt.want {
			t.Errorf("step %d, %s: revisions are %s, want %s", i, tt.image, got, tt.want)
		}
	}
	w.broken["db:5"] = true
	w.update(rolling(1, nil)) // keeps db-0 as it is
	for _, image := range []string{"db:5", "db:6", "db:7"} {
		w.setImage(image)
	}
	if got := w.revisions(); got != "5=4 7=6 8=7" {
		t.Errorf("S-8: revisions are %s, want that of the pod, one old one and the newest", got)
	}
	w.update(func(s *api.StatefulSet) { s.Spec.RevisionHistoryLimit = api.Ptr(int32(0)) })
	if got := w.revisions(); got != "5=4 8=7" {
		t.Errorf("with a limit of 0 revisions are %s, want those in use", got)
	}
	w.update(func(s *api.StatefulSet) { s.Spec.RevisionHistoryLimit = api.Ptr(int32(-1)) })
	for i := range 20 {
		w.setImage(fmt.Sprint("db:x", i))
	}
	if got := len(strings.Fields(w.revisions())); got != 22 {
		t.Errorf("with a negative limit %d revisions are left, want 22", got)
	}
}

// TestOrphanRevision is A-13 and S-7: each revision without an owner that the selector matches is adopted and used.
func TestOrphanRevision(t *testing.T) {
	w := newReadyWorld(t, 37, 1, nil)
	name := w.set().Status.UpdateRevision
	orphan := api.Copy(w.Server.Store.Get(cluster.Key(api.KindControllerRevision, name)).(*api.ControllerRevision))
	orphan.OwnerReferences = nil
	w.Update(orphan)
	second := &api.ControllerRevision{ObjectMeta: cluster.Meta("db-second"), Template: template(t, "db:2"), Revision: 2}
	second.Labels = orphan.Labels
	w.Create(second)
	w.settle()
	w.scale(2)
	w.run()
	if got := w.Server.Store.Get(cluster.Key(api.KindControllerRevision, name)); !got.Meta().IsControlledBy(w.set().UID) || w.revisions() != "2=2 3=1" {
		t.Errorf("the orphan was not adopted: %v, %s", got.Meta().OwnerReferences, w.revisions())
	}
}

// TestTruncatesAll is S-8: one sync deletes every revision that is too many.
func TestTruncatesAll(t *testing.T) {
	w := newReadyWorld(t, 37, 1, nil)
	for _, image := range []string{"db:2", "db:3", "db:4", "db:5"} {
		w.setImage(image)
		w.run()
	}
	w.update(func(s *api.StatefulSet) { s.Spec.RevisionHistoryLimit = api.Ptr(int32(1)) })
	if got := w.revisions(); got != "4=4 5=5" {
		t.Errorf("revisions are %s", got)
	}
}

// TestUpdateWithStart: the update of a StatefulSet whose ordinals start at 5 goes from the highest to the lowest, and also makes a missing pod
// at the revision of its place (S-17, S-21).
func TestUpdateWithStart(t *testing.T) {
	w := newReadyWorld(t, 37, 3, both(rolling(7, nil), func(s *api.StatefulSet) { s.Spec.Ordinals = &api.StatefulSetOrdinals{Start: 5} }))
	w.setImage("db:2")
	w.run()
	if got := w.images(); got != "5=1 6=1 7=1" {
		t.Errorf("with a partition above all: %s", got)
	}
	from := w.mark()
	w.update(rolling(1, nil))
	w.run()
	if got, want := w.podLog(from), "-db-7, gone db-7, +db-7, ready db-7, -db-6, gone db-6, +db-6, ready db-6"; got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
}

// TestUpdateText: the status says when an update is complete, and not before (S-31).
func TestUpdateText(t *testing.T) {
	w := newReadyWorld(t, 37, 2, nil)
	w.setImage("db:2")
	w.run()
	var complete []string
	for _, r := range w.Records(func(r *sim.Record) bool {
		return r.Kind == sim.Write && strings.HasSuffix(r.What, "; the update is complete")
	}) {
		complete = append(complete, r.What)
	}
	if want := []string{"status: replicas 2, ready 2, current 2, updated 2; the update is complete"}; !slices.Equal(complete, want) {
		t.Errorf("%q, want %q", complete, want)
	}
	w.update(func(s *api.StatefulSet) { s.SetAnnotation("wake", "up") })
	if r := w.last(sim.Reconcile); strings.Contains(r.What, "the partition keeps") {
		t.Errorf("without a partition: %s", r.What)
	}
}

// TestParallelDeletesWhatItCreates is a trap of S-17 and S-21 in 1.37: without rollingUpdate, a pod that is missing in
// mid-update is made at the current revision, and as it is old and not available the same sync deletes it again. The next
// one makes it at the update revision.
func TestParallelDeletesWhatItCreates(t *testing.T) {
	w := newReadyWorld(t, 37, 3, both(parallel, func(s *api.StatefulSet) { s.Spec.UpdateStrategy.Type = api.RollingUpdate }))
	w.broken["db:2"] = true
	w.setImage("db:2")
	w.deletePod("db-0")
	from := w.mark()
	for w.Pod("db-0").Terminating() {
		w.step()
	}
	if got := w.podLog(from); !strings.Contains(got, "+db-0, gone db-0, +db-0") {
		t.Errorf("%s", got)
	}
	w.run()
	if got := w.Pod("db-0").Spec.Containers[0].Image; got != "db:2" {
		t.Errorf("db-0 has %s in the end", got)
	}
}
