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

// events lists the events so far: "ScalingReplicaSet Scaled up replica set …".
func (w *testWorld) events() (out []string) {
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Notice {
			out = append(out, r.Type+" "+r.Reason+": "+r.What)
		}
	}
	return out
}

// stored returns the Deployment as the server has it.
func (w *testWorld) stored() *api.Deployment { return w.Server.Store.Get(w.d.Key()).(*api.Deployment) }

// setAt returns a ReplicaSet as the server has it.
func (w *testWorld) setAt(i int) *api.ReplicaSet {
	return w.Server.Store.Get(cluster.Key(api.KindReplicaSet, w.names()[i])).(*api.ReplicaSet)
}

// quarterWorld is a Deployment of ten with one old ReplicaSet that is complete.
func quarterWorld(t *testing.T) *testWorld {
	w := newTestWorld(t, 10, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-old", size{10, 10})
	return w
}

// TestOrder is D-23: the questions of one sync, each with an answer that the next one would change. A ReplicaSet for the
// new template appears only where a rollout is reached.
func TestOrder(t *testing.T) {
	tests := []struct {
		name   string
		change func(*testWorld)
		sizes  string
		event  string // the first event, in part
	}{
		{"a rollout", func(*testWorld) {}, "8 3", "Scaled up replica set"},
		{"not in the cache", func(w *testWorld) { w.c.deployments.Cache.Remove(w.d.Key()) }, "10", ""},
		{"selects all, though it is paused", func(w *testWorld) {
			w.d.Spec.Selector, w.d.Spec.Paused = &api.LabelSelector{}, true
			w.put()
		}, "10", "Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required."},
		{"terminating, though it is paused", func(w *testWorld) {
			w.d.DeletionTimestamp, w.d.Spec.Paused = api.TimeAt(0), true
			w.put()
		}, "10", ""},
		{"paused, though a rollback is asked for (D-25)", func(w *testWorld) {
			w.d.Spec.Paused = true
			w.d.SetAnnotation(api.RollbackToAnnotation, "1")
			w.put()
		}, "10", ""},
		{"a rollback, though it is being scaled", func(w *testWorld) {
			w.d.SetAnnotation(api.RollbackToAnnotation, "1")
			w.change(0, func(rs *api.ReplicaSet) { rs.SetAnnotation(api.DesiredReplicasAnnotation, "12") })
			w.put()
		}, "10 3", "Scaled up replica set"},
		{"being scaled, though the template is new (D-25)", func(w *testWorld) {
			w.change(0, func(rs *api.ReplicaSet) {
				rs.SetAnnotation(api.DesiredReplicasAnnotation, "12")
				*rs.Spec.Replicas = 12
			})
		}, "10", "Scaled down replica set"},
		{"Recreate", func(w *testWorld) {
			w.d.Spec.Strategy = api.DeploymentStrategy{Type: api.Recreate}
			w.put()
		}, "0", "Scaled down replica set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := quarterWorld(t)
			tt.change(w)
			w.sync()
			if got := w.sizes(); got != tt.sizes {
				t.Errorf("sizes are %q, want %q", got, tt.sizes)
			}
			first := ""
			if events := w.events(); len(events) > 0 {
				first = events[0]
			}
			if !strings.Contains(first, tt.event) || tt.event == "" && first != "" {
				t.Errorf("first event %q, want %q", first, tt.event)
			}
		})
	}
}

// TestSelectsAll: a selector that matches everything is seen, which raises observedGeneration, once (D-23).
func TestSelectsAll(t *testing.T) {
	w := quarterWorld(t)
	w.d.Spec.Selector, w.d.Generation = &api.LabelSelector{}, 4
	w.put()
	w.sync()
	if got := w.stored().Status.ObservedGeneration; got != 4 {
		t.Errorf("observedGeneration is %d, want 4", got)
	}
	requests := func() int {
		return len(w.Records(func(r *sim.Record) bool { return r.Kind == sim.Write && r.Actor == actor }))
	}
	before := requests()
	w.d = w.stored()
	w.put()
	if w.sync(); requests() != before {
		t.Errorf("%d more requests, though it is observed", requests()-before)
	}
}

