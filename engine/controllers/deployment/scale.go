package deployment

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// scale spreads a changed spec.replicas over the ReplicaSets (D-70): one active ReplicaSet takes it all; several share
// it in proportion to their sizes, so that a rollout that is under way keeps its risk.
func (c *Controller) scale(d *api.Deployment, newRS *api.ReplicaSet, oldRSs []*api.ReplicaSet) error {
	desired := *d.Spec.Replicas
	oldRSs = slices.Clone(oldRSs)
	slices.Reverse(oldRSs) // youngest first: upstream's FindActiveOrLatest sorts them so, and leaves them so (D-70)
	if only, ok := activeOrLatest(newRS, oldRSs); ok {
		if only == nil || *only.Spec.Replicas == desired {
			c.loop.Idle("the only ReplicaSet with pods has the size already", sizeIsRight)
			return nil
		}
		_, _, err := c.scaleReplicaSet(only, desired, d, false, why.Sum("D-70", syncGo+"scale", "replicas", desired, desired).
			Noting("the only active ReplicaSet takes the whole size"))
		return err
	}
	if isSaturated(d, newRS) {
		for _, old := range active(oldRSs) {
			if _, _, err := c.scaleReplicaSet(old, 0, d, false, why.Note("D-70", syncGo+"scale",
				"the new ReplicaSet has all its pods available, so the old ones are not needed")); err != nil {
				return err
			}
		}
		return nil
	}
	if d.Spec.Strategy.Type != api.RollingUpdate {
		return nil
	}
	return c.scaleProportionally(d, active(withNew(oldRSs, newRS)))
}

var sizeIsRight = why.Note("D-27", syncGo+"scale",
	"its annotation stays as it is, even if it names another size: then every sync takes this way, and a new template waits for ever")

// activeOrLatest returns the only active ReplicaSet, or, if none is active, the new one, or the youngest old one, or nil;
// ok is false if several are active (FindActiveOrLatest).
func activeOrLatest(newRS *api.ReplicaSet, oldRSs []*api.ReplicaSet) (only *api.ReplicaSet, ok bool) {
	all := active(withNew(oldRSs, newRS))
	switch {
	case len(all) == 1:
		return all[0], true
	case len(all) > 1:
		return nil, false
	case newRS != nil:
		return newRS, true
	case len(oldRSs) > 0:
		return slices.MaxFunc(oldRSs, ByCreation), true
	}
	return nil, true
}

// isSaturated says whether the new ReplicaSet has, and was scaled for, the whole size, and all of it is available.
func isSaturated(d *api.Deployment, newRS *api.ReplicaSet) bool {
	if newRS == nil {
		return false
	}
	desired, ok := intAnnotation(newRS, api.DesiredReplicasAnnotation)
	r := *d.Spec.Replicas
	return ok && *newRS.Spec.Replicas == r && desired == r && newRS.Status.AvailableReplicas == r
}

// scaleProportionally gives each active ReplicaSet its share of what is to be added or removed; what rounding leaves
// over goes to the first one (D-70 step 3).
func (c *Controller) scaleProportionally(d *api.Deployment, rsList []*api.ReplicaSet) error {
	var allowed int32
	if *d.Spec.Replicas > 0 {
		allowed = *d.Spec.Replicas + surge(d)
	}
	add := allowed - specReplicas(rsList)
	if add != 0 { // else only annotations change, the new ReplicaSet's last
		slices.SortStableFunc(rsList, bySizeFor(add))
	}
	shares, notes := make([]int32, len(rsList)), make([]string, len(rsList))
	var added int32
	for i, rs := range rsList {
		shares[i], notes[i] = proportion(d, rs, add, added)
		added += shares[i]
	}
	for i, rs := range rsList {
		size, leftover := *rs.Spec.Replicas, add-added
		to, sum := size+shares[i], why.Sum("D-71", deploymentUtil+"GetReplicaSetProportion",
			"size + share", size+shares[i], size, shares[i])
		if i == 0 && leftover != 0 {
			to = max(0, to+leftover)
			sum = why.Sum("D-71", sum.Upstream, "max(0, size + share + leftover)", to, size, shares[i], leftover)
		}
		if _, _, err := c.scaleReplicaSet(rs, to, d, true, sum.Noting(notes[i])); err != nil {
			return err
		}
	}
	return nil
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

// proportion returns what one ReplicaSet gains or loses, at most what is left to give (D-71), with a note of how that
// was worked out.
func proportion(d *api.Deployment, rs *api.ReplicaSet, add, added int32) (p int32, note string) {
	size, left := *rs.Spec.Replicas, add-added
	if size == 0 || left == 0 {
		return 0, ""
	}
	share, most := fraction(d, rs)
	p = min(share, left)
	if add < 0 {
		p = max(share, left)
	}
	return p, fmt.Sprintf("share = round(%d × %d / %d) − %d = %d, of %d left to give",
		size, *d.Spec.Replicas+surge(d), most, size, share, left)
}

// fraction returns what a ReplicaSet would gain or lose in exact proportion, rounded half away from zero, and the
// total for which it was last scaled (D-72).
func fraction(d *api.Deployment, rs *api.ReplicaSet) (share, most int32) {
	size := *rs.Spec.Replicas
	if *d.Spec.Replicas == 0 {
		return -size, size
	}
	most, ok := intAnnotation(rs, api.MaxReplicasAnnotation)
	if !ok || most == 0 {
		if most = d.Status.Replicas; most == 0 {
			return 0, 0
		}
	}
	return roundedQuotient(int64(size)*int64(*d.Spec.Replicas+surge(d)), int64(most)) - size, most
}

// roundedQuotient divides and rounds half away from zero. Both numbers are not negative.
func roundedQuotient(a, b int64) int32 { return int32((2*a + b) / (2 * b)) }
