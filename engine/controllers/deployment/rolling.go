package deployment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const rollingGo = "pkg/controller/deployment/rolling.go:"

// The reasons for the branches of a rolling update.
var (
	whyUp = why.Note("D-51", rollingGo+"rolloutRolling",
		"a sync that scales the new ReplicaSet up leaves the old ones for the next sync")
	whyDown   = why.Rule("D-53", rollingGo+"rolloutRolling")
	whyStatus = why.Rule("D-60", rollingGo+"rolloutRolling")
)

// rolloutRolling does one step of a rolling update: it scales up if the surge leaves room, or else down if enough pods are
// available, and writes the status (D-50). Creating the new ReplicaSet is not a step: the same sync can also scale the old
// ReplicaSets down.
func (c *Controller) rolloutRolling(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, true)
	if err != nil {
		return err
	}
	allRSs := withNew(oldRSs, newRS)

	if size, sum := c.reconcileNewReplicaSet(d, allRSs, newRS); size != *newRS.Spec.Replicas {
		c.loop.Branch("rolling update, scale up", whyUp)
		return c.scaleEach(d, []scaling{{newRS, size, sum}}, func(err error) error {
			if err != nil {
				return err
			}
			return c.syncRolloutStatus(d, allRSs, newRS)
		})
	}

	return c.reconcileOldReplicaSets(d, allRSs, oldRSs, newRS, func(scaled bool) error {
		switch {
		case scaled:
			return c.syncRolloutStatus(d, allRSs, newRS)
		case slices.Contains(rsList, newRS):
			c.loop.Branch("rolling update, nothing to scale", whyStatus)
		default:
			c.loop.Branch("rolling update, create the new ReplicaSet", whyNewReplicaSet)
		}
		return c.finishRollout(d, allRSs, oldRSs, newRS)
	})
}

// scaling is a ReplicaSet that gets a size.
type scaling struct {
	rs   *api.ReplicaSet
	size int32
	why  *sim.Explain
}

// scaleEach scales ReplicaSets one after the other, each when the client has a token for it, and ends with the first error.
func (c *Controller) scaleEach(d *api.Deployment, list []scaling, then func(error) error) error {
	one := func(i int) (err error) {
		list[i].rs, err = c.scaleReplicaSet(list[i].rs, list[i].size, d, list[i].why)
		return err
	}
	return c.loop.SlowStart(len(list), 1, sim.Always, one, func(_ int, errs []error) error { return then(cmp.Or(errs...)) })
}

