package replicaset

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// sinceTerminatingReplicas is the version that counts terminating pods in the status by default.
const sinceTerminatingReplicas = 35

// updateStatus writes the status if it differs. After a conflict it tries once more with the stored version. It
// passes the stored ReplicaSet on, whose spec can differ from the cached one.
func (c *Controller) updateStatus(rs *api.ReplicaSet, status api.ReplicaSetStatus, then func(*api.ReplicaSet) error) error {
	if api.Equal(&rs.Status, &status) {
		c.loop.Idle("the status is up to date", nil)
		return then(rs)
	}
	sum := why.Sum("R-16", "pkg/controller/replicaset/replica_set_utils.go:updateReplicaSetStatus",
		"replicas - available", status.Replicas-status.AvailableReplicas, status.Replicas, status.AvailableReplicas)
	terminating := ""
	if t := status.TerminatingReplicas; t != nil {
		terminating = ", terminating " + strconv.Itoa(int(*t))
	}
	what := fmt.Sprintf("status: replicas %d, ready %d, available %d%s", status.Replicas, status.ReadyReplicas, status.AvailableReplicas, terminating)
	write := func(rs *api.ReplicaSet) (api.Object, error) {
		updated := api.Shallow(rs)
		updated.Status = status
		return c.loop.Wrote(c.client.UpdateStatus(updated, what, sum))
	}
	return c.storeStatus(rs, write, then)
}

// storeStatus writes the status, and after an error once more. Each of its requests waits for its token.
func (c *Controller) storeStatus(rs *api.ReplicaSet, write func(*api.ReplicaSet) (api.Object, error), then func(*api.ReplicaSet) error) error {
	return c.loop.Await(func() error {
		if stored, err := write(rs); err == nil {
			return then(stored.(*api.ReplicaSet))
		}
		return c.loop.AwaitNext(func() error {
			o, err := c.client.Get(rs.Key())
			if err != nil {
				return err
			}
			return c.loop.AwaitNext(func() error {
				stored, err := write(o.(*api.ReplicaSet))
				if err != nil {
					return err
				}
				return then(stored.(*api.ReplicaSet))
			})
		})
	})
}

// calculateStatus returns the numbers of pods when the sync began, and sets or removes ReplicaFailure.
func (c *Controller) calculateStatus(rs *api.ReplicaSet, n count, manageErr error) api.ReplicaSetStatus {
	status := rs.Status
	status.ObservedGeneration = rs.Generation
	status.Replicas, status.FullyLabeledReplicas, status.ReadyReplicas, status.AvailableReplicas = n.active, n.labeled, n.ready, n.available
	if !c.client.Since(sinceTerminatingReplicas) {
		status.TerminatingReplicas = nil
	} else if t := status.TerminatingReplicas; t == nil || *t != n.terminating {
		now := n.terminating
		status.TerminatingReplicas = &now
	}
	status.Conditions = failureConditions(rs, int(n.active), manageErr, c.client.Timestamp())
	return status
}

// countPods counts active pods without the tally.
func (c *Controller) countPods(rs *api.ReplicaSet, active []*api.Pod, terminating int32) count {
	n := count{active: int32(len(active)), terminating: terminating}
	template := api.LabelSelector{MatchLabels: rs.Spec.Template.Labels}
	now := c.client.Now()
	for _, pod := range active {
		if api.SameMap(pod.Labels, rs.Spec.Template.Labels) || template.Matches(pod.Labels) {
			n.labeled++
		}
		if pod.IsReady() {
			n.ready++
			if pod.IsAvailable(rs.Spec.MinReadySeconds, now) {
				n.available++
			}
		}
	}
	return n
}

// failureConditions adds ReplicaFailure at the first error and removes it after a sync without an error. Further errors do
// not change it, not even its message.
func failureConditions(rs *api.ReplicaSet, active int, manageErr error, now api.Time) []api.Condition {
	have := api.FindCondition(rs.Status.Conditions, "ReplicaFailure")
	switch {
	case manageErr != nil && have == nil:
		reason := "FailedCreate"
		if active > int(*rs.Spec.Replicas) {
			reason = "FailedDelete"
		}
		return append(slices.Clone(rs.Status.Conditions),
			api.Condition{Type: "ReplicaFailure", Status: "True", Reason: reason, Message: manageErr.Error(), LastTransitionTime: now})
	case manageErr == nil && have != nil:
		return slices.DeleteFunc(slices.Clone(rs.Status.Conditions), func(c api.Condition) bool { return c.Type == "ReplicaFailure" })
	}
	return rs.Status.Conditions
}
