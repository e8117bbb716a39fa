package deployment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// size is a ReplicaSet in the decision table: spec.replicas and status.availableReplicas.
type size struct{ spec, available int32 }

func (s size) String() string { return fmt.Sprintf("%d/%d", s.spec, s.available) }

// TestSingleSyncDecisions is the decision table D-50a to D-50r: one sync of a Deployment in a given state, and the
// sizes that it leaves. Old ReplicaSets are listed oldest first; the new one is last if it exists.
func TestSingleSyncDecisions(t *testing.T) {
	quarter := func() (*api.IntOrString, *api.IntOrString) { return api.Str("25%"), api.Str("25%") }
	threeTwo := func() (*api.IntOrString, *api.IntOrString) { return api.Int(3), api.Int(2) }
	zeroQuarter := func() (*api.IntOrString, *api.IntOrString) { return api.Int(0), api.Str("25%") }
	tests := []struct {
		name     string
		replicas int32
		bounds   func() (surge, unavailable *api.IntOrString)
		old      []size
		new      *size // nil: it does not exist yet
		want     string
	}{
		{"D-50a the new one is created and the old one shrinks in one sync", 10, quarter, []size{{10, 10}}, nil, "8 3"},
		{"D-50b", 10, quarter, []size{{8, 8}}, &size{3, 0}, "8 5"},
		{"D-50c nothing: 13 - 8 - 5 = 0", 10, quarter, []size{{8, 8}}, &size{5, 0}, "8 5"},
		{"D-50d", 10, quarter, []size{{8, 8}}, &size{5, 1}, "7 5"},
		{"D-50e", 10, quarter, []size{{7, 7}}, &size{5, 1}, "7 6"},
		{"D-50f", 10, quarter, []size{{3, 3}}, &size{10, 5}, "3 10"},
		{"D-50g", 10, quarter, []size{{3, 3}}, &size{10, 6}, "2 10"},
		{"D-50g", 10, quarter, []size{{2, 2}}, &size{10, 7}, "1 10"},
		{"D-50g", 10, quarter, []size{{1, 1}}, &size{10, 8}, "0 10"},
		{"D-50h crash loop", 10, threeTwo, []size{{8, 7}}, &size{5, 0}, "8 5"},
		{"D-50i rolled back: the broken ones go", 10, threeTwo, []size{{5, 0}}, &size{8, 7}, "1 8"},
		{"D-50i next sync", 10, threeTwo, []size{{1, 0}}, &size{8, 7}, "1 10"},
		{"D-50j rollover", 15, quarter, []size{{12, 12}, {7, 3}}, nil, "9 3 0"},
		{"D-50k", 15, quarter, []size{{9, 9}, {3, 3}}, &size{0, 0}, "9 3 7"},
		{"D-50l", 15, quarter, []size{{9, 9}, {3, 3}}, &size{7, 1}, "8 3 7"},
		{"D-50m", 15, quarter, []size{{8, 8}, {3, 3}}, &size{8, 2}, "7 3 8"},
		{"D-50n surge 0 and a quarter of one: one may be unavailable", 1, zeroQuarter, []size{{1, 1}}, nil, "0 0"},
		{"D-50n next sync", 1, zeroQuarter, []size{{0, 0}}, &size{0, 0}, "0 1"},
		{"D-50o", 4, quarter, []size{{4, 4}}, nil, "3 1"},
		{"D-50o next sync", 4, quarter, []size{{3, 3}}, &size{1, 0}, "3 2"},
		{"D-50p scaled by hand", 10, quarter, nil, &size{12, 12}, "10"},
		{"D-50q the status lags: the clean-up errs", 10, quarter, []size{{2, 3}}, &size{10, 7}, "2 10"},
		{"D-50q caught up", 10, quarter, []size{{2, 2}}, &size{10, 7}, "1 10"},
		{"D-53 nothing: 13 - 8 - 5 = 0, though the status lags and counts ten available", 10, quarter, []size{{6, 8}}, &size{7, 2}, "6 7"},
		{"D-50r rollover of a crash loop", 10, threeTwo, []size{{8, 8}, {5, 0}}, nil, "8 0 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			surge, unavailable := tt.bounds()
			w := newTestWorld(t, tt.replicas, surge, unavailable)
			for i, s := range tt.old {
				w.addReplicaSet(fmt.Sprintf("image-%d", i), s)
			}
			if tt.new != nil {
				w.addReplicaSet("image-new", *tt.new)
			}
			w.sync()
			if got := w.sizes(); got != tt.want {
				t.Errorf("old %v, new %v: sizes after the sync are %q, want %q", tt.old, tt.new, got, tt.want)
			}
			if events := strings.Join(w.events(), "\n"); strings.Contains(events, "from 0 to 0") {
				t.Errorf("an event about nothing:\n%s", events)
			}
		})
	}
}

