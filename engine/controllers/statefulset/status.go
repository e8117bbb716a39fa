package statefulset

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// beginStatus fills in what a status has besides numbers (S-10).
func (r *round) beginStatus() {
	r.status.ObservedGeneration = r.set.Generation
	r.status.CurrentRevision, r.status.UpdateRevision = r.current.Name, r.update.Name
	r.status.Conditions = r.set.Status.Conditions
}

// count adds pods to the numbers of the status (S-30). Slots may be empty.
func (r *round) count(pods []*api.Pod) {
	s := &r.status
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		s.Replicas++
		if isRunningAndReady(pod) {
			s.ReadyReplicas++
			if pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now) {
				s.AvailableReplicas++
			}
		}
		if pod.Terminating() {
			continue
		}
		revision := revisionOf(pod)
		if revision == r.current.Name {
			s.CurrentReplicas++
		}
		if revision == r.update.Name {
			s.UpdatedReplicas++
		}
	}
}

// completeUpdate makes the update revision the current one when all pods have it and are Ready (S-31).
func (r *round) completeUpdate() {
	s, want := &r.status, *r.set.Spec.Replicas
	if s.UpdatedReplicas == want && s.ReadyReplicas == want && s.Replicas == want {
		s.CurrentReplicas, s.CurrentRevision = s.UpdatedReplicas, s.UpdateRevision
	}
}

// inconsistent says whether the status must be written. The count of collisions alone is no reason (S-32).
func (r *round) inconsistent() bool {
	s, have := &r.status, &r.set.Status
	return s.ObservedGeneration > have.ObservedGeneration || s.Replicas != have.Replicas || s.ReadyReplicas != have.ReadyReplicas ||
		s.CurrentReplicas != have.CurrentReplicas || s.UpdatedReplicas != have.UpdatedReplicas ||
		s.AvailableReplicas != have.AvailableReplicas || s.CurrentRevision != have.CurrentRevision ||
		s.UpdateRevision != have.UpdateRevision || !slices.Equal(s.Conditions, have.Conditions)
}

// writeStatus stores the status if it differs (S-32).
//
// Simplified: after a conflict upstream tries again with what its cache has, five times within 50 ms. Here a sync takes no
// time, so that the cache stays as it is and every try would fail: the sync is tried again (H-5).
func (r *round) writeStatus() error {
	r.completeUpdate()
	if !r.inconsistent() {
		if !r.c.loop.HasIdle() {
			r.c.loop.Idle("the status is up to date", nil)
		}
		return nil
	}
	updated := r.set.Shallow()
	updated.Status = r.status
	_, err := r.c.client.UpdateStatus(updated, r.statusText(), r.statusExplain())
	return err
}

// statusText says the numbers of the status.
func (r *round) statusText() string {
	s := &r.status
	text := fmt.Sprintf("status: replicas %d, ready %d, current %d, updated %d", s.Replicas, s.ReadyReplicas, s.CurrentReplicas, s.UpdatedReplicas)
	if r.completes() {
		text += "; the update is complete"
	}
	return text
}

// completes says whether this status ends an update.
func (r *round) completes() bool {
	was := r.set.Status.CurrentRevision
	return was != "" && was != r.status.CurrentRevision
}

// statusExplain gives the sum that the status is most often looked at for: how many pods are not Ready, or that none is
// missing at the end of an update.
func (r *round) statusExplain() *sim.Explain {
	s := &r.status
	if r.completes() {
		return why.Sum("S-31", utilsGo+"completeUpdate", "replicas - updated", s.Replicas-s.UpdatedReplicas, s.Replicas, s.UpdatedReplicas).
			Noting("all pods are Ready and of the update revision, which is the current one from now on")
	}
	return why.Sum("S-30", controlGo+"computeReplicaStatus", "replicas - ready", s.Replicas-s.ReadyReplicas, s.Replicas, s.ReadyReplicas)
}
