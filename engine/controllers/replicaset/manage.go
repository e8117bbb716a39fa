package replicaset

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// sinceTerminatingReplicas is the version that counts terminating pods in the status by default.
const sinceTerminatingReplicas = 35

// manageReplicas creates the pods that are missing, or deletes those that are too many. If their number n is right,
// active may be nil.
func (c *Controller) manageReplicas(rs *api.ReplicaSet, active []*api.Pod, n int) error {
	diff := n - int(*rs.Spec.Replicas)
	if diff == 0 {
		return nil
	}
	sum := why.Sum("R-3", replicaSetGo+"manageReplicas", "active - replicas", diff, n, n-diff)
	if diff < 0 {
		c.loop.Took("creates pods", sum.Noting("pods are missing"))
		return c.createPods(rs, min(-diff, burstReplicas), sum)
	}
	c.loop.Took("deletes pods", sum.Noting("pods are too many"))
	return c.deletePods(rs, active, min(diff, burstReplicas), sum)
}

// createPods creates pods in batches of 1, 2, 4, 8 …: the first refusal ends it after its batch, so that a quota is not
// hit a hundred times over. The calls of a batch are made one after the other (SIM-7).
func (c *Controller) createPods(rs *api.ReplicaSet, n int, why *sim.Explain) error {
	c.expectations.ExpectCreations(rs.Key(), n)
	created := 0
	var firstErr error
	for batch := 1; created < n && firstErr == nil; batch *= 2 {
		for range min(batch, n-created) {
			err := c.createPod(rs, why)
			if err != nil {
				firstErr = cmp.Or(firstErr, err)
				continue
			}
			created++
		}
	}
	for range n - created {
		c.expectations.CreationObserved(rs.Key())
	}
	return firstErr
}

// createPod makes one pod from the template, and tells what came of it.
func (c *Controller) createPod(rs *api.ReplicaSet, why *sim.Explain) error {
	pod := &api.Pod{
		ObjectMeta: api.ObjectMeta{
			GenerateName:    rs.Name + "-",
			Namespace:       rs.Namespace,
			Labels:          rs.Spec.Template.Labels,
			Annotations:     rs.Spec.Template.Annotations,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(rs)},
		},
		NodeName: rs.Spec.Template.Spec.NodeName,
		Spec:     rs.Spec.Template.Spec,
		Status:   api.PodStatus{Phase: api.PodPending},
	}
	created, err := c.client.Create(pod, "pod created", why)
	if err != nil {
		c.client.Event(rs.Key(), "Warning", "FailedCreate", "Error creating: "+err.Error())
		return err
	}
	c.client.Event(rs.Key(), "Normal", "SuccessfulCreate", "Created pod: "+created.Meta().Name)
	return nil
}

// deletePods deletes the pods that rank first, and tells of each.
func (c *Controller) deletePods(rs *api.ReplicaSet, active []*api.Pod, n int, why *sim.Explain) error {
	victims := c.podsToDelete(rs, active, n)
	c.expectations.ExpectDeletions(rs.Key(), victims)
	var firstErr error
	for _, pod := range victims {
		err := c.client.Delete(pod.Key(), apiserver.DeleteOptions{}, "pod deleted", why)
		switch {
		case err == nil:
			c.client.Event(rs.Key(), "Normal", "SuccessfulDelete", "Deleted pod: "+pod.Name)
		case api.IsReason(err, api.ReasonNotFound):
			c.expectations.DeletionObserved(rs.Key(), pod.Name)
		default:
			c.expectations.DeletionObserved(rs.Key(), pod.Name)
			c.client.Event(rs.Key(), "Warning", "FailedDelete", "Error deleting: "+err.Error())
			firstErr = cmp.Or(firstErr, fmt.Errorf("unable to delete pods: %w", err))
		}
	}
	return firstErr
}

// podsToDelete returns the first n pods in the order of deletion. If all must go they need no order.
func (c *Controller) podsToDelete(rs *api.ReplicaSet, active []*api.Pod, n int) []*api.Pod {
	if n >= len(active) {
		return active
	}
	list := standings(active, PodsByNode(rs, c.replicaSets.Cache.All(), c.pods.Cache.All()), c.client.Now())
	pickFirst(list, n)
	victims := make([]*api.Pod, n)
	for i := range victims {
		victims[i] = list[i].pod
	}
	return victims
}

// PodsByNode counts the active pods on each node that some ReplicaSet with the same owner selects, whoever owns them;
// without an owner it counts none (R-9 rank 5, getIndirectlyRelatedPods).
func PodsByNode(rs *api.ReplicaSet, replicaSets, pods iter.Seq[api.Object]) map[string]int {
	ref := rs.ControllerOf()
	if ref == nil {
		return nil
	}
	var related []*api.ReplicaSet
	for o := range replicaSets {
		if o.Meta().IsControlledBy(ref.UID) {
			related = append(related, o.(*api.ReplicaSet))
		}
	}
	count := map[string]int{}
	for o := range pods {
		pod := o.(*api.Pod)
		if pod.Namespace == rs.Namespace && pod.Active() &&
			slices.ContainsFunc(related, func(rs *api.ReplicaSet) bool { return selects(rs, pod) }) {
			count[pod.NodeName]++
		}
	}
	return count
}

// calculateStatus says how many pods there were when the sync began and sets or removes ReplicaFailure.
func (c *Controller) calculateStatus(rs *api.ReplicaSet, n count, manageErr error) api.ReplicaSetStatus {
	status := rs.Status
	status.Replicas, status.FullyLabeledReplicas, status.ReadyReplicas, status.AvailableReplicas = n.active, n.labeled, n.ready, n.available
	status.TerminatingReplicas = nil
	if c.client.Since(sinceTerminatingReplicas) {
		status.TerminatingReplicas = &n.terminating
	}
	status.Conditions = failureConditions(rs, int(n.active), manageErr, c.client.Timestamp())
	return status
}

// failureConditions adds ReplicaFailure at the first error, and removes it when there is none; in between it stays as it
// is, message included.
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

// updateStatus writes the status if it differs; after a conflict it tries once more on the stored version. It
// returns the ReplicaSet as it is stored then, which may have another spec than the cached one.
func (c *Controller) updateStatus(rs *api.ReplicaSet, status *api.ReplicaSetStatus) (*api.ReplicaSet, error) {
	status.ObservedGeneration = rs.Status.ObservedGeneration
	if rs.Generation == rs.Status.ObservedGeneration && rs.Status.Equal(status) {
		c.loop.Idle("the status is up to date", nil)
		return rs, nil
	}
	status.ObservedGeneration = rs.Generation
	sum := why.Sum("R-16", "pkg/controller/replicaset/replica_set_utils.go:updateReplicaSetStatus",
		"replicas - available", status.Replicas-status.AvailableReplicas, status.Replicas, status.AvailableReplicas)
	what := fmt.Sprintf("status: replicas %d, ready %d, available %d", status.Replicas, status.ReadyReplicas, status.AvailableReplicas)
	if t := status.TerminatingReplicas; t != nil {
		what += fmt.Sprintf(", terminating %d", *t)
	}
	updated := *rs
	updated.Status = *status
	if stored, err := c.client.UpdateStatus(&updated, what, sum); err == nil {
		return stored.(*api.ReplicaSet), nil
	}
	stored, err := c.client.Get(rs.Key())
	if err != nil {
		return nil, err
	}
	updated = *stored.(*api.ReplicaSet)
	updated.Status = *status
	if stored, err = c.client.UpdateStatus(&updated, what, sum); err != nil {
		return nil, err
	}
	return stored.(*api.ReplicaSet), nil
}
