package deployment

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// ByCreation orders ReplicaSets oldest first, ties by name (D-33; ReplicaSetsByCreationTimestamp).
func ByCreation(a, b *api.ReplicaSet) int {
	if a.CreationTimestamp != b.CreationTimestamp {
		return int(a.CreationTimestamp - b.CreationTimestamp)
	}
	return strings.Compare(a.Name, b.Name)
}

// byRevision orders ReplicaSets by revision, or by creation if the revisions are equal or one cannot be read
// (ReplicaSetsByRevision).
func byRevision(a, b *api.ReplicaSet) int {
	m, errA := a.RevisionNumber()
	n, errB := b.RevisionNumber()
	if errA != nil || errB != nil || m == n {
		return ByCreation(a, b)
	}
	return int(m - n)
}

// bySizeFor orders ReplicaSets by size, the largest first. Among equals the youngest grows first and the oldest shrinks
// first, because a rollout prefers its new pods (ReplicaSetsBySizeNewer, ReplicaSetsBySizeOlder).
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

// active returns a new list of the ReplicaSets whose spec wants pods (FilterActiveReplicaSets).
func active(rsList []*api.ReplicaSet) []*api.ReplicaSet {
	return slices.DeleteFunc(slices.Clone(rsList), func(rs *api.ReplicaSet) bool { return *rs.Spec.Replicas == 0 })
}
