package deployment

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const rollingGo = "pkg/controller/deployment/rolling.go:"

// Why a rolling update takes a branch.
var (
	whyUp = why.Note("D-51", rollingGo+"rolloutRolling",
		"a sync that scales the new ReplicaSet up leaves the old ones for the next sync")
	whyDown   = why.Rule("D-53", rollingGo+"rolloutRolling")
	whyStatus = why.Rule("D-60", rollingGo+"rolloutRolling")
)

// rolloutRolling moves a rolling update one step: up if the surge leaves room, else down if enough pods are available,
// then the status (D-50). Creating the new ReplicaSet is no step: the same sync may go on to scale the old ones down.
func (c *Controller) rolloutRolling(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, true)
	if err != nil {
		return err
	}
	allRSs := withNew(oldRSs, newRS)

	scaledUp, err := c.reconcileNewReplicaSet(d, allRSs, newRS)
	if err != nil {
		return err
	}
	if scaledUp {
		c.loop.Took("rolling update, scale up", whyUp)
		return c.syncRolloutStatus(d, allRSs, newRS)
	}

	if c.reconcileOldReplicaSets(d, allRSs, active(oldRSs), newRS) {
		c.loop.Took("rolling update, scale down", whyDown)
		return c.syncRolloutStatus(d, allRSs, newRS)
	}

	if slices.Contains(rsList, newRS) {
		c.loop.Took("rolling update, nothing to scale", whyStatus)
	} else {
		c.loop.Took("rolling update, create the new ReplicaSet", whyNewReplicaSet)
	}
	if complete(d, &d.Status) {
		if err := c.cleanupDeployment(d, oldRSs); err != nil {
			return err
		}
	}
	return c.syncRolloutStatus(d, allRSs, newRS)
}

