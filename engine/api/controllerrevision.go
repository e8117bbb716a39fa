package api

import "encoding/json"

// ControllerRevision is apps/v1 ControllerRevision: a template that a StatefulSet or a DaemonSet once had (S-6, DS-20).
// Upstream keeps a patch; here it is the template that the patch restores.
type ControllerRevision struct {
	ObjectMeta `json:"metadata"`
	Template   PodTemplateSpec `json:"-"`
	Revision   int64           `json:"revision"`
}

// MarshalJSON prints the revision with its data as the patch that it is upstream.
func (r *ControllerRevision) MarshalJSON() ([]byte, error) {
	tree := TreeOf(r.Template)
	tree["$patch"] = "replace"
	return json.Marshal(struct {
		ObjectMeta `json:"metadata"`
		Data       map[string]any `json:"data"`
		Revision   int64          `json:"revision"`
	}{r.ObjectMeta, map[string]any{"spec": map[string]any{"template": tree}}, r.Revision})
}