// TestScalingEvent is D-26: an active ReplicaSet that was last scaled for another size; one without a note, or with one
// that is no number, does not count.
func TestScalingEvent(t *testing.T) {
	tests := []struct {
		name   string
		change func(*api.ReplicaSet)
		want   bool
	}{
		{"the same size", func(*api.ReplicaSet) {}, false},
		{"another size", func(rs *api.ReplicaSet) { rs.SetAnnotation(api.DesiredReplicasAnnotation, "9") }, true},
		{"another size, not active", func(rs *api.ReplicaSet) {
			rs.SetAnnotation(api.DesiredReplicasAnnotation, "9")
			rs.Spec.Replicas = new(int32)
		}, false},
		{"no note", func(rs *api.ReplicaSet) { rs.DeleteAnnotation(api.DesiredReplicasAnnotation) }, false},
		{"no number", func(rs *api.ReplicaSet) { rs.SetAnnotation(api.DesiredReplicasAnnotation, "many") }, false},
	}
	for _, tt := range tests {
		w := quarterWorld(t)
		w.change(0, tt.change)
		got, err := w.c.isScalingEvent(w.d, []*api.ReplicaSet{w.setAt(0)})
		if err != nil || got != tt.want {
			t.Errorf("%s: %t, %v; want %t", tt.name, got, err, tt.want)
		}
	}
}

// TestNotes is D-28, D-30 and D-31: what the controller notes at a new ReplicaSet, and at the Deployment.
func TestNotes(t *testing.T) {
	w := quarterWorld(t)
	w.sync()
	rs := w.setAt(1)
	for name, want := range map[string]string{api.RevisionAnnotation: "2", api.DesiredReplicasAnnotation: "10", api.MaxReplicasAnnotation: "13"} {
		if got := rs.Annotations[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := w.stored().Annotations[api.RevisionAnnotation]; got != "2" {
		t.Errorf("the Deployment's revision is %q, want 2", got)
	}
}

// TestByCreation is D-33: by the second of the creation, ties by name.
func TestByCreation(t *testing.T) {
	rs := func(name string, ms int64) *api.ReplicaSet {
		return &api.ReplicaSet{ObjectMeta: api.ObjectMeta{Name: name, CreationTimestamp: api.TimeAt(ms)}}
	}
	list := []*api.ReplicaSet{rs("a", 2000), rs("c", 1000), rs("b", 1999), rs("z", 500)}
	slices.SortFunc(list, ByCreation)
	var names string
	for _, rs := range list {
		names += rs.Name
	}
	if names != "zbca" {
		t.Errorf("order is %s, want zbca: b and c were created within one second", names)
	}
}

// TestByRevision: by number, then by the second of the creation, then by name; as ReplicaSets without a number are ordered (D-80).
func TestByRevision(t *testing.T) {
	rs := func(name, revision string, ms int64) *api.ReplicaSet {
		rs := &api.ReplicaSet{ObjectMeta: api.ObjectMeta{Name: name, CreationTimestamp: api.TimeAt(ms)}}
		rs.SetAnnotation(api.RevisionAnnotation, revision)
		return rs
	}
	for want, list := range map[string][]*api.ReplicaSet{
		"cab": {rs("a", "2", 1000), rs("b", "3", 0), rs("c", "1", 9000)},
		"ab":  {rs("b", "2", 9000), rs("a", "2", 1000)},
		"ba":  {rs("a", "1", 9000), rs("b", "x", 1000)},
	} {
		slices.SortFunc(list, byRevision)
		var names string
		for _, rs := range list {
			names += rs.Name
		}
		if names != want {
			t.Errorf("order is %s, want %s", names, want)
		}
	}
}

// TestNewRevision is D-40: one more than the highest of the old ones; a missing number counts 0, an annotation
// that is not a number is skipped, and a revision only ever grows.
func TestNewRevision(t *testing.T) {
	rs := func(revision string) *api.ReplicaSet {
		rs := &api.ReplicaSet{}
		if revision != "" {
			rs.SetAnnotation(api.RevisionAnnotation, revision)
		}
		return rs
	}
	if got := maxRevision([]*api.ReplicaSet{rs("2"), rs(""), rs("x"), rs("3")}); got != 3 {
		t.Errorf("the highest is %d, want 3", got)
	}
	if got := maxRevision([]*api.ReplicaSet{rs(""), rs("x")}); got != 0 {
		t.Errorf("the highest of none is %d, want 0", got)
	}
	// Revisions 1, 2, 3; the template of revision 1 is restored, or that of revision 3 kept.
	for image, want := range map[string]string{"image-1": "4 2 3", "image-3": "1 2 3"} {
		w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
		for _, image := range []string{"image-1", "image-2", "image-3"} {
			w.addReplicaSet(image, size{1, 1})
		}
		w.d.Spec.Template = template(t, image)
		w.put()
		w.sync()
		var got []string
		for i := range 3 {
			got = append(got, w.setAt(i).Annotations[api.RevisionAnnotation])
		}
		if fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("%s restored: revisions %v, want %s", image, got, want)
		}
		if image == "image-1" && w.setAt(0).Annotations[api.RevisionHistoryAnnotation] != "1" {
			t.Errorf("its history is %q, want 1", w.setAt(0).Annotations[api.RevisionHistoryAnnotation])
		}
	}
}
