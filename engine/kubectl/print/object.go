package print

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// Object is what kubectl get shows: an object of the cluster, or an event.
type Object interface {
	Meta() *api.ObjectMeta
	Key() api.Key
}

// Group is the objects of a type that one table shows.
type Group struct {
	Kind    api.Kind
	Objects []Object
}

// KubernetesVersion is the version that is played: kubectl, the API server and the kubelets have the same.
const KubernetesVersion = "v1.37.1"

// ValueAt returns what stands in a tree at a path, nil if nothing does.
func ValueAt(tree any, steps []string) any {
	for _, s := range steps {
		switch v := tree.(type) {
		case map[string]any:
			tree = v[s]
		case []any:
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			tree = v[i]
		default:
			return nil
		}
	}
	return tree
}
