package print

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// filledIn are the fields of the metadata that only the server writes.
var filledIn = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"}

// noted are the beginnings of annotations in which controllers and kubectl note something about the object.
var noted = []string{"deployment.kubernetes.io/", api.LastAppliedAnnotation, api.TemplateGenerationAnnotation}

// Manifest prints an object as a person would write it to make it again: as -o yaml does, without its status and without what the
// server, controllers and kubectl have added.
func Manifest(o api.Object) string {
	tree := ObjectTree(o)
	delete(tree, "status")
	if meta, ok := tree["metadata"].(map[string]any); ok {
		for _, name := range filledIn {
			delete(meta, name)
		}
		if annotations, ok := meta["annotations"].(map[string]any); ok {
			maps.DeleteFunc(annotations, isNoted)
			if len(annotations) == 0 {
				delete(meta, "annotations")
			}
		}
	}
	if spec, ok := tree["spec"].(map[string]any); ok && o.Key().Kind == api.KindPod {
		delete(spec, "nodeName") // the scheduler has chosen it
	}
	return TreeText(tree, "yaml")
}

func isNoted(annotation string, _ any) bool {
	return slices.ContainsFunc(noted, func(begin string) bool { return strings.HasPrefix(annotation, begin) })
}