// testWorld is a server with one Deployment and a controller whose caches are filled by hand.
type testWorld struct {
	*cluster.Cluster
	c    *Controller
	d    *api.Deployment
	sets []string
}

func newTestWorld(t *testing.T, replicas int32, surge, unavailable *api.IntOrString) *testWorld {
	t.Helper()
	w := &testWorld{Cluster: cluster.New(t)}
	w.c = New(w.Server)
	w.d = &api.Deployment{
		ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default", UID: "deployment-uid", Generation: 1},
		Spec: api.DeploymentSpec{
			Replicas: &replicas,
			Selector: cluster.Selects("web"),
			Template: template(t, "image-new"),
			Strategy: api.DeploymentStrategy{Type: api.RollingUpdate,
				RollingUpdate: &api.RollingUpdateDeployment{MaxSurge: surge, MaxUnavailable: unavailable}},
		},
	}
	decode.Default(w.d)
	w.put()
	return w
}

// put stores the Deployment and lets the cache have it.
func (w *testWorld) put() {
	d := api.Copy(w.d)
	w.Server.Store.Put(d, sim.Record{Actor: "test"})
	w.c.deployments.Cache.Put(d)
	w.d = d
}

func (w *testWorld) addReplicaSet(image string, s size) {
	rs := newReplicaSet(&api.Deployment{ObjectMeta: w.d.ObjectMeta, Spec: api.DeploymentSpec{
		Selector: w.d.Spec.Selector, Template: template(w.T, image)}})
	rs.UID = "uid-" + image
	rs.Generation = 1
	rs.CreationTimestamp = api.TimeAt(int64(len(w.sets)) * 1000)
	rs.Spec.Replicas = &s.spec
	rs.Status = api.ReplicaSetStatus{Replicas: s.available, ReadyReplicas: s.available, AvailableReplicas: s.available, ObservedGeneration: 1}
	setNewReplicaSetAnnotations(w.d, &rs.ObjectMeta, int64(len(w.sets)+1))
	setReplicasAnnotations(rs, w.d)
	w.Server.Store.Put(rs, sim.Record{Actor: "test"})
	w.c.replicaSets.Cache.Put(rs)
	w.sets = append(w.sets, rs.Name)
}

// sync runs one sync, which writes the status, whatever else it does (D-60). Its second status write may conflict, as upstream; that is no failure.
func (w *testWorld) sync() {
	w.T.Helper()
	err := w.c.Sync(w.d.Key())
	if err != nil && !api.IsReason(err, api.ReasonConflict) {
		w.T.Fatalf("sync: %v", err)
	}
	stored, _ := w.Server.Store.Get(w.d.Key()).(*api.Deployment)
	if err == nil && stored != nil && w.c.deployments.Cache.Get(w.d.Key()) != nil && stored.Status.ObservedGeneration != w.d.Generation {
		w.T.Errorf("the status is of generation %d, want %d", stored.Status.ObservedGeneration, w.d.Generation)
	}
}

// sizes lists spec.replicas of all ReplicaSets, oldest first.
func (w *testWorld) sizes() string {
	var out []string
	for o := range w.Server.Store.Table(api.KindReplicaSet).All() {
		out = append(out, fmt.Sprint(*o.(*api.ReplicaSet).Spec.Replicas))
	}
	return strings.Join(out, " ")
}

func template(t testing.TB, image string) api.PodTemplateSpec {
	return cluster.Template(t, "web", image)
}
