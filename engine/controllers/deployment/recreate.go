package deployment

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const recreateGo = "pkg/controller/deployment/recreate.go:"

// rolloutRecreate scales all old ReplicaSets to 0, waits until their last pod is gone, and only then creates the new
// ReplicaSet at its full size (D-58).
func (c *Controller) rolloutRecreate(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, false)
	if err != nil {
		return err
	}
	allRSs := withNew(oldRSs, newRS)
	scaledDown, err := c.scaleDownOldReplicaSetsForRecreate(d, active(oldRSs))
	if err != nil {
		return err
	}
	if scaledDown || c.oldPodsRunning(d, newRS, oldRSs, rsList) {
		return c.syncRolloutStatus(d, allRSs, newRS)
	}
	if newRS == nil {
		if newRS, oldRSs, err = c.getAllReplicaSetsAndSyncRevision(d, rsList, true); err != nil {
			return err
		}
		allRSs = withNew(oldRSs, newRS)
	}
	_, why := newRSNewReplicas(d, allRSs, newRS)
	if _, _, err := c.scaleReplicaSet(newRS, *d.Spec.Replicas, d, false, why); err != nil {
		return err
	}
	if complete(d, &d.Status) {
		if err := c.cleanupDeployment(d, oldRSs); err != nil {
			return err
		}
	}
	return c.syncRolloutStatus(d, allRSs, newRS)
}

// scaleDownOldReplicaSetsForRecreate scales old ReplicaSets to 0 and reports whether any had another size.
func (c *Controller) scaleDownOldReplicaSetsForRecreate(d *api.Deployment, oldRSs []*api.ReplicaSet) (scaled bool, err error) {
	for _, rs := range oldRSs {
		did, _, err := c.scaleReplicaSet(rs, 0, d, false, why.Note("D-58", recreateGo+"scaleDownOldReplicaSetsForRecreate",
			"Recreate removes every old pod before it creates a new one"))
		if err != nil {
			return false, err
		}
		scaled = scaled || did
	}
	return scaled, nil
}

// oldPodsRunning reports whether pods of an old template still exist. Terminating pods count, finished pods do not
// (D-59).
func (c *Controller) oldPodsRunning(d *api.Deployment, newRS *api.ReplicaSet, oldRSs, rsList []*api.ReplicaSet) bool {
	counted := statusReplicas(oldRSs)
	var running int32
	for _, rs := range rsList {
		if newRS != nil && newRS.UID == rs.UID {
			continue
		}
		for o := range c.pods.Cache.OwnedBy(rs.UID) {
			if !o.(*api.Pod).Finished() {
				running++
			}
		}
	}
	if counted == 0 && running == 0 {
		return false
	}
	c.loop.Decide(d.Key(), "waits until the last old pod is gone", why.Sum("D-59", recreateGo+"oldPodsRunning",
		"max(statusReplicas, oldPods)", max(counted, running), counted, running).
		Noting("terminating pods count: their objects must be gone"))
	return true
}
