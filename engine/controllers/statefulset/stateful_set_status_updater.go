package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

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
