package api

import "testing"

// TestTree: a pod is printed as the API server prints it, with its node in the spec and named states.
func TestTree(t *testing.T) {
	o, issues := decodeYAML(t, KindPod, `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: nginx}]}}`)
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	pod := o.(*Pod)
	pod.NodeName = "node-1"
	pod.Status.ContainerStatuses = []ContainerStatus{{Name: "web", State: ContainerState{Kind: Waiting, Reason: "ContainerCreating"}}}
	tree, err := Tree(pod)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := tree["nodeName"]; ok || tree["spec"].(map[string]any)["nodeName"] != "node-1" {
		t.Errorf("the node must stand in the spec: %v", tree)
	}
	state := items(tree["status"].(map[string]any), "containerStatuses")[0]["state"].(map[string]any)
	if waiting, _ := state["waiting"].(map[string]any); waiting["reason"] != "ContainerCreating" || state["kind"] != nil {
		t.Errorf("state is %v", state)
	}
}
