package main

import (
	"slices"
	"strconv"
	"strings"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clienttesting "k8s.io/client-go/testing"

	"github.com/rollplay/rollplay/engine/api"
)

// gate lets the pods of a batch be created in a fixed order. Upstream asks for all of them at once, from as many
// goroutines, and under a quota it matters who is first. So each of these requests waits until nothing else moves; then
// the one goes on whose pod comes first in our order: by node, by ordinal.
type gate struct {
	waiting []waiter
	arrived chan struct{} // somebody has begun to wait
}

// waiter is a request for a pod that has to wait.
type waiter struct {
	place int
	open  chan struct{}
}

// await lets a request for a pod wait for its turn, if there is a quota.
func (s *server) await(request clienttesting.Action) {
	create, ok := request.(clienttesting.CreateAction)
	if !ok || request.GetVerb() != "create" || s.store.Table(api.KindResourceQuota).Len() == 0 {
		return
	}
	pod, ok := create.GetObject().(*corev1.Pod)
	if !ok {
		return
	}
	w := waiter{s.place(pod), make(chan struct{})}
	s.lock.Lock()
	s.gate.waiting = append(s.gate.waiting, w)
	s.lock.Unlock()
	select {
	case s.gate.arrived <- struct{}{}:
	default:
	}
	<-w.open
}

// place says where in the order a pod stands: a daemon's pod by its node, a StatefulSet's by its ordinal.
func (s *server) place(pod *corev1.Pod) int {
	if node := targetNode(pod); node != "" {
		for i, name := range s.nodes() {
			if name == node {
				return i
			}
		}
	}
	n, _ := strconv.Atoi(pod.Name[strings.LastIndexByte(pod.Name, '-')+1:])
	return n
}

func (s *server) nodes() (names []string) {
	for o := range s.store.Informer(api.KindNode).Cache.All() {
		names = append(names, o.Key().Name)
	}
	return names
}

// targetNode returns the node that a daemon's pod is meant for.
func targetNode(pod *corev1.Pod) string {
	if a := pod.Spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, t := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, f := range t.MatchFields {
				if f.Key == metav1.ObjectNameField && len(f.Values) == 1 {
					return f.Values[0]
				}
			}
		}
	}
	return ""
}

// attend opens the gate for one after the other until a worker has done its work.
func (s *server) attend(done <-chan struct{}) {
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

// next opens the gate for whoever is first. The answer is false if nobody waits.
func (s *server) next() bool {
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
