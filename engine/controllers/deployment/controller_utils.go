package deployment

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// ByCreation orders ReplicaSets oldest first, ties by name (D-33).
func ByCreation(a, b *api.ReplicaSet) int {
	if a.CreationTimestamp != b.CreationTimestamp {
		return int(a.CreationTimestamp - b.CreationTimestamp)
	}
	return strings.Compare(a.Name, b.Name)
}

// byRevision orders ReplicaSets by their revision; where it is missing on one side or equal, by creation.
func byRevision(a, b *api.ReplicaSet) int {
	m, okA := revision(&a.ObjectMeta)
	n, okB := revision(&b.ObjectMeta)
	if !okA || !okB || m == n {
		return ByCreation(a, b)
	}
	return int(m - n)
}

// bySizeFor orders ReplicaSets by size, the largest first. Of equal ones the younger gains first and the older loses
// first: a rollout prefers its new pods.
func bySizeFor(add int32) func(a, b *api.ReplicaSet) int {
	return func(a, b *api.ReplicaSet) int {
		if *a.Spec.Replicas != *b.Spec.Replicas {
			return int(*b.Spec.Replicas - *a.Spec.Replicas)
		}
		if add > 0 {
			return ByCreation(b, a)
		}
		return ByCreation(a, b)
	}
}

// active returns the ReplicaSets that shall have pods, in a list of its own.
func active(rsList []*api.ReplicaSet) []*api.ReplicaSet {
	var out []*api.ReplicaSet
	for _, rs := range rsList {
		if rs != nil && *rs.Spec.Replicas > 0 {
			out = append(out, rs)
		}
	}
	return out
}
