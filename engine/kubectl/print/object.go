package print

import "github.com/rollplay/rollplay/engine/api"

// Group is the objects of a type that one table shows.
type Group struct {
	Kind    api.Kind
	Objects []api.Object // also events
}

// Flat returns the objects of all groups.
func Flat(groups []Group) (objects []api.Object) {
	for _, g := range groups {
		objects = append(objects, g.Objects...)
	}
	return objects
}

// KubernetesVersion is the version that is played: kubectl, the API server and the kubelets have the same.
const KubernetesVersion = "v1.37.1"
