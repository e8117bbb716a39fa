package deployment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const progressGo = "pkg/controller/deployment/progress.go:"

// finishRollout ends the sync of a rollout: it cleans up after a complete one, and writes the status.
func (c *Controller) finishRollout(d *api.Deployment, allRSs, oldRSs []*api.ReplicaSet, newRS *api.ReplicaSet) error {
	if complete(d, &d.Status) {
		if err := c.cleanupDeployment(d, oldRSs); err != nil {
			return err
		}
	}
	return c.syncRolloutStatus(d, allRSs, newRS)
}

// syncRolloutStatus writes the status of a rollout, including whether it makes progress (D-61).
func (c *Controller) syncRolloutStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) error {
	status := c.calculateStatus(d, allRSs, newRS)
	note, rule := "", "D-60"
	if !hasProgressDeadline(d) {
		removeCondition(&status, progressing)
	} else if !wasComplete(d, &status) {
		note, rule = c.estimateProgress(d, &status, newRS)
	}
	c.copyReplicaFailure(&status, allRSs, newRS)
	if api.Equal(&d.Status, &status) {
		c.idle(d, &status)
		c.requeueStuckDeployment(d, &status)
		return nil
	}
	d.Status = status
	return c.loop.Await(func() error {
		return c.updateStatus(d, statusText(&d.Status)+note, statusExplain(rule, progressGo+"syncRolloutStatus", &d.Status))
	})
}

// idle notes why a sync changes nothing, unless a decision has noted it already: the rollout is complete, or it waits for
// pods (D-60, D-62).
func (c *Controller) idle(d *api.Deployment, status *api.DeploymentStatus) {
	desired, updated, available := *d.Spec.Replicas, status.UpdatedReplicas, status.AvailableReplicas
	sum := why.Sum("D-62", deploymentUtil+"DeploymentComplete",
		"replicas - min(updated, available)", desired-min(updated, available), desired, updated, available)
	if complete(d, status) {
		c.loop.OrIdle("the rollout is complete", sum.Noting("every pod is updated and available, and no old pod is left"))
		return
	}
	c.loop.OrIdle("the sizes are right; the pods are not available yet",
		sum.Noting("the ReplicaSets have the sizes that the strategy allows now; the rollout waits for their pods"))
}

// wasComplete reports whether the rollout has been reported complete and no old pod exists: then progress is not judged.
func wasComplete(d *api.Deployment, status *api.DeploymentStatus) bool {
	c := api.FindCondition(d.Status.Conditions, progressing)
	return status.Replicas == status.UpdatedReplicas && c != nil && c.Reason == reasonNewReplicaSetAvailable
}

// estimateProgress sets the Progressing condition to the first that holds: complete, progressing or timed out (D-61).
func (c *Controller) estimateProgress(d *api.Deployment, status *api.DeploymentStatus, newRS *api.ReplicaSet) (note, rule string) {
	condition := func(holds, reason, said string) api.Condition {
		kind, name := "Deployment ", d.Name
		if newRS != nil {
			kind, name = "ReplicaSet ", newRS.Name
		}
		return newCondition(c.client.Timestamp(), progressing, holds, reason, kind+strconv.Quote(name)+said)
	}
	switch {
	case complete(d, status):
		setCondition(status, condition("True", reasonNewReplicaSetAvailable, " has successfully progressed."))
		return "; the rollout is complete", "D-62"
	case progressed(&d.Status, status):
		// The condition is always replaced, because the deadline counts from its lastUpdateTime.
		cond := condition("True", reasonReplicaSetUpdated, " is progressing.")
		if was := api.FindCondition(d.Status.Conditions, progressing); was != nil && was.Status == "True" {
			cond.LastTransitionTime = was.LastTransitionTime
		}
		status.Conditions = append(otherConditions(status.Conditions, progressing), cond)
		return "; that is progress", "D-63"
	case timedOut(d, status, c.client.Now()):
		setCondition(status, condition("False", reasonProgressDeadlineExceeded, " has timed out progressing."))
		return "; no progress within the deadline", "D-64"
	}
	return "", "D-61"
}

// copyReplicaFailure copies the ReplicaFailure condition of the new ReplicaSet, or else of the first other ReplicaSet
// that has one. If none has one, the Deployment loses its own (D-65, getReplicaFailures).
func (c *Controller) copyReplicaFailure(status *api.DeploymentStatus, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) {
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

// requeueStuckDeployment queues a rollout that does not move for the time when its deadline has passed (D-66).
//
// With a deadline of 600 s, last progress at 10 s and now 25 s, 10 + 600 - 25 = 585 s are left, and the key is queued 586 s
// later: the extra second makes sure that the deadline has passed. With less than a second left the key is queued with the
// back-off of a failure.
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
	c.loop.Decide(d.Key(), fmt.Sprintf("looks again in %d s whether the deadline has passed", (after+1000)/1000),
		why.Sum("D-66", progressGo+"requeueStuckDeployment",
			"lastUpdate + deadline - now + second", after+1000, lastUpdate, allowed, c.client.Now(), 1000))
}

// lastUpdate returns the virtual ms of a condition's last update. A condition that this sync has set keeps its
// milliseconds, because only the API server cuts times to seconds.
func (c *Controller) lastUpdate(d *api.Deployment, cond *api.Condition) int64 {
	if cached, _ := c.deployments.Cache.Get(d.Key()).(*api.Deployment); cached != nil && slices.Contains(cached.Status.Conditions, *cond) {
		return cond.LastUpdateTime.Milli()
	}
	return c.client.Now()
}
