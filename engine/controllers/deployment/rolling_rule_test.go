package deployment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestNewSizeUsesTheSurge is D-22: the room for the new ReplicaSet is the surge of D-20, also where D-21 makes one pod of
// nothing.
func TestNewSizeUsesTheSurge(t *testing.T) {
	for _, tt := range []struct {
		replicas int32
		surge    *api.IntOrString
		want     int32
	}{{10, api.Str("25%"), 3}, {1, api.Str("25%"), 1}, {4, api.Str("0%"), 0}, {3, api.Str("1%"), 1}, {10, api.Int(4), 4}, {2, api.Int(9), 2}} {
		w := newTestWorld(t, tt.replicas, tt.surge, api.Str("1%"))
		old := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: &tt.replicas}}
		rs := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: new(int32)}}
		if got, _ := newRSNewReplicas(w.d, []*api.ReplicaSet{old, rs}, rs); got != tt.want {
			t.Errorf("%d replicas, surge %s: the new one gets %d, want %d", tt.replicas, tt.surge, got, tt.want)
		}
	}
}

// TestCleanUpUnhealthy is D-54: old pods that are not available, oldest first, at most as many as may go.
func TestCleanUpUnhealthy(t *testing.T) {
	for _, tt := range []struct {
		name  string
		old   []size
		limit int32
		want  string
		err   string
	}{
		{"all of them", []size{{5, 2}, {4, 4}, {3, 0}}, 9, "2 4 0", ""},
		{"the oldest first", []size{{5, 2}, {3, 0}}, 4, "2 2", ""},
		{"then the next", []size{{4, 1}, {6, 2}}, 5, "1 4", ""},
		{"no more than may go", []size{{5, 2}, {3, 0}}, 2, "3 3", ""},
		{"an empty one is skipped", []size{{0, 0}, {3, 1}}, 9, "0 1", ""},
		{"a status that lags", []size{{2, 3}, {3, 0}}, 9, "2 3", "when cleaning up unhealthy replicas, got invalid request to scale down default/%s 2 -> 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, sets := worldOf(t, tt.old)
			list, err := cleanupUnhealthyReplicas(sets, tt.limit)
			for _, s := range list {
				if s.size == *s.rs.Spec.Replicas {
					t.Errorf("a request for the size %d that it has", s.size)
				}
			}
			w.scaleEach(t, list)
			if tt.err != "" {
				tt.err = fmt.Sprintf(tt.err, w.sets[0])
			}
			if fmt.Sprint(err) != tt.err && (err != nil || tt.err != "") {
				t.Errorf("error %v, want %s", err, tt.err)
			}
			if got := w.sizes(); got != tt.want {
				t.Errorf("sizes are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestCleanUpErrorIsSwallowed: the sync that meets the error of D-54 succeeds, and says what it met (D-53).
func TestCleanUpErrorIsSwallowed(t *testing.T) {
	w := newTestWorld(t, 10, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-0", size{2, 3})
	w.addReplicaSet("image-new", size{10, 7})
	w.sync()
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Decision && strings.Contains(r.What, "got invalid request to scale down default/"+w.sets[0]+" 2 -> 3") {
			return
		}
	}
	t.Errorf("no record tells of it: %+v", w.Kernel.Trace.Records)
}

// TestScaleDownOld is D-55: the available pods above the minimum of 8, oldest first. Sizes are spec and available.
func TestScaleDownOld(t *testing.T) {
	for _, tt := range []struct {
		name string
		old  []size
		new  size
		want string
	}{
		{"none to spare", []size{{8, 8}}, size{5, 0}, "8 5"},
		{"one to spare", []size{{8, 8}}, size{5, 1}, "7 5"},
		{"the oldest first", []size{{2, 2}, {8, 8}}, size{3, 3}, "0 5 3"},
		{"then the next", []size{{2, 2}, {6, 6}}, size{3, 3}, "0 5 3"},
		{"an empty one is skipped", []size{{0, 0}, {8, 8}}, size{3, 3}, "0 5 3"},
		{"nothing is left for the last", []size{{2, 2}, {6, 6}, {1, 1}}, size{3, 3}, "0 4 1 3"},
		{"no more than there are", []size{{1, 1}}, size{10, 10}, "0 10"},
		{"the status of before counts", []size{{3, 8}}, size{5, 5}, "0 5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, sets := worldOf(t, append(tt.old, tt.new))
			n := len(tt.old)
			list := w.c.scaleDownOldReplicaSetsForRollingUpdate(w.d, sets, sets[:n])
			if said := w.decided("no available old pod may be deleted yet"); said != (len(list) == 0) || slices.ContainsFunc(list, func(s scaling) bool { return s.size == *s.rs.Spec.Replicas }) {
				t.Errorf("it says that no pod may go: %t, and scales %v", said, list)
			}
			w.scaleEach(t, list)
			if got := w.sizes(); got != tt.want {
				t.Errorf("sizes are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestReconcileWorked is the sums beside reconcileNewReplicaSet and reconcileOldReplicaSets (D-51, D-53): ten replicas, at
// most 13 pods and at least 8 available.
func TestReconcileWorked(t *testing.T) {
	for _, tt := range []struct {
		name         string
		old, new     size
		wantUp, want string // after scaling up alone, after scaling down alone
	}{
		{"the new one starts", size{10, 10}, size{0, 0}, "10 3", "8 0"},
		{"two old pods are gone", size{8, 8}, size{3, 0}, "8 5", "8 3"},
		{"one pod is missing", size{1, 1}, size{9, 9}, "1 10", "0 9"},
		{"the rollout waits", size{8, 8}, size{5, 0}, "8 5", "8 5"},
		{"one new pod is available", size{8, 8}, size{5, 1}, "8 5", "7 5"},
		{"the old pods are broken", size{10, 4}, size{3, 0}, "10 3", "8 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, sets := worldOf(t, []size{tt.old, tt.new})
			to, why := w.c.reconcileNewReplicaSet(w.d, sets, sets[1])
			if said := w.decided("new " + w.sets[1] + " stays at "); said != (to == tt.new.spec) {
				t.Errorf("it says that the new one stays as it is: %t, of %d at %d", said, tt.new.spec, to)
			}
			if w.scaleEach(t, []scaling{{sets[1], to, why}}); w.sizes() != tt.wantUp {
				t.Errorf("up: sizes are %q, want %q", w.sizes(), tt.wantUp)
			}
			w, sets = worldOf(t, []size{tt.old, tt.new})
			scaled := false
			err := w.c.reconcileOldReplicaSets(w.d, sets, sets[:1], sets[1], func(did bool) error { scaled = did; return nil })
			if changed := w.sizes() != fmt.Sprint(tt.old.spec, " ", tt.new.spec); err != nil || w.sizes() != tt.want || scaled != changed {
				t.Errorf("down: sizes are %q, want %q (%v)", w.sizes(), tt.want, err)
			}
		})
	}
}

// decided says whether a decision was recorded that begins so.
func (w *testWorld) decided(what string) bool {
	return len(w.Records(func(r *sim.Record) bool { return r.Kind == sim.Decision && strings.HasPrefix(r.What, what) })) > 0
}

func (w *testWorld) scaleEach(t *testing.T, list []scaling) {
	t.Helper()
	if err := w.c.scaleEach(w.d, list, func(err error) error { return err }); err != nil {
		t.Error(err)
	}
}

// worldOf is a Deployment of ten by quarters with these ReplicaSets, oldest first.
func worldOf(t *testing.T, sizes []size) (*testWorld, []*api.ReplicaSet) {
	w := newTestWorld(t, 10, api.Str("25%"), api.Str("25%"))
	var sets []*api.ReplicaSet
	for i, s := range sizes {
		w.addReplicaSet(fmt.Sprintf("image-%d", i), s)
		sets = append(sets, w.Server.Store.Get(cluster.Key(api.KindReplicaSet, w.sets[i])).(*api.ReplicaSet))
	}
	return w, sets
}

// TestRecreateKeepsTheNote is D-57: a ReplicaSet that has its size under Recreate is not written, whatever its note says.
func TestRecreateKeepsTheNote(t *testing.T) {
	w, sets := worldOf(t, []size{{10, 10}})
	w.d.Spec.Template, w.d.Spec.Strategy.Type = sets[0].Spec.Template, api.Recreate
	w.change(0, func(rs *api.ReplicaSet) {
		rs.SetAnnotation(api.DesiredReplicasAnnotation, "3")
		rs.SetAnnotation(api.RevisionAnnotation, "1")
	})
	if err := w.c.rolloutRecreate(w.d, []*api.ReplicaSet{w.setAt(0)}); err != nil {
		t.Fatal(err)
	}
	if note := w.setAt(0).Annotations[api.DesiredReplicasAnnotation]; note != "3" {
		t.Errorf("the note is %q, want 3", note)
	}
}

// TestScaleReplicaSet is D-57: the size and the notes in one write, and an event if the size changed.
func TestScaleReplicaSet(t *testing.T) {
	const up, down = "Normal ScalingReplicaSet: Scaled up replica set %s from 4 to 6", "Normal ScalingReplicaSet: Scaled down replica set %s from 4 to 1"
	for _, tt := range []struct {
		name   string
		size   int32
		note   string // desired-replicas before
		writes int
		event  string
	}{
		{"up", 6, "10", 1, up},
		{"down", 1, "10", 1, down},
		{"down while the Deployment grows", 1, "3", 1, down},
		{"the same size: the note", 4, "3", 1, ""},
		{"nothing at all", 4, "10", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, _ := worldOf(t, []size{{4, 4}})
			w.change(0, func(rs *api.ReplicaSet) { rs.SetAnnotation(api.DesiredReplicasAnnotation, tt.note) })
			before := len(w.Server.Store.Log)
			rs, err := w.c.scaleReplicaSet(w.setAt(0), tt.size, w.d, nil)
			if err != nil || *rs.Spec.Replicas != tt.size {
				t.Errorf("scaled to %d, %v", *rs.Spec.Replicas, err)
			}
			if got := len(w.Server.Store.Log) - before; got != tt.writes {
				t.Errorf("%d writes, want %d", got, tt.writes)
			}
			if want := "10"; tt.writes > 0 && w.setAt(0).Annotations[api.DesiredReplicasAnnotation] != want {
				t.Errorf("the note is %q, want %s", w.setAt(0).Annotations[api.DesiredReplicasAnnotation], want)
			}
			got, want := strings.Join(w.events(), "\n"), tt.event
			if want != "" {
				want = fmt.Sprintf(want, w.sets[0])
			}
			if got != want {
				t.Errorf("events %q, want %q", got, want)
			}
		})
	}
}
