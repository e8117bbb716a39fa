package line

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// resourceVersion names a resource as the API machinery does in errors.
func ResourceVersion(kind api.Kind) string {
	n := NamesOf(kind)
	return n.Group + "/" + n.Version() + ", Resource=" + n.Plural
}

// resourceName returns what kubectl calls an object in its answers: deployment.apps/web.
func ResourceName(key api.Key) string {
	kind := strings.ToLower(string(key.Kind))
	if _, group, ok := strings.Cut(key.Kind.Resource(), "."); ok {
		kind += "." + group
	}
	return kind + "/" + key.Name
}

// apiVersion returns the group and the version of a kind.
func APIVersion(kind api.Kind) string {
	if names := NamesOf(kind); names.Group != "" {
		return names.Group + "/" + names.Version()
	}
	return "v1"
}

// pluralName names an object as kubectl wait does where it gives it up: deployments/web.
func PluralName(key api.Key) string { return NamesOf(key.Kind).Plural + "/" + key.Name }
