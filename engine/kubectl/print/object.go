package print

import "github.com/rollplay/rollplay/engine/api"

// object is what kubectl get shows: an object of the cluster, or an event.
type Object interface {
	Meta() *api.ObjectMeta
	Key() api.Key
}

// group is the objects of a type that one table shows.
type Group struct {
	Kind    api.Kind
	Objects []Object
}
