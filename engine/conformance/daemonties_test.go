package main

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestAcceptNodes hands the judge deletions on other nodes than ours: only what a rolling update may choose between is as
// good as ours.
func TestAcceptNodes(t *testing.T) {
	j, pods := newDaemons(t, map[string]string{"a": "old", "b": "old", "c": "new", "d": "not ready"})
	for _, c := range []struct {
		ours, theirs string // the nodes on which a pod is deleted
		accepted     bool
	}{
		{"a", "a", true},
		{"a", "b", true},
		{"ad", "bd", true},
		{"a", "c", false},  // its pod is new
		{"a", "d", false},  // its pod goes in any case
		{"a", "ab", false}, // more than ours
	} {
		j.first = nil
		j.compareActions("test", daemonKey, deletions(pods, c.ours), deletions(pods, c.theirs))
		if accepted := j.first == nil; accepted != c.accepted {
			t.Errorf("ours on %s, theirs on %s: accepted %v, want %v: %v", c.ours, c.theirs, accepted, c.accepted, j.first)
		}
	}
}

var daemonKey = api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"}

// deletions are what a controller does that deletes the pods of some nodes.
func deletions(pods map[string]*corev1.Pod, nodes string) (list []action) {
	for _, n := range nodes {
		pod := pods[string(n)]
		list = append(list, action{what: "delete", about: keyFor(pod), object: pod},
			action{what: "event", about: daemonKey, text: "Normal SuccessfulDelete: Deleted pod: " + pod.Name})
	}
	return list
}

// newDaemons returns a judge over a DaemonSet with a pod on each of these nodes, and the pods.
func newDaemons(t *testing.T, nodes map[string]string) (*judge, map[string]*corev1.Pod) {
	t.Helper()
	k := &sim.Kernel{}
	s := apiserver.New(k, 1)
	for _, kind := range watched {
		s.Store.Informer(kind)
	}
	client := s.Client("test")
	create := func(o api.Object) api.Object {
		stored, err := client.Create(o, "created", nil)
		if err != nil {
			t.Fatal(err)
		}
		return stored
	}
	o, issues := api.Decode(api.KindDaemonSet, []byte(`{"metadata": {"name": "agent", "namespace": "default"}, "spec":
		{"selector": {"matchLabels": {"app": "agent"}}, "template": {"metadata": {"labels": {"app": "agent"}},
		"spec": {"containers": [{"name": "app", "image": "app:1"}]}}}}`))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	d := create(o).(*api.DaemonSet)
	owners := []api.OwnerReference{apiserver.ControllerRef(d)}
	create(&api.ControllerRevision{Template: d.Spec.Template, Revision: 2, ObjectMeta: api.ObjectMeta{Name: "agent-new",
		Namespace: "default", Labels: map[string]string{api.ControllerRevisionHashLabel: "new"}, OwnerReferences: owners}})
	for name, sort := range nodes {
		hash, ready := "old", "True"
		switch sort {
		case "new":
			hash = "new"
		case "not ready":
			ready = "False"
		}
		create(&api.Node{ObjectMeta: api.ObjectMeta{Name: name}})
		create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprintf("agent-2222%s", name), Namespace: "default",
			Labels: map[string]string{"app": "agent", api.ControllerRevisionHashLabel: hash}, OwnerReferences: owners},
			NodeName: name, Spec: d.Spec.Template.Spec,
			Status: api.PodStatus{Phase: api.PodRunning, Conditions: []api.Condition{{Type: "Ready", Status: ready}}}})
	}
	for _, ok := k.Next(); ok; _, ok = k.Next() {
		k.Step() // lets the caches see it
	}
	c := newConverter(s.Store)
	j := &judge{kernel: k, store: s.Store, converter: c, server: &server{store: s.Store, converter: c}}
	pods := map[string]*corev1.Pod{}
	for o := range s.Store.Table(api.KindPod).All() {
		pod := j.form(o).(*corev1.Pod)
		pods[pod.Spec.NodeName] = pod
	}
	return j, pods
}
