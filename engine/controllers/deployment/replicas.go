package deployment

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const deploymentUtil = "pkg/controller/deployment/util/deployment_util.go:"

// Bounds returns maxSurge and maxUnavailable in pods for the Deployment's present size (D-20, D-21).
func Bounds(d *api.Deployment) (maxSurge, maxUnavailable int32) {
	return surge(d), unavailable(d)
}

// resolveFenceposts turns the two fields into pods: the surge is rounded up, the unavailable down, and if both come
// out as nothing one pod may be unavailable, since otherwise no rollout could ever move (D-20, D-21).
func resolveFenceposts(maxSurge, maxUnavailable *api.IntOrString, desired int32) (surge, unavailable int32) {
	surge, unavailable = maxSurge.Scaled(desired, true), maxUnavailable.Scaled(desired, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// surge is how many pods there may be above spec.replicas (D-21). It is not clamped.
func surge(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil {
		return 0
	}
	s, _ := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return s
}

// unavailable is how many pods may be missing from spec.replicas (D-21).
func unavailable(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil || *d.Spec.Replicas == 0 {
		return 0
	}
	_, u := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return min(u, *d.Spec.Replicas)
}

// newRSNewReplicas returns the size that the new ReplicaSet shall have now (D-51, D-52): a rolling update fills up what
// the surge leaves room for, Recreate takes all at once.
func newRSNewReplicas(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (int32, *sim.Explain) {
	desired, size := *d.Spec.Replicas, *newRS.Spec.Replicas
	if d.Spec.Strategy.Type == api.Recreate {
		return desired, why.Sum("D-58", deploymentUtil+"NewRSNewReplicas", "replicas", desired, desired)
	}
	total, limit := specReplicas(allRSs), desired+surge(d)
	to := size
	if total < limit {
		to += min(limit-total, desired-size)
	}
	return to, why.Sum("D-52", deploymentUtil+"NewRSNewReplicas",
		"newRS + max(0, min(replicas + maxSurge - total, replicas - newRS))", to, size, desired, limit-desired, total)
}

// specReplicas is the sum of spec.replicas; nil entries count nothing.
func specReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += *rs.Spec.Replicas
		}
	}
	return sum
}

// statusReplicas is the sum of status.replicas.
func statusReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += rs.Status.Replicas
		}
	}
	return sum
}

// availableReplicas is the sum of status.availableReplicas.
func availableReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += rs.Status.AvailableReplicas
		}
	}
	return sum
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

// withNew returns the old ReplicaSets and the new one, if there is one.
func withNew(oldRSs []*api.ReplicaSet, newRS *api.ReplicaSet) []*api.ReplicaSet {
	all := append(make([]*api.ReplicaSet, 0, len(oldRSs)+1), oldRSs...)
	if newRS != nil {
		all = append(all, newRS)
	}
	return all
}

// setReplicasAnnotations notes for which size the ReplicaSet was last scaled (D-30, D-31) and says whether that is new.
func setReplicasAnnotations(rs *api.ReplicaSet, d *api.Deployment) bool {
	desired := strconv.Itoa(int(*d.Spec.Replicas))
	most := strconv.Itoa(int(*d.Spec.Replicas + surge(d)))
	if rs.Annotations[api.DesiredReplicasAnnotation] == desired && rs.Annotations[api.MaxReplicasAnnotation] == most {
		return false
	}
	rs.SetAnnotation(api.DesiredReplicasAnnotation, desired)
	rs.SetAnnotation(api.MaxReplicasAnnotation, most)
	return true
}

// intAnnotation reads a number from an annotation; ok is false if it is missing, no number, or negative (D-30, D-31).
func intAnnotation(rs *api.ReplicaSet, name string) (n int32, ok bool) {
	v, err := strconv.ParseUint(rs.Annotations[name], 10, 31)
	return int32(v), err == nil
}
