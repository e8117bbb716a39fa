package apiserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/sim"
)

// sized returns a Deployment that wants some pods.
func sized(name string, replicas int32) *api.Deployment {
	return &api.Deployment{ObjectMeta: cluster.Meta(name), Spec: api.DeploymentSpec{Replicas: &replicas}}
}

// TestPodLimit: the workloads of a cluster may want 20,000 pods together. What has become larger may shrink, and be changed otherwise.
func TestPodLimit(t *testing.T) {
	for _, tt := range []struct {
		name     string
		there    []int32
		change   int32 // what the first one wants then
		overflow string
	}{
		{"all by one", []int32{1, 0}, limits.Pods, ""},
		{"one too many", []int32{1, 0}, limits.Pods + 1, "20001"},
		{"together", []int32{10_000, 10_000}, 10_000, ""},
		{"the other one counts", []int32{5_000, 10_000}, 10_001, "20001"},
		{"its own size of before does not", []int32{9_000, 10_000}, 10_000, ""},
		{"too large already, and shrinks", []int32{30_000, 10_000}, 25_000, ""},
		{"too large already, and stays", []int32{30_000, 10_000}, 30_000, ""},
		{"too large already, and grows", []int32{30_000, 10_000}, 30_001, "40001"},
	} {
		w := cluster.New(t)
		for i, n := range tt.there {
			w.Server.Store.Put(sized(fmt.Sprint("d", i), n), sim.Record{})
		}
		changed := api.Copy(w.Server.Store.Get(cluster.Key(api.KindDeployment, "d0")).(*api.Deployment))
		changed.Spec.Replicas = &tt.change
		_, err := w.User.Update(changed, "", nil)
		if got := fmt.Sprint(err); tt.overflow == "" && err != nil || tt.overflow != "" && !strings.HasSuffix(got, "the workloads would want "+tt.overflow) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestOwnedLimit: what a controller makes is its owner's affair.
func TestOwnedLimit(t *testing.T) {
	w := cluster.New(t)
	owner := w.Create(sized("web", limits.Pods))
	meta := cluster.Meta("web-1")
	meta.OwnerReferences = []api.OwnerReference{apiserver.ControllerRef(owner)}
	w.Create(&api.ReplicaSet{ObjectMeta: meta, Spec: api.ReplicaSetSpec{Replicas: api.Ptr(int32(limits.Pods))}})
	if _, err := w.User.Create(sized("other", 1), "", nil); err == nil || !strings.HasSuffix(err.Error(), "would want 20001") {
		t.Errorf("one more pod: %v", err)
	}
}

// TestCountLimits: how many objects of a kind there may be, and pods of a StatefulSet. A change of an object that exists does not count.
func TestCountLimits(t *testing.T) {
	w := cluster.New(t)
	for i := range limits.Quotas {
		w.Server.Store.Put(&api.ResourceQuota{ObjectMeta: cluster.Meta(fmt.Sprint("q", i))}, sim.Record{})
	}
	changed := api.Copy(w.Server.Store.Get(cluster.Key(api.KindResourceQuota, "q0")))
	changed.Meta().SetAnnotation("a", "b")
	w.Update(changed)
	const want = "rollplay simulates at most 100 ResourceQuotas"
	if _, err := w.User.Create(&api.ResourceQuota{ObjectMeta: cluster.Meta("more")}, "", nil); err == nil || err.Error() != want {
		t.Errorf("one more: %v", err)
	}
	for replicas, refused := range map[int32]bool{limits.Ordinals: false, limits.Ordinals + 1: true} {
		_, err := w.User.Create(&api.StatefulSet{ObjectMeta: cluster.Meta("db"), Spec: api.StatefulSetSpec{Replicas: &replicas}}, "", nil)
		if (err != nil) != refused {
			t.Errorf("a StatefulSet of %d: %v", replicas, err)
		}
		if err == nil {
			w.Delete(cluster.Key(api.KindStatefulSet, "db"))
		}
	}
}
