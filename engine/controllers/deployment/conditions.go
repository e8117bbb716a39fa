package deployment

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Types of conditions.
const (
	available      = "Available"
	progressing    = "Progressing"
	replicaFailure = "ReplicaFailure"
)

// Reasons of the Progressing condition.
const (
	reasonNewReplicaSetCreated     = "NewReplicaSetCreated"
	reasonFoundNewReplicaSet       = "FoundNewReplicaSet"
	reasonReplicaSetUpdated        = "ReplicaSetUpdated"
	reasonNewReplicaSetAvailable   = "NewReplicaSetAvailable"
	reasonReplicaSetCreateError    = "ReplicaSetCreateError"
	reasonProgressDeadlineExceeded = "ProgressDeadlineExceeded"
	reasonDeploymentPaused         = "DeploymentPaused"
	reasonDeploymentResumed        = "DeploymentResumed"
)

// newCondition returns a condition that begins now.
func newCondition(now api.Time, conditionType, status, reason, message string) api.Condition {
	return api.Condition{Type: conditionType, Status: status, Reason: reason, Message: message,
		LastUpdateTime: now, LastTransitionTime: now}
}

// setCondition puts a condition at the end of the list in place of the one of its type. One with the same status and
// reason is left as it is, times and message included; with the same status the transition time stays (D-67).
func setCondition(s *api.DeploymentStatus, c api.Condition) {
	if have := api.FindCondition(s.Conditions, c.Type); have != nil {
		if have.Status == c.Status && have.Reason == c.Reason {
			return
		}
		if have.Status == c.Status {
			c.LastTransitionTime = have.LastTransitionTime
		}
	}
	removeCondition(s, c.Type)
	s.Conditions = append(slices.Clip(s.Conditions), c)
}

// removeCondition drops the condition of a type. The list is made anew, since statuses share theirs.
func removeCondition(s *api.DeploymentStatus, conditionType string) {
	if api.FindCondition(s.Conditions, conditionType) == nil {
		return
	}
	kept := make([]api.Condition, 0, len(s.Conditions))
	for _, c := range s.Conditions {
		if c.Type != conditionType {
			kept = append(kept, c)
		}
	}
	s.Conditions = kept
}

// hasProgressDeadline says whether progress is judged at all (D-5).
func hasProgressDeadline(d *api.Deployment) bool {
	return d.Spec.ProgressDeadlineSeconds != nil && *d.Spec.ProgressDeadlineSeconds != unlimited
}

// hasRevisionHistoryLimit says whether old ReplicaSets are ever removed (D-4).
func hasRevisionHistoryLimit(d *api.Deployment) bool {
	return d.Spec.RevisionHistoryLimit != nil && *d.Spec.RevisionHistoryLimit != unlimited
}

// unlimited is the value that switches a deadline or a limit off.
const unlimited = 1<<31 - 1

// complete says whether a status is that of a finished rollout (D-62).
func complete(d *api.Deployment, s *api.DeploymentStatus) bool {
	r := *d.Spec.Replicas
	return s.UpdatedReplicas == r && s.Replicas == r && s.AvailableReplicas == r && s.ObservedGeneration >= d.Generation
}

// progressed says whether a new status is better than the stored one (D-63).
func progressed(was, is *api.DeploymentStatus) bool {
	return is.UpdatedReplicas > was.UpdatedReplicas ||
		is.Replicas-is.UpdatedReplicas < was.Replicas-was.UpdatedReplicas ||
		is.ReadyReplicas > was.ReadyReplicas ||
		is.AvailableReplicas > was.AvailableReplicas
}

// timedOut says whether the deadline has passed since the last progress, at a virtual ms (D-64).
func timedOut(d *api.Deployment, s *api.DeploymentStatus, now int64) bool {
	c := api.FindCondition(s.Conditions, progressing)
	if c == nil || c.Reason == reasonNewReplicaSetAvailable {
		return false
	}
	return c.Reason == reasonProgressDeadlineExceeded || deadline(d, c) < now
}

// deadline returns the virtual ms at which a Progressing condition runs out.
func deadline(d *api.Deployment, c *api.Condition) int64 {
	return c.LastUpdateTime.Milli() + int64(*d.Spec.ProgressDeadlineSeconds)*1000
}
