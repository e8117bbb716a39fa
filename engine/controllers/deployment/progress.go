package deployment

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const progressGo = "pkg/controller/deployment/progress.go:"

// syncRolloutStatus writes the status of a rollout, with an estimate of its progress (D-61).
func (c *Controller) syncRolloutStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) error {
	status := c.calculateStatus(d, allRSs, newRS)
	note, rule := "", "D-60"
	if !hasProgressDeadline(d) {
		removeCondition(&status, progressing)
	} else if !wasComplete(d, &status) {
		note, rule = c.estimateProgress(d, &status, newRS)
	}
	c.takeReplicaFailure(&status, allRSs, newRS)
	if d.Status.Equal(&status) {
		c.idle(d, &status)
		c.requeueStuckDeployment(d, &status)
		return nil
	}
	d.Status = status
	return c.updateStatus(d, statusText(&status)+note, statusExplain(rule, progressGo+"syncRolloutStatus", &status))
}

// idle says why a sync changes nothing, unless a decision has said so: there is nothing left to do, or it is for others
// to move (D-60, D-62).
func (c *Controller) idle(d *api.Deployment, status *api.DeploymentStatus) {
	if c.loop.HasIdle() {
		return
	}
	desired, updated, available := *d.Spec.Replicas, status.UpdatedReplicas, status.AvailableReplicas
	sum := why.Sum("D-62", deploymentUtil+"DeploymentComplete",
		"replicas - min(updated, available)", desired-min(updated, available), desired, updated, available)
	if complete(d, status) {
		c.loop.Idle("the rollout is complete", sum.Noting("every pod asked for is updated and available, and no old one is left"))
		return
	}
	c.loop.Idle("the sizes are right, the pods are not there yet",
		sum.Noting("the ReplicaSets have the sizes that they may have; the next move is their pods'"))
}

// wasComplete says whether the rollout was reported complete and nothing old is there: then progress is not judged.
func wasComplete(d *api.Deployment, status *api.DeploymentStatus) bool {
	c := api.FindCondition(d.Status.Conditions, progressing)
	return status.Replicas == status.UpdatedReplicas && c != nil && c.Reason == reasonNewReplicaSetAvailable
}

// estimateProgress sets the Progressing condition: complete, progressing or timed out, whichever holds first (D-61).
func (c *Controller) estimateProgress(d *api.Deployment, status *api.DeploymentStatus, newRS *api.ReplicaSet) (note, rule string) {
	subject := fmt.Sprintf("Deployment %q", d.Name)
	if newRS != nil {
		subject = fmt.Sprintf("ReplicaSet %q", newRS.Name)
	}
	now := c.client.Timestamp()
	switch {
	case complete(d, status):
		setCondition(status, newCondition(now, progressing, "True", reasonNewReplicaSetAvailable, subject+" has successfully progressed."))
		return "; the rollout is complete", "D-62"
	case progressed(&d.Status, status):
		// The condition is always replaced, so that lastUpdateTime, from which the deadline counts, moves.
		cond := newCondition(now, progressing, "True", reasonReplicaSetUpdated, subject+" is progressing.")
		if was := api.FindCondition(d.Status.Conditions, progressing); was != nil {
			if was.Status == "True" {
				cond.LastTransitionTime = was.LastTransitionTime
			}
			removeCondition(status, progressing)
		}
		setCondition(status, cond)
		return "; that is progress", "D-63"
	case timedOut(d, status, c.client.Now()):
		setCondition(status, newCondition(now, progressing, "False", reasonProgressDeadlineExceeded, subject+" has timed out progressing."))
		return "; no progress within the deadline", "D-64"
	}
	return "", "D-61"
}

// takeReplicaFailure copies the ReplicaFailure condition of the new ReplicaSet, or else of the first other one that
// has it; without any it goes away (D-65).
func (c *Controller) takeReplicaFailure(status *api.DeploymentStatus, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) {
	var found *api.Condition
	if newRS != nil {
		found = api.FindCondition(newRS.Status.Conditions, replicaFailure)
	}
	for i := 0; found == nil && i < len(allRSs); i++ {
		found = api.FindCondition(allRSs[i].Status.Conditions, replicaFailure)
	}
	if found == nil {
		removeCondition(status, replicaFailure)
		return
	}
	cond := *found
	cond.LastUpdateTime = found.LastTransitionTime
	setCondition(status, cond)
}

// requeueStuckDeployment makes sure that a rollout which does not move is looked at when its deadline has passed (D-66).
func (c *Controller) requeueStuckDeployment(d *api.Deployment, status *api.DeploymentStatus) {
	cond := api.FindCondition(d.Status.Conditions, progressing)
	if !hasProgressDeadline(d) || cond == nil || complete(d, status) || cond.Reason == reasonProgressDeadlineExceeded {
		return
	}
	lastUpdate, allowed := c.lastUpdate(d, cond), int64(*d.Spec.ProgressDeadlineSeconds)*1000
	after := lastUpdate + allowed - c.client.Now()
	if after < 1000 {
		c.loop.AddRateLimited(d.Key())
		return
	}
	if !c.loop.AddAfter(d.Key(), after+1000) {
		return
	}
	c.loop.Decide(d.Key(), fmt.Sprintf("looks again in %d s whether the deadline has passed", (after+1000)/1000), why.Sum("D-66", progressGo+"requeueStuckDeployment",
		"lastUpdate + deadline - now + second", after+1000, lastUpdate, allowed, c.client.Now(), 1000))
}

// lastUpdate returns the virtual ms of a condition's last update: whole seconds, unless this very sync has set it. Then it
// has not been through the API server yet, which cuts times to seconds.
func (c *Controller) lastUpdate(d *api.Deployment, cond *api.Condition) int64 {
	cached, _ := c.deployments.Cache.Get(d.Key()).(*api.Deployment)
	if cached != nil {
		if have := api.FindCondition(cached.Status.Conditions, cond.Type); have != nil && *have == *cond {
			return cond.LastUpdateTime.Milli()
		}
	}
	return c.client.Now()
}
