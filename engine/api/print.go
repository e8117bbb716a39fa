package api

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Tree returns an object as the API server prints it, as maps, lists, strings, float64 and bool: the fields that a Pod keeps
// beside its spec are in the spec, and a container's state is a field named after its kind.
func Tree(o Object) map[string]any {
	pod, isPod := o.(*Pod)
	if isPod { // a spec may be large, and its tree is there
		bare := *pod
		bare.Spec, o = nil, &bare
	}
	tree := TreeOf(o)
	if d, ok := o.(*DaemonSet); ok {
		Fields(tree).Make("metadata")["annotations"] = stringTree(d.ServedAnnotations())
	}
	if isPod {
		if tree["spec"] = CopyTree(map[string]any(pod.Spec.Tree()), jsonValue); pod.Spec == nil {
			tree["spec"] = nil
		}
		printPod(tree)
		if pod.TargetNode != "" {
			printTarget(tree, pod.TargetNode)
		}
	}
	return tree
}

// JSON returns the JSON of a value that always has one: a tree, an object, a struct of texts and numbers.
func JSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("api: a value has no JSON: " + err.Error())
	}
	return text
}

// TreeOf returns the JSON of such a value as a tree.
func TreeOf(v any) map[string]any {
	text, depth := JSON(v), partsDepth
	if len(text) < 4<<10 { // is read within a millisecond, and much faster in one piece
		depth = 0
	}
	tree, err := readPart(json.NewDecoder(bytes.NewReader(text)), depth)
	if err != nil {
		panic("api: a value is no object: " + err.Error())
	}
	return tree.(map[string]any)
}

// jsonValue returns a value that is no map, list or text as encoding/json reads it from the value's JSON.
func jsonValue(v any) any {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case json.Number:
		n, _ := v.Float64() // the decoder has checked it
		return n
	case IntOrString:
		if !v.IsString {
			return float64(v.Int)
		}
		return validText(v.Str)
	case Quantity:
		return v.String()
	}
	return nil
}

// TemplateGenerationAnnotation is where the API server shows a DaemonSet's templateGeneration, which has no field any more.
const TemplateGenerationAnnotation = "deprecated.daemonset.template.generation"

// ServedAnnotations returns a DaemonSet's annotations as the API server shows them.
func (d *DaemonSet) ServedAnnotations() map[string]string {
	return With(d.Annotations, TemplateGenerationAnnotation, strconv.FormatInt(d.TemplateGeneration, 10))
}

// printPod gives a pod's tree the form that the API server prints.
func printPod(tree map[string]any) {
	for _, name := range []string{"nodeName", "hostname", "subdomain"} {
		if value, ok := tree[name]; ok {
			delete(tree, name)
			if spec, ok := tree["spec"].(map[string]any); ok {
				spec[name] = value
			}
		}
	}
	status := Fields(tree).Object("status")
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range status.Items(list) {
			printState(c, "state")
			printState(c, "lastState")
		}
	}
}

// printState turns {kind: waiting, reason: X} into {waiting: {reason: X}}.
func printState(container Fields, name string) {
	state := container.Object(name)
	if kind, ok := state["kind"].(string); ok {
		delete(state, "kind")
		container[name] = map[string]any{kind: map[string]any(state)}
	}
}

// printTarget writes the node that a DaemonSet means a pod for as the affinity that it is (DS-5). It takes the place of the
// required node affinity of the template.
func printTarget(tree map[string]any, node string) {
	field := map[string]any{"key": "metadata.name", "operator": "In", "values": []any{node}}
	Fields(tree).Make("spec").Make("affinity").Make("nodeAffinity")["requiredDuringSchedulingIgnoredDuringExecution"] = map[string]any{
		"nodeSelectorTerms": []any{map[string]any{"matchFields": []any{field}}}}
}
