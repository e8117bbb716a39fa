package upstream

import (
	"context"
	"slices"
	"strconv"
	"testing/synctest"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/rollplay/rollplay/engine/api"
)

// gate makes the order fixed in which the pods of a batch are created. Upstream requests all of them at once, each from a
// goroutine of its own, and under a quota it matters which comes first. So every request waits until nothing else moves;
// then the one continues whose pod is first in the engine's order: by node, or by ordinal.
type gate struct {
	waiting []waiter
	arrived chan struct{} // a request has begun to wait
}

// waiter is a request for a pod that waits for its turn.
type waiter struct {
	place int
	open  chan struct{}
}

// daemonPods makes the pods of a DaemonSet wait for their turn before they are created.
type daemonPods struct {
	controller.PodControlInterface
	server *Server
}

// CreatePods creates a pod when it is its turn.
func (p daemonPods) CreatePods(ctx context.Context, namespace string, t *corev1.PodTemplateSpec, owner runtime.Object,
	ref *metav1.OwnerReference) error {
	p.server.await(slices.Index(p.server.nodes(), TargetNode(&t.Spec)))
	return p.PodControlInterface.CreatePods(ctx, namespace, t, owner, ref)
}

// statefulPods makes the pods of a StatefulSet wait for their turn before they are created.
type statefulPods struct {
	statefulset.StatefulPodControlObjectManager
	server *Server
}

// CreatePod creates a pod when it is its turn.
func (p statefulPods) CreatePod(ctx context.Context, pod *corev1.Pod, s *appsv1.StatefulSet) error {
	ordinal, err := strconv.Atoi(pod.Name[len(s.Name)+1:])
	must(err)
	p.server.await(ordinal)
	return p.StatefulPodControlObjectManager.CreatePod(ctx, pod, s)
}

// await waits for the turn of a place if there is a quota.
func (s *Server) await(place int) {
	if s.store.Table(api.KindResourceQuota).Len() == 0 {
		return
	}
	w := waiter{place, make(chan struct{})}
	s.lock.Lock()
	s.gate.waiting = append(s.gate.waiting, w)
	s.lock.Unlock()
	select {
	case s.gate.arrived <- struct{}{}:
	default:
	}
	<-w.open
}

// nodes lists the nodes in the engine's order.
func (s *Server) nodes() (names []string) {
	for o := range s.store.Informer(api.KindNode).Cache.All() {
		names = append(names, o.Key().Name)
	}
	slices.Sort(names)
	return names
}

// TargetNode returns the node that a DaemonSet's pod is meant for, empty if the pod is of another kind of owner.
func TargetNode(spec *corev1.PodSpec) string {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return ""
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return ""
	}
	for _, t := range required.NodeSelectorTerms {
		for _, f := range t.MatchFields {
			if f.Key == metav1.ObjectNameField && len(f.Values) == 1 {
				return f.Values[0]
			}
		}
	}
	return ""
}

// attend opens the gate for one request after the other until the worker is done.
func (s *Server) attend(done <-chan struct{}) {
	for {
		synctest.Wait()
		if s.next() {
			continue
		}
		select {
		case <-done:
			return
		case <-s.gate.arrived:
		}
	}
}

// next opens the gate for the first request; it returns false if no request waits.
func (s *Server) next() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.gate.waiting) == 0 {
		return false
	}
	slices.SortStableFunc(s.gate.waiting, func(a, b waiter) int { return a.place - b.place })
	close(s.gate.waiting[0].open)
	s.gate.waiting = s.gate.waiting[1:]
	return true
}
