package compare

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestAcceptNodes gives the judge deletions on other nodes than ours: it accepts only what a rolling update may choose from.
func TestAcceptNodes(t *testing.T) {
	j, pods := newDaemons(t, 0, map[string]string{"a": "old", "b": "old", "c": "new", "d": "not ready"})
	for _, c := range []struct {
		ours, theirs string // the nodes on which a pod is deleted
		accepted     bool
	}{
		{"a", "a", true},
		{"a", "b", true},
		{"ad", "bd", true},
		{"a", "c", false},  // its pod is new
		{"a", "d", false},  // its pod is deleted in any case
		{"a", "ab", false}, // more than ours
	} {
		j.first = nil
		j.compareActions("test", daemonKey, deletions(pods, c.ours), deletions(pods, c.theirs))
		if accepted := j.first == nil; accepted != c.accepted {
			t.Errorf("ours on %s, theirs on %s: accepted %v, want %v: %v", c.ours, c.theirs, accepted, c.accepted, j.first)
		}
	}
}

// TestAcceptCreations gives the judge new pods on other nodes than ours.
func TestAcceptCreations(t *testing.T) {
	j, _ := newDaemons(t, 1, map[string]string{"a": "old", "b": "old", "c": "not ready", "d": "new"})
	for _, c := range []struct {
		ours, theirs string // the nodes on which a pod is created
		quota        bool   // stopped at the next one
		accepted     bool
	}{
		{"a", "b", false, true},
		{"ac", "bc", false, true},
		{"a", "c", false, false}, // there a pod is created in any case
		{"a", "c", true, true},
		{"a", "d", true, false}, // it has a new one
	} {
		j.first = nil
		j.compareActions("test", daemonKey, creations(c.ours, c.quota), creations(c.theirs, c.quota))
		if accepted := j.first == nil; accepted != c.accepted {
			t.Errorf("%+v: %v", c, j.first)
		}
	}
}

// creations are the actions of a controller that creates pods for some nodes, stopped by a quota or not.
func creations(nodes string, quota bool) (list []upstream.Action) {
	for _, n := range nodes {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "agent-2222" + string(n)}}
		pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(nil, string(n))
		list = append(list, upstream.Action{What: "create", About: convert.KeyOf(pod), Object: pod})
	}
	if quota {
		list = append(list, upstream.Action{What: "error", Text: `pods "agent-x" is forbidden: exceeded quota: q`})
	}
	return list
}

// TestAcceptLost gives the judge an update that ended at another node than ours.
func TestAcceptLost(t *testing.T) {
	j, _ := newDaemons(t, 1, map[string]string{"a": "old, gone", "b": "not ready, gone", "c": "new, gone", "d": "old"})
	ended := func(node string) []upstream.Action {
		return []upstream.Action{{What: "error", Text: fmt.Sprintf("couldn't get node for nodeName %q: node %[1]q not found", node)}}
	}
	for _, c := range []struct {
		ours, theirs string
		accepted     bool
	}{
		{"a", "a", true},
		{"a", "b", true},
		{"a", "c", false}, // its pod is new: nothing asks for the node
		{"a", "d", false}, // it exists
	} {
		j.first = nil
		j.compareActions("test", daemonKey, ended(c.ours), ended(c.theirs))
		if accepted := j.first == nil; accepted != c.accepted {
			t.Errorf("ours ended at %s, theirs at %s: accepted %v, want %v: %v", c.ours, c.theirs, accepted, c.accepted, j.first)
		}
	}
}

var daemonKey = api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"}

// deletions are the actions of a controller that deletes the pods of some nodes.
func deletions(pods map[string]*corev1.Pod, nodes string) (list []upstream.Action) {
	for _, n := range nodes {
		pod := pods[string(n)]
		list = append(list, upstream.Action{What: "delete", About: convert.KeyOf(pod), Object: pod},
			upstream.Action{What: "event", About: daemonKey, Text: "Normal SuccessfulDelete: Deleted pod: " + pod.Name})
	}
	return list
}

// newDaemons returns a judge over a DaemonSet with this maxSurge and a pod on each of these nodes, and the pods.
func newDaemons(t *testing.T, maxSurge int, nodes map[string]string) (*judge, map[string]*corev1.Pod) {
	t.Helper()
	k := &sim.Kernel{}
	s := apiserver.New(k, 1)
	for _, kind := range upstream.Kinds {
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
	o, issues := decode.JSON(api.KindDaemonSet, fmt.Appendf(nil, `{"metadata": {"name": "agent", "namespace": "default"}, "spec":
		{"updateStrategy": {"rollingUpdate": {"maxSurge": %d, "maxUnavailable": %d}},
		"selector": {"matchLabels": {"app": "agent"}}, "template": {"metadata": {"labels": {"app": "agent"}},
		"spec": {"containers": [{"name": "app", "image": "app:1"}]}}}}`, maxSurge, 1-maxSurge))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	d := create(o).(*api.DaemonSet)
	owners := []api.OwnerReference{apiserver.ControllerRef(d)}
	create(&api.ControllerRevision{Template: d.Spec.Template, Revision: 2, ObjectMeta: api.ObjectMeta{Name: "agent-new",
		Namespace: "default", Labels: map[string]string{api.ControllerRevisionHashLabel: "new"}, OwnerReferences: owners}})
	for name, sort := range nodes {
		sort, gone := strings.CutSuffix(sort, ", gone")
		hash, ready := "old", "True"
		switch sort {
		case "new":
			hash = "new"
		case "not ready":
			ready = "False"
		}
		if !gone {
			create(&api.Node{ObjectMeta: api.ObjectMeta{Name: name}})
		}
		create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprintf("agent-2222%s", name), Namespace: "default",
			Labels: map[string]string{"app": "agent", api.ControllerRevisionHashLabel: hash}, OwnerReferences: owners},
			NodeName: name, Spec: d.Spec.Template.Spec,
			Status: api.PodStatus{Phase: api.PodRunning, Conditions: []api.Condition{{Type: "Ready", Status: ready}}}})
	}
	for _, ok := k.Next(); ok; _, ok = k.Next() {
		k.Step() // lets the caches see it
	}
	j := unattached(k, s.Store)
	pods := map[string]*corev1.Pod{}
	for o := range s.Store.Table(api.KindPod).All() {
		pod := j.form(o).(*corev1.Pod)
		pods[pod.Spec.NodeName] = pod
	}
	return j, pods
}
