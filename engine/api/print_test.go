package api_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
)

// TestTree: a pod is printed as the API server prints it, with its node in the spec and named states.
func TestTree(t *testing.T) {
	o, issues := decode.JSON(api.KindPod, []byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web", "image": "nginx"}]}}`))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	pod := o.(*api.Pod)
	pod.NodeName = "node-1"
	pod.Status.ContainerStatuses = []api.ContainerStatus{{Name: "web", State: api.ContainerState{Kind: api.Waiting, Reason: "ContainerCreating"}}}
	tree := api.Tree(pod)
	if _, ok := tree["nodeName"]; ok || tree["spec"].(map[string]any)["nodeName"] != "node-1" {
		t.Errorf("the node must stand in the spec: %v", tree)
	}
	state := api.Fields(tree).Object("status").Items("containerStatuses")[0]["state"].(map[string]any)
	if waiting, _ := state["waiting"].(map[string]any); waiting["reason"] != "ContainerCreating" || state["kind"] != nil {
		t.Errorf("state is %v", state)
	}
}

// TestTreeOfASpec: the tree of a pod's spec, which is copied, is what its JSON reads as.
func TestTreeOfASpec(t *testing.T) {
	o, issues := decode.JSON(api.KindPod, []byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"priority": 7, "terminationGracePeriodSeconds": 20,
		"tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 9}], "securityContext": {"runAsNonRoot": true},
		"containers": [{"name": "web", "image": "nginx", "command": ["<&>", "\u2028 \u0001"], "resources": {"requests": {"cpu": "0.5", "memory": "1024Ki"}},
			"readinessProbe": {"httpGet": {"port": "http", "path": "/"}}, "livenessProbe": {"tcpSocket": {"port": 80}}}]}}`))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	pod := o.(*api.Pod)
	pod.Spec = pod.Spec.WithTolerations(pod.Spec.Tolerations) // as a DaemonSet makes it: with numbers of another type
	tree := api.Tree(pod)
	text, err := json.Marshal(pod.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(tree["spec"], want) {
		t.Errorf("got\n%#v\nwant\n%#v", tree["spec"], want)
	}
	if tree := api.Tree(&api.Pod{}); tree["spec"] != nil {
		t.Errorf("a pod without a spec has %v", tree["spec"])
	}
}
