package disruption_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/disruption"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster in which only the disruption controller acts.
type world struct{ *cluster.Cluster }

func newWorld(t *testing.T) *world {
	w := &world{cluster.New(t)}
	disruption.New(w.Server)
	return w
}

// settle lets the controller process all changes.
func (w *world) settle() { w.Advance(50) }

// budget creates a PodDisruptionBudget for the pods that are labeled app=web.
func (w *world) budget(name string, spec api.PodDisruptionBudgetSpec) {
	w.T.Helper()
	if spec.Selector == nil {
		spec.Selector = cluster.Selects("web")
	}
	w.Create(&api.PodDisruptionBudget{ObjectMeta: cluster.Meta(name), Spec: spec})
}

func budgetKey(name string) api.Key {
	return cluster.Key(api.KindPodDisruptionBudget, name)
}

func (w *world) get(name string) *api.PodDisruptionBudget {
	w.T.Helper()
	b, _ := w.Server.Store.Get(budgetKey(name)).(*api.PodDisruptionBudget)
	if b == nil {
		w.T.Fatalf("there is no budget %s", name)
	}
	return b
}

func meta(name string, owner *api.OwnerReference) api.ObjectMeta {
	m := cluster.Meta(name)
	if owner != nil {
		m.OwnerReferences = []api.OwnerReference{*owner}
	}
	return m
}

// owner creates a controller with some replicas, and returns the reference to it.
func (w *world) owner(kind api.Kind, name string, replicas int32, of *api.OwnerReference) *api.OwnerReference {
	w.T.Helper()
	m := meta(name, of)
	var o api.Object
	switch kind {
	case api.KindDeployment:
		o = &api.Deployment{ObjectMeta: m, Spec: api.DeploymentSpec{Replicas: &replicas}}
	case api.KindReplicaSet:
		o = &api.ReplicaSet{ObjectMeta: m, Spec: api.ReplicaSetSpec{Replicas: &replicas}}
	case api.KindStatefulSet:
		o = &api.StatefulSet{ObjectMeta: m, Spec: api.StatefulSetSpec{Replicas: &replicas}}
	case api.KindDaemonSet:
		o = &api.DaemonSet{ObjectMeta: m}
	}
	w.Create(o)
	ref := apiserver.ControllerRef(o)
	return &ref
}

// deployment creates a Deployment and its ReplicaSet, and returns the reference to the latter.
func (w *world) deployment(name string, replicas int32) *api.OwnerReference {
	return w.owner(api.KindReplicaSet, name+"-1", replicas, w.owner(api.KindDeployment, name, replicas, nil))
}

// pods creates running pods, Ready or not.
func (w *world) pods(owner *api.OwnerReference, prefix string, n int, ready bool) {
	w.T.Helper()
	for i := range n {
		pod := &api.Pod{ObjectMeta: meta(fmt.Sprintf("%s-%d", prefix, i), owner), NodeName: "n1",
			Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}}
		w.Create(pod)
		w.SetPhase(pod.Name, api.PodRunning, ready)
	}
}

func podKey(name string) api.Key { return cluster.Key(api.KindPod, name) }

// numbers are those of a status: expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed.
func numbers(b *api.PodDisruptionBudget) [4]int32 {
	s := &b.Status
	return [4]int32{s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed}
}

// events lists the events about an object, all sent by the controller.
func (w *world) events(about api.Key) (list []string) {
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Kind == sim.Notice && r.Object == about }) {
		list = append(list, r.Type+" "+r.Reason+" "+r.What)
		if r.Actor != "controllermanager" {
			w.T.Errorf("the event %s is sent by %s", r.Reason, r.Actor)
		}
	}
	return list
}
