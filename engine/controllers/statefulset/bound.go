package statefulset

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// Bound returns how many pods of a StatefulSet its controller itself lets be unavailable in Kubernetes 1.minor: the field
// maxUnavailable, rounded down, but at least 1 (S-18); before 1.37 always 1 (S-19); none under OnDelete.
func Bound(set *api.StatefulSet, minor int) int {
	switch {
	case set.Spec.UpdateStrategy.Type == api.OnDelete:
		return 0
	case minor < apiserver.SinceMaxUnavailable:
		return 1
	}
	return maxUnavailable(set)
}
