package api

import "encoding/json"

// ControllerRevision is apps/v1 ControllerRevision: a template that a StatefulSet or a DaemonSet once had (S-6, DS-20).
// Upstream keeps a patch; here it is the template that the patch restores.
type ControllerRevision struct {
	ObjectMeta `json:"metadata"`
	Template   PodTemplateSpec `json:"-"`
	Revision   int64           `json:"revision"`
}

// revisionJSON is a ControllerRevision as the API server prints it.
type revisionJSON struct {
	ObjectMeta `json:"metadata"`
	Data       json.RawMessage `json:"data"`
	Revision   int64           `json:"revision"`
}

// MarshalJSON prints the revision with its data as the patch that it is upstream.
func (r *ControllerRevision) MarshalJSON() ([]byte, error) {
	tree := TreeOf(r.Template)
	tree["$patch"] = "replace"
	data := JSON(map[string]any{"spec": map[string]any{"template": tree}})
	return json.Marshal(revisionJSON{ObjectMeta: r.ObjectMeta, Data: data, Revision: r.Revision})
}
