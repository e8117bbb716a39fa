package kubectl

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// resourceVersion names a resource as the API machinery does in errors.
func resourceVersion(kind api.Kind) string {
	n := namesOf(kind)
	return n.group + "/" + n.version() + ", Resource=" + n.plural
}

// resourceName returns what kubectl calls an object in its answers: deployment.apps/web.
func resourceName(key api.Key) string {
	kind := strings.ToLower(string(key.Kind))
	if _, group, ok := strings.Cut(key.Kind.Resource(), "."); ok {
		kind += "." + group
	}
	return kind + "/" + key.Name
}

// apiVersion returns the group and the version of a kind.
func apiVersion(kind api.Kind) string {
	if names := namesOf(kind); names.group != "" {
		return names.group + "/" + names.version()
	}
	return "v1"
}

// pluralName names an object as kubectl wait does where it gives it up: deployments/web.
func pluralName(key api.Key) string { return namesOf(key.Kind).plural + "/" + key.Name }
