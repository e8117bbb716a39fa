package api_test

import (
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
	tree, err := api.Tree(pod)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := tree["nodeName"]; ok || tree["spec"].(map[string]any)["nodeName"] != "node-1" {
		t.Errorf("the node must stand in the spec: %v", tree)
	}
	state := api.Fields(tree).Object("status").Items("containerStatuses")[0]["state"].(map[string]any)
	if waiting, _ := state["waiting"].(map[string]any); waiting["reason"] != "ContainerCreating" || state["kind"] != nil {
		t.Errorf("state is %v", state)
	}
}