// reconcileNewReplicaSet scales the new ReplicaSet to what it may have now (D-51).
func (c *Controller) reconcileNewReplicaSet(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (scaled bool, err error) {
	size, desired := *newRS.Spec.Replicas, *d.Spec.Replicas
	if size == desired {
		return false, nil
	}
	if size > desired {
		scaled, _, err = c.scaleReplicaSet(newRS, desired, d, false, why.Sum("D-51", rollingGo+"reconcileNewReplicaSet",
			"min(newRS, replicas)", desired, size, desired).Noting("the new ReplicaSet is larger than the Deployment asks for"))
		return scaled, err
	}
	to, sum := newRSNewReplicas(d, allRSs, newRS)
	if to == size {
		sum.Note = "the surge leaves no room for another pod of the new ReplicaSet"
		c.loop.Decide(d.Key(), fmt.Sprintf("new %s stays at %d", newRS.Name, size), sum)
		return false, nil
	}
	scaled, _, err = c.scaleReplicaSet(newRS, to, d, false, sum)
	return scaled, err
}

// reconcileOldReplicaSets scales old ReplicaSets down as far as availability allows, the unhealthy pods first (D-53).
// Errors are swallowed, as upstream does: the sync goes on as if nothing had been scaled.
//
// Two examples with ten replicas, at most 13 pods and at least 8 available. Old 8 (8 available), new 5 (none): 13 - 8 - 5
// is nothing to remove. When one of the new pods is available, 13 - 8 - 4 = 1 old pod may go.
func (c *Controller) reconcileOldReplicaSets(d *api.Deployment, allRSs, oldRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (scaled bool) {
	if specReplicas(oldRSs) == 0 {
		return false
	}
	allPods, minAvailable := specReplicas(allRSs), *d.Spec.Replicas-unavailable(d)
	newRSUnavailable := *newRS.Spec.Replicas - newRS.Status.AvailableReplicas
	maxScaledDown := allPods - minAvailable - newRSUnavailable
	if maxScaledDown <= 0 {
		c.loop.Decide(d.Key(), "no old pod may go yet", why.Sum("D-53", rollingGo+"reconcileOldReplicaSets",
			"allPods - minAvailable - newRSUnavailable", maxScaledDown, allPods, minAvailable, newRSUnavailable).
			Noting("pods of the new ReplicaSet that are not available yet are counted as if they were missing"))
		return false
	}
	oldRSs, cleaned, err := c.cleanupUnhealthyReplicas(d, oldRSs, maxScaledDown)
	if err != nil {
		c.loop.Decide(d.Key(), "no old pod goes in this sync: "+err.Error(), swallowed)
		return false
	}
	scaledDown, err := c.scaleDownOldReplicaSetsForRollingUpdate(d, withNew(oldRSs, newRS), oldRSs)
	if err != nil {
		c.loop.Decide(d.Key(), "no more old pods go in this sync: "+err.Error(), swallowed)
		return false
	}
	return cleaned+scaledDown > 0
}

var swallowed = why.Note("D-53", rollingGo+"reconcileOldReplicaSets",
	"the error is swallowed; the next change of a ReplicaSet's status brings another sync")

// cleanupUnhealthyReplicas removes old pods that are not available, oldest ReplicaSet first, at most maxCleanup of them:
// they cost no availability (D-54). A ReplicaSet whose status still counts more available pods than it shall have is an
// error; it ends the scaling of old ReplicaSets until that status has caught up.
func (c *Controller) cleanupUnhealthyReplicas(d *api.Deployment, oldRSs []*api.ReplicaSet, maxCleanup int32) ([]*api.ReplicaSet, int32, error) {
	var removed int32
	for i, rs := range oldRSs {
		if removed >= maxCleanup {
			break
		}
		size, healthy := *rs.Spec.Replicas, rs.Status.AvailableReplicas
		if size == 0 || size == healthy {
			continue
		}
		remove := min(maxCleanup-removed, size-healthy)
		to := size - remove
		if to > size {
			return nil, 0, fmt.Errorf("when cleaning up unhealthy replicas, got invalid request to scale down %s/%s %d -> %d",
				rs.Namespace, rs.Name, size, to)
		}
		_, updated, err := c.scaleReplicaSet(rs, to, d, false, why.Sum("D-54", rollingGo+"cleanupUnhealthyReplicas",
			"oldRS - min(maxCleanup - removed, oldRS - availableOfOldRS)", to, size, maxCleanup, removed, healthy).
			Noting("old pods that are not available go first: that costs no availability"))
		if err != nil {
			return nil, removed, err
		}
		removed += remove
		oldRSs[i] = updated
	}
	return oldRSs, removed, nil
}

// scaleDownOldReplicaSetsForRollingUpdate removes old pods, oldest ReplicaSet first, as long as enough pods stay
// available (D-55). It looks at the sizes after the clean-up, but at the statuses from before.
func (c *Controller) scaleDownOldReplicaSetsForRollingUpdate(d *api.Deployment, allRSs, oldRSs []*api.ReplicaSet) (int32, error) {
	minAvailable, have := *d.Spec.Replicas-unavailable(d), availableReplicas(allRSs)
	if have <= minAvailable {
		c.loop.Decide(d.Key(), "no available old pod may go yet", why.Sum("D-55", rollingGo+"scaleDownOldReplicaSetsForRollingUpdate",
			"available - minAvailable", have-minAvailable, have, minAvailable).Noting("every available pod is needed"))
		return 0, nil
	}
	var removed int32
	budget := have - minAvailable
	for _, rs := range oldRSs {
		if removed >= budget {
			break
		}
		size := *rs.Spec.Replicas
		if size == 0 {
			continue
		}
		remove := min(size, budget-removed)
		_, _, err := c.scaleReplicaSet(rs, size-remove, d, false, why.Sum("D-55", rollingGo+"scaleDownOldReplicaSetsForRollingUpdate",
			"oldRS - min(oldRS, available - minAvailable - removed)", size-remove, size, have, minAvailable, removed).
			Noting("more pods are available than must be"))
		if err != nil {
			return removed, err
		}
		removed += remove
	}
	return removed, nil
}
