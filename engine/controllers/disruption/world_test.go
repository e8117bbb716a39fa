package disruption_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/disruption"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster in which only the disruption controller acts.
type world struct {
	t      *testing.T
	kernel *sim.Kernel
	server *apiserver.Server
	user   *apiserver.Client
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, kernel: &sim.Kernel{}}
	w.server = apiserver.New(w.kernel, 1)
	w.user = w.server.Client("kubectl")
	disruption.New(w.server)
	return w
}

// waker does nothing: an event for it lets time pass.
type waker struct{}

func (waker) Handle(sim.Event) {}

// until lets the cluster go on to a virtual ms.
func (w *world) until(ms int64) {
	w.kernel.Schedule(sim.Event{At: ms, To: waker{}})
	for at, ok := w.kernel.Next(); ok && at <= ms; at, ok = w.kernel.Next() {
		w.kernel.Step()
	}
}

// settle lets the controller see what has happened.
func (w *world) settle() { w.until(w.kernel.Now() + 50) }

func (w *world) create(o api.Object) {
	w.t.Helper()
	if _, err := w.user.Create(o, "created", nil); err != nil {
		w.t.Fatal(err)
	}
}

// budget creates a PodDisruptionBudget for the pods that are labeled app=web.
func (w *world) budget(name string, spec api.PodDisruptionBudgetSpec) {
	w.t.Helper()
	if spec.Selector == nil {
		spec.Selector = &api.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	}
	w.create(&api.PodDisruptionBudget{ObjectMeta: meta(name, nil), Spec: spec})
}

func budgetKey(name string) api.Key {
	return api.Key{Kind: api.KindPodDisruptionBudget, Namespace: "default", Name: name}
}

func (w *world) get(name string) *api.PodDisruptionBudget {
	w.t.Helper()
	b, _ := w.server.Store.Get(budgetKey(name)).(*api.PodDisruptionBudget)
	if b == nil {
		w.t.Fatalf("there is no budget %s", name)
	}
	return b
}

func meta(name string, owner *api.OwnerReference) api.ObjectMeta {
	m := api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "web"}}
	if owner != nil {
		m.OwnerReferences = []api.OwnerReference{*owner}
	}
	return m
}

// owner creates a controller with so many replicas, and returns the reference to it.
func (w *world) owner(kind api.Kind, name string, replicas int32, of *api.OwnerReference) *api.OwnerReference {
	w.t.Helper()
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
	w.create(o)
	ref := apiserver.ControllerRef(o)
	return &ref
}

// deployment creates a Deployment and its ReplicaSet, and returns the reference to the latter.
func (w *world) deployment(name string, replicas int32) *api.OwnerReference {
	return w.owner(api.KindReplicaSet, name+"-1", replicas, w.owner(api.KindDeployment, name, replicas, nil))
}

// pods creates running pods, Ready or not.
func (w *world) pods(owner *api.OwnerReference, prefix string, n int, ready bool) {
	w.t.Helper()
	for i := range n {
		pod := &api.Pod{ObjectMeta: meta(fmt.Sprintf("%s-%d", prefix, i), owner), NodeName: "n1",
			Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}}
		w.create(pod)
		w.status(pod.Name, api.PodRunning, ready)
	}
}

func podKey(name string) api.Key { return api.Key{Kind: api.KindPod, Namespace: "default", Name: name} }

func (w *world) pod(name string) *api.Pod {
	pod, _ := w.server.Store.Get(podKey(name)).(*api.Pod)
	return pod
}

// status writes a pod's phase and whether it is Ready.
func (w *world) status(name, phase string, ready bool) {
	w.t.Helper()
	pod := w.pod(name).DeepCopy()
	pod.Status.Phase = phase
	status := "False"
	if ready {
		status = "True"
	}
	pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, api.Condition{Type: "Ready", Status: status}, w.user.Timestamp())
	if _, err := w.user.UpdateStatus(pod, "status", nil); err != nil {
		w.t.Fatal(err)
	}
}

// numbers are those of a status: expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed.
func numbers(b *api.PodDisruptionBudget) [4]int32 {
	s := &b.Status
	return [4]int32{s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed}
}

// events lists the reasons of the events about an object, with their messages.
func (w *world) events(about api.Key) (list []string) {
	for _, r := range w.kernel.Trace.Records {
		if r.Kind == sim.Notice && r.Object == about {
			list = append(list, r.Type+" "+r.Reason+" "+r.What)
			if r.Actor != "controllermanager" {
				w.t.Errorf("the event %s is sent by %s", r.Reason, r.Actor)
			}
		}
	}
	return list
}
