package line

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
)

// FindKind returns the kind that a word names: deploy, deployments.apps, deployments.v1.apps.
func FindKind(word string) (api.Kind, error) {
	breath.Often() // a line may name thousands
	short, group, _ := strings.Cut(word, ".")
	name := strings.ToLower(short)
	for _, k := range kinds.All() {
		if name == "" || name != k.Singular() && name != k.Plural && short != k.Short { // short names are not found in capitals
			continue
		}
		if group == "" || group == k.Group || group == k.Version+"."+k.Group {
			return k.Name, nil
		}
	}
	if group != "" {
		return "", fmt.Errorf("the server doesn't have a resource type %q in group %q", short, group)
	}
	if kinds.Absent(name) {
		if word == "ep" || strings.HasPrefix(word, "endpoint") {
			return "", fmt.Errorf("rollplay does not simulate %s: v1 Endpoints is deprecated in v1.33+; kubectl get endpointslices shows the same", word)
		}
		return "", fmt.Errorf("rollplay does not simulate %s; kubectl api-resources lists what it simulates", word)
	}
	return "", fmt.Errorf("the server doesn't have a resource type %q", short)
}

// PluralList joins the names of kinds: deployments, replicasets and pods. Those that are only stored have one name together.
func PluralList(list []api.Kind) string {
	var names []string
	for _, k := range list {
		if !kinds.Of(k).Inert {
			names = append(names, kinds.Of(k).Plural)
		}
	}
	if len(names) < len(list) {
		names = append(names, "objects that are only stored")
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// findKinds reads a list of types: rs,pods. `all` means several.
func findKinds(list string) (found []api.Kind, err error) {
	for word := range strings.SplitSeq(list, ",") {
		if strings.ToLower(word) == "all" {
			found = append(found, kinds.By(func(k *kinds.Kind) int { return k.InAll })...)
			continue
		}
		kind, err := FindKind(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(found, kind) {
			found = append(found, kind)
		}
	}
	return found, nil
}

// ResourceVersion names a resource as the API machinery does in errors.
func ResourceVersion(kind api.Kind) string {
	k := kinds.Of(kind)
	return k.Group + "/" + k.Version + ", Resource=" + k.Plural
}

// ResourceName returns what kubectl calls an object in its answers: deployment.apps/web.
func ResourceName(key api.Key) string {
	return strings.ToLower(kinds.Of(key.Kind).GroupKind()) + "/" + cmp.Or(key.Name, "<unknown>")
}

// PluralName names an object as kubectl wait does when it gives up: deployments/web.
func PluralName(key api.Key) string { return kinds.Of(key.Kind).Plural + "/" + key.Name }
