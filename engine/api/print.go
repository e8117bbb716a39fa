package api

import "encoding/json"

// Tree returns an object as the API server prints it, as maps, lists, strings, float64 and bool: what a pod has beside
// its spec stands in the spec there, and a container's state is named by its kind.
func Tree(o Object) (map[string]any, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	if _, ok := o.(*Pod); ok {
		printPod(tree)
	}
	return tree, nil
}

// printPod gives a pod's tree the form that the API server prints.
func printPod(tree map[string]any) {
	if node, ok := tree["nodeName"]; ok {
		delete(tree, "nodeName")
		if spec, ok := tree["spec"].(map[string]any); ok {
			spec["nodeName"] = node
		}
	}
	status, _ := tree["status"].(map[string]any)
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range items(status, list) {
			printState(c, "state")
			printState(c, "lastState")
		}
	}
}

// printState turns {kind: waiting, reason: X} into {waiting: {reason: X}}.
func printState(container map[string]any, name string) {
	state, _ := container[name].(map[string]any)
	if kind, ok := state["kind"].(string); ok {
		delete(state, "kind")
		container[name] = map[string]any{kind: state}
	}
}
