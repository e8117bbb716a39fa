package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Issue is a reason why a manifest cannot be read as its kind.
type Issue struct {
	Path    string // spec.template.spec.containers[0].imag; a map's key is in brackets
	Message string // in the API server's words
	Unknown bool   // a field that the kind does not have
	Near    string // of an unknown field: the field that was meant, perhaps
	stops   bool   // the API server reads no further and says this alone, although something was wrong before
}

// Decode reads an object strictly and fills in defaults, as the API server does. What belongs to the server (uid,
// resourceVersion, status, ...) is accepted and dropped, so that a person can paste what kubectl get prints. The object
// is nil if there is an issue.
func Decode(kind Kind, text []byte) (Object, []Issue) {
	v, err := parseTree(text)
	if err != nil {
		return nil, []Issue{{Message: err.Error()}}
	}
	DropServerFields(kind, v)
	var d decoder
	tree, _ := d.value(&valueType{kind: structValue, name: string(kind)}, v, place{})
	if len(d.issues) > 0 {
		return nil, d.issues
	}
	o := newObject(kind)
	if err := json.Unmarshal(appendTree(nil, tree, false), o); err != nil {
		return nil, []Issue{{Message: err.Error()}}
	}
	Default(o)
	return o, nil
}

// newObject returns an empty object of a kind that Decode knows.
func newObject(kind Kind) Object {
	switch kind {
	case KindDeployment:
		return &Deployment{}
	case KindReplicaSet:
		return &ReplicaSet{}
	case KindPod:
		return &Pod{}
	case KindNode:
		return &Node{}
	case KindResourceQuota:
		return &ResourceQuota{}
	case KindStatefulSet:
		return &StatefulSet{}
	case KindDaemonSet:
		return &DaemonSet{}
	case KindPodDisruptionBudget:
		return &PodDisruptionBudget{}
	case KindHorizontalPodAutoscaler:
		return &HorizontalPodAutoscaler{}
	}
	panic("api: decode of unknown kind " + string(kind))
}

// serverMetadata are the fields of the metadata that the server owns. Simplified: owner references are among them,
// because a pasted UID belongs to another cluster, and the garbage collector would find no owner here.
var serverMetadata = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "selfLink", "ownerReferences"}

// DropServerFields removes what the API server ignores in a manifest. Of a Node's status the resources stay: there is
// no kubelet that would report them.
func DropServerFields(kind Kind, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	if meta, ok := m["metadata"].(map[string]any); ok {
		for _, name := range serverMetadata {
			delete(meta, name)
		}
		if annotations, ok := meta["annotations"].(map[string]any); ok && kind == KindDaemonSet {
			delete(annotations, TemplateGenerationAnnotation)
		}
	}
	status, ok := m["status"].(map[string]any)
	if kind != KindNode || !ok {
		delete(m, "status")
		return
	}
	maps.DeleteFunc(status, func(name string, _ any) bool { return name != "allocatable" && name != "capacity" })
}

// DecodeMessage returns what the API server says about all issues of one object: one wrong value alone, or else every
// unknown field.
func DecodeMessage(issues []Issue) string {
	wrong := slices.IndexFunc(issues, func(i Issue) bool { return i.stops })
	if wrong < 0 {
		wrong = slices.IndexFunc(issues, func(i Issue) bool { return !i.Unknown })
	}
	if wrong >= 0 {
		return issues[wrong].Message
	}
	var unknown []string
	for _, i := range issues {
		unknown = append(unknown, i.Message)
	}
	return "strict decoding error: " + strings.Join(unknown, ", ")
}
