package deployment

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// syncDeploymentStatus writes the status without an estimate of progress, if it changed.
func (c *Controller) syncDeploymentStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) error {
	status := c.calculateStatus(d, allRSs, newRS)
	if d.Status.Equal(&status) {
		if !c.loop.HasIdle() {
			c.loop.Idle("the status is up to date", nil)
		}
		return nil
	}
	d.Status = status
	return c.updateStatus(d, statusText(&status), statusExplain("D-60", syncGo+"syncDeploymentStatus", &status))
}

// calculateStatus adds up the ReplicaSets' statuses, as they were when the sync began (D-60).
func (c *Controller) calculateStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) api.DeploymentStatus {
	have := availableReplicas(allRSs)
	status := api.DeploymentStatus{
		ObservedGeneration:  d.Generation,
		Replicas:            statusReplicas(allRSs),
		ReadyReplicas:       readyReplicas(allRSs),
		AvailableReplicas:   have,
		UnavailableReplicas: max(0, specReplicas(allRSs)-have),
		TerminatingReplicas: terminatingReplicas(allRSs),
		CollisionCount:      d.Status.CollisionCount,
		Conditions:          d.Status.Conditions,
	}
	if newRS != nil {
		status.UpdatedReplicas = newRS.Status.Replicas
	}
	now := c.client.Timestamp()
	if have >= *d.Spec.Replicas-unavailable(d) {
		setCondition(&status, newCondition(now, available, "True", "MinimumReplicasAvailable", "Deployment has minimum availability."))
	} else {
		setCondition(&status, newCondition(now, available, "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."))
	}
	return status
}

func readyReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		sum += rs.Status.ReadyReplicas
	}
	return sum
}

// terminatingReplicas adds up the terminating pods. A ReplicaSet that was never synced counts none; if one was synced
// by a controller that did not count them, the sum is unknown (D-60).
func terminatingReplicas(rsList []*api.ReplicaSet) *int32 {
	var sum int32
	for _, rs := range rsList {
		switch {
		case rs.Status.TerminatingReplicas != nil:
			sum += *rs.Status.TerminatingReplicas
		case rs.Status.ObservedGeneration > 0:
			return nil
		}
	}
	return &sum
}

// updateStatus writes the Deployment's status, and its annotations with it. The sync goes on with the version that
// it has read: a second write in the same sync meets a conflict, as upstream (H-10).
func (c *Controller) updateStatus(d *api.Deployment, what string, why *sim.Explain) error {
	_, err := c.client.UpdateStatus(d.Shallow(), what, why)
	return err
}

// statusText says the numbers of a status.
func statusText(s *api.DeploymentStatus) string {
	return fmt.Sprintf("status: replicas %d, updated %d, ready %d, available %d", s.Replicas, s.UpdatedReplicas, s.ReadyReplicas, s.AvailableReplicas)
}

// statusExplain gives the sum that a status is most often looked at for: how many pods are missing.
func statusExplain(rule, upstream string, s *api.DeploymentStatus) *sim.Explain {
	return why.Sum(rule, upstream,
		"max(0, specReplicas - available)", s.UnavailableReplicas, s.UnavailableReplicas+s.AvailableReplicas, s.AvailableReplicas)
}
