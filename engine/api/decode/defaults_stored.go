package decode

import (
	"encoding/base64"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
)

// defaultStored fills in what the API server does for people who read an object that is only stored.
//
// Simplified: the other kinds are stored as they were written, without defaults.
func defaultStored(o *api.Stored) {
	if o.Fields == nil {
		o.Fields = api.Fields{}
	}
	switch o.Kind {
	case "Secret":
		setAbsent(o.Fields, "type", "Opaque")
		for key, text := range o.Fields.TextMap("stringData") {
			o.Fields.Make("data")[key] = base64.StdEncoding.EncodeToString([]byte(text))
		}
		delete(o.Fields, "stringData")
	case "ReplicationController":
		spec := api.Fields{} // the manifest keeps its own
		maps.Copy(spec, o.Fields.Object("spec"))
		o.Fields["spec"] = map[string]any(spec)
		if t, err := Template(api.JSON(spec["template"])); err == nil {
			spec["template"] = api.TreeOf(t)
		}
		labels := spec.Object("template").Object("metadata")
		setAbsent(spec, "replicas", float64(1))
		setAbsent(spec, "selector", labels["labels"])
		if o.Labels == nil {
			o.Labels = labels.TextMap("labels")
		}
	case "Namespace":
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		o.Labels["kubernetes.io/metadata.name"] = o.Name
		o.Fields["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
		o.Fields["status"] = map[string]any{"phase": "Active"}
	}
}
