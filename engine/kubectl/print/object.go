package print

import (
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