// reconcileNewReplicaSet returns the size of the new ReplicaSet that the surge allows now (D-51).
//
// Ten replicas with maxSurge 3 allow 13 pods. Next to ten old pods the new ReplicaSet starts at 13 - 10 = 3. When two old
// pods are gone (8 old, 3 new) it grows by 13 - 11 = 2 to 5. With 1 old and 9 new pods there is room for 13 - 10 = 3, but
// only 10 - 9 = 1 pod is missing.
func (c *Controller) reconcileNewReplicaSet(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (int32, *sim.Explain) {
	size, desired := *newRS.Spec.Replicas, *d.Spec.Replicas
	if size == desired {
		return size, nil
	}
	if size > desired {
		return desired, why.Sum("D-51", rollingGo+"reconcileNewReplicaSet",
			"min(newRS, replicas)", desired, size, desired).Noting("the new ReplicaSet is larger than spec.replicas")
	}
	to, sum := newRSNewReplicas(d, allRSs, newRS)
	if to == size {
		c.loop.Decide(d.Key(), fmt.Sprintf("new %s stays at %d", newRS.Name, size),
			sum.Noting("the surge leaves no room for another pod of the new ReplicaSet"))
	}
	return to, sum
}

// reconcileOldReplicaSets scales old ReplicaSets down as far as availability allows, unavailable pods first (D-53). Like
// upstream it ignores errors: the sync continues as if nothing had been scaled.
//
// At most allPods - minAvailable - newRSUnavailable old pods are removed: a new pod that is not available yet may never
// become so, so it counts as missing. Ten replicas with maxSurge 3 and maxUnavailable 2 mean at most 13 pods and at least 8
// available. Two cases:
//
//   - The rollout waits for its new pods. Old 8 (all available), new 5 (none available): 13 - 8 - 5 = 0, nothing is
//     removed. Once one new pod is available, 13 - 8 - 4 = 1 old pod is removed, and the new ReplicaSet grows to 6.
//   - The old pods are broken. Old 10 (4 available), new 3 (none available): 13 - 8 - 3 = 2. cleanupUnhealthyReplicas removes
//     2 of the 6 broken pods, which leaves 8 old (4 available): those 2 cost no availability, and the new ReplicaSet can grow
//     to 13 - 8 = 5. scaleDownOldReplicaSetsForRollingUpdate removes nothing, because 4 available pods are below 8.
func (c *Controller) reconcileOldReplicaSets(d *api.Deployment, allRSs, allOldRSs []*api.ReplicaSet, newRS *api.ReplicaSet, then func(scaled bool) error) error {
	if specReplicas(allOldRSs) == 0 {
		return then(false)
	}
	allPods, minAvailable := specReplicas(allRSs), *d.Spec.Replicas-unavailable(d)
	newRSUnavailable := *newRS.Spec.Replicas - newRS.Status.AvailableReplicas
	maxScaledDown := allPods - minAvailable - newRSUnavailable
	if maxScaledDown <= 0 {
		c.loop.Decide(d.Key(), "no old pod may be deleted yet", why.Sum("D-53", rollingGo+"reconcileOldReplicaSets",
			"allPods - minAvailable - newRSUnavailable", maxScaledDown, allPods, minAvailable, newRSUnavailable).
			Noting("pods of the new ReplicaSet that are not available yet are counted as if they were missing"))
		return then(false)
	}
	stop := func(what string, err error) error {
		c.loop.Decide(d.Key(), what+" in this sync: "+err.Error(), whyIgnored)
		return then(false)
	}
	oldRSs := active(allOldRSs)
	cleaned, wrong := cleanupUnhealthyReplicas(oldRSs, maxScaledDown)
	return c.scaleDown(d, cleaned, func(err error) error {
		if err = cmp.Or(err, wrong); err != nil {
			return stop("no old pod is deleted", err)
		}
		for _, s := range cleaned {
			breath.Often()
			oldRSs[slices.IndexFunc(oldRSs, func(rs *api.ReplicaSet) bool { return rs.UID == s.rs.UID })] = s.rs
		}
		down := c.scaleDownOldReplicaSetsForRollingUpdate(d, withNew(oldRSs, newRS), oldRSs)
		return c.scaleDown(d, down, func(err error) error {
			if err != nil {
				return stop("no more old pods are deleted", err)
			}
			return then(len(cleaned)+len(down) > 0)
		})
	})
}

// scaleDown is scaleEach of old ReplicaSets.
func (c *Controller) scaleDown(d *api.Deployment, list []scaling, then func(error) error) error {
	if len(list) > 0 {
		c.loop.Branch("rolling update, scale down", whyDown)
	}
	return c.scaleEach(d, list, then)
}

var whyIgnored = why.Note("D-53", rollingGo+"reconcileOldReplicaSets",
	"the error is ignored; the next change of a ReplicaSet's status causes another sync")

// cleanupUnhealthyReplicas removes at most maxCleanup old pods that are not available, from the oldest ReplicaSet first:
// that costs no availability (D-54). A ReplicaSet whose status still counts more available pods than its spec wants is an
// error, which ends the scaling of old ReplicaSets until the status has caught up.
//
// With maxCleanup 5, an old ReplicaSet of 4 (1 available) shrinks by min(5, 4 - 1) = 3 to 1, and the next one, of 6 (2
// available), by min(5 - 3, 6 - 2) = 2 to 4.
func cleanupUnhealthyReplicas(oldRSs []*api.ReplicaSet, maxCleanup int32) (list []scaling, err error) {
	var removed int32
	for _, rs := range oldRSs {
		breath.Often()
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
			return list, fmt.Errorf("when cleaning up unhealthy replicas, got invalid request to scale down %s/%s %d -> %d",
				rs.Namespace, rs.Name, size, to)
		}
		list = append(list, scaling{rs, to, why.Sum("D-54", rollingGo+"cleanupUnhealthyReplicas",
			"oldRS - min(maxCleanup - removed, oldRS - availableOfOldRS)", to, size, maxCleanup, removed, healthy).
			Noting("old pods that are not available go first: that costs no availability")})
		removed += remove
	}
	return list, nil
}

// scaleDownOldReplicaSetsForRollingUpdate removes old pods, from the oldest ReplicaSet first, while enough pods stay
// available (D-55). It uses the sizes after the clean-up, but the statuses from before.
//
// With 11 available pods of which 8 must stay, 3 are removed: an old ReplicaSet of 2 shrinks to 0, and the next one, of 6,
// by min(6, 11 - 8 - 2) = 1 to 5.
func (c *Controller) scaleDownOldReplicaSetsForRollingUpdate(d *api.Deployment, allRSs, oldRSs []*api.ReplicaSet) (list []scaling) {
	minAvailable := *d.Spec.Replicas - unavailable(d)
	_, _, have := statusReplicas(allRSs)
	if have <= minAvailable {
		c.loop.Decide(d.Key(), "no available old pod may be deleted yet", why.Sum("D-55", rollingGo+"scaleDownOldReplicaSetsForRollingUpdate",
			"available - minAvailable", have-minAvailable, have, minAvailable).Noting("every available pod is needed"))
		return nil
	}
	var removed int32
	budget := have - minAvailable
	for _, rs := range oldRSs {
		breath.Often()
		if removed >= budget {
			break
		}
		size := *rs.Spec.Replicas
		if size == 0 {
			continue
		}
		remove := min(size, budget-removed)
		list = append(list, scaling{rs, size - remove, why.Sum("D-55", rollingGo+"scaleDownOldReplicaSetsForRollingUpdate",
			"oldRS - min(oldRS, available - minAvailable - removed)", size-remove, size, have, minAvailable, removed).
			Noting("more pods are available than required")})
		removed += remove
	}
	return list
}
