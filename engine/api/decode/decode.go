// Package decode reads Kubernetes objects as the API server does: strictly, by the names and types of schema.txt, without
// the fields that belong to the server, and with the defaults filled in.
//
// A manifest is read once: Tree takes what a YAML or JSON parser returned, checks it against the schema, which makes a
// typed tree of it (see api.Fields), and fills the structs of package api from that tree.
package decode

import (
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/words"
)

// Issue is a reason why a manifest cannot be read as its kind.
type Issue struct {
	Path    string // spec.template.spec.containers[0].imag; a map's key is in brackets
	Message string // in the API server's words
	Unknown bool   // a field that the kind does not have
	Near    string // of an unknown field: the field that was probably meant
	stops   bool   // the API server stops reading here and reports this alone, even if something was wrong before
}

// JSON reads an object like Tree.
func JSON(kind api.Kind, text []byte) (api.Object, []Issue) {
	v, err := api.ReadJSON(text, true)
	if err != nil {
		return nil, []Issue{{Message: err.Error()}}
	}
	return Tree(kind, v)
}

// Tree reads an object from parsed JSON, whose numbers are json.Number. It removes from v what belongs to the server (uid,
// resourceVersion, status, ...), so that people can paste what kubectl get prints. The object is nil if there is an issue.
func Tree(kind api.Kind, v any) (api.Object, []Issue) {
	m, _ := v.(map[string]any)
	dropServerFields(kind, m)
	if issues := upgrade(kind, m); len(issues) > 0 {
		return nil, issues
	}
	tree, issues := check(string(kind), v)
	if len(issues) > 0 {
		return nil, issues
	}
	o := kinds.Of(kind).New()
	if err := fill(reflect.ValueOf(o).Elem(), tree); err != nil {
		return nil, []Issue{{Message: err.Error()}}
	}
	Default(o)
	return o, nil
}

// Template reads a pod template from JSON, with the defaults of its spec.
func Template(text []byte) (t api.PodTemplateSpec, err error) {
	v, err := api.ReadJSON(text, true)
	if err != nil {
		return t, err
	}
	breath.Take()
	tree, issues := check("PodTemplateSpec", v)
	if len(issues) > 0 {
		return t, errors.New(Message(issues))
	}
	return template(tree)
}

// check returns the typed tree of a value that should be a struct of the API.
func check(structName string, v any) (map[string]any, []Issue) {
	var d decoder
	tree, _ := d.value(&valueType{kind: structValue, name: structName}, v, place{})
	fields, _ := tree.(map[string]any)
	return fields, d.issues
}

// serverMetadata are the fields of the metadata that the server owns. Simplified: owner references are among them,
// because a pasted UID belongs to another cluster, and the garbage collector would find no owner here.
var serverMetadata = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "selfLink", "ownerReferences"}

func dropServerMetadata(meta map[string]any) {
	for _, name := range serverMetadata {
		delete(meta, name)
	}
}

// dropServerFields removes what the API server ignores in a manifest. Of a Node's status the resources stay, because no
// kubelet reports them here.
func dropServerFields(kind api.Kind, m map[string]any) {
	meta := api.Fields(m).Object("metadata")
	dropServerMetadata(meta)
	for _, claim := range api.Fields(m).Object("spec").Items("volumeClaimTemplates") {
		dropServerMetadata(claim.Object("metadata"))
	}
	if kind == api.KindDaemonSet {
		delete(meta.Object("annotations"), api.TemplateGenerationAnnotation)
	}
	status := api.Fields(m).Object("status")
	if kind != api.KindNode || status == nil {
		delete(m, "status")
		return
	}
	maps.DeleteFunc(status, func(name string, _ any) bool { return name != "allocatable" && name != "capacity" })
}

// Message returns what the API server says about all issues of one object: one wrong value alone, or else every
// unknown field.
func Message(issues []Issue) string {
	wrong := slices.IndexFunc(issues, func(i Issue) bool { return i.stops })
	if wrong < 0 {
		wrong = slices.IndexFunc(issues, func(i Issue) bool { return !i.Unknown })
	}
	if wrong >= 0 {
		return issues[wrong].Message
	}
	return "strict decoding error: " + words.Join(issues, ", ", func(i Issue) string { return i.Message })
}
