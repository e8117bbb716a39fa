package statefulset

import "github.com/rollplay/rollplay/engine/api"

// Bound returns how many pods of a StatefulSet its controller itself lets be unavailable in Kubernetes 1.minor: the field
// maxUnavailable, rounded down, but at least 1 (S-18); before 1.37 always 1 (S-19); none under OnDelete.
func Bound(set *api.StatefulSet, minor int) int {
	u := &set.Spec.UpdateStrategy
	switch {
	case u.Type == api.OnDelete:
		return 0
	case minor < 37 || u.RollingUpdate == nil || u.RollingUpdate.MaxUnavailable == nil:
		return 1
	}
	return max(1, int(u.RollingUpdate.MaxUnavailable.Scaled(*set.Spec.Replicas, false)))
}
