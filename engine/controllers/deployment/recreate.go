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
	allRSs, scaleDown := withNew(oldRSs, newRS), active(oldRSs)
	if err := c.scaleDownOldReplicaSetsForRecreate(d, scaleDown); err != nil {
		return err
	}
	if len(scaleDown) > 0 || c.oldPodsRunning(d, newRS, oldRSs, rsList) {
		return c.syncRolloutStatus(d, allRSs, newRS)
	}
	if newRS == nil {
		if newRS, oldRSs, err = c.getAllReplicaSetsAndSyncRevision(d, rsList, true); err != nil {
			return err
		}
		allRSs = withNew(oldRSs, newRS)
	}
	if size, why := newRSNewReplicas(d, allRSs, newRS); size != *newRS.Spec.Replicas {
		if _, err := c.scaleReplicaSet(newRS, size, d, why); err != nil {
			return err
		}
	}
	return c.finishRollout(d, allRSs, oldRSs, newRS)
}

// scaleDownOldReplicaSetsForRecreate scales active old ReplicaSets to 0.
func (c *Controller) scaleDownOldReplicaSetsForRecreate(d *api.Deployment, oldRSs []*api.ReplicaSet) error {
	for _, rs := range oldRSs {
		if _, err := c.scaleReplicaSet(rs, 0, d, why.Note("D-58", recreateGo+"scaleDownOldReplicaSetsForRecreate",
			"Recreate removes every old pod before it creates a new one")); err != nil {
			return err
		}
	}
	return nil
}

// oldPodsRunning reports whether pods of an old template still exist. Terminating pods count, finished pods do not
// (D-59).
func (c *Controller) oldPodsRunning(d *api.Deployment, newRS *api.ReplicaSet, oldRSs, rsList []*api.ReplicaSet) bool {
	counted, _, _ := statusReplicas(oldRSs)
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
