package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// writeStatus stores the status if it differs (S-32).
//
// Simplified: after a conflict upstream tries again with the cached version, five times within 50 ms. Here a sync takes no
// time, so the cache does not change and every attempt would fail: the sync itself is tried again (H-5).
func (r *round) writeStatus(then func(error) error) error {
	r.completeUpdate()
	if !r.inconsistent() {
		r.c.loop.OrIdle("the status is up to date", nil)
		return then(nil)
	}
	updated := api.Shallow(r.set)
	updated.Status = r.status
	return r.c.loop.Await(func() error {
		_, err := r.c.loop.Wrote(r.c.client.UpdateStatus(updated, r.statusText(), r.statusExplain()))
		return then(err)
	})
}

// statusText lists the numbers of the status.
func (r *round) statusText() string {
	s := &r.status
	text := fmt.Sprintf("status: replicas %d, ready %d, current %d, updated %d", s.Replicas, s.ReadyReplicas, s.CurrentReplicas, s.UpdatedReplicas)
	if r.completes() {
		text += "; the update is complete"
	}
	return text
}

// completes reports whether this status ends an update.
func (r *round) completes() bool {
	was := r.set.Status.CurrentRevision
	return was != "" && was != r.status.CurrentRevision
}

// statusExplain explains a status by the number of pods that are not Ready, or, at the end of an update, by the number of
// pods that are not updated.
func (r *round) statusExplain() *sim.Explain {
	s := &r.status
	if r.completes() {
		return why.Sum("S-31", utilsGo+"completeUpdate", "replicas - updated", s.Replicas-s.UpdatedReplicas, s.Replicas, s.UpdatedReplicas).
			Noting("all pods are Ready and at the update revision, which becomes the current one")
	}
	return why.Sum("S-30", controlGo+"computeReplicaStatus", "replicas - ready", s.Replicas-s.ReadyReplicas, s.Replicas, s.ReadyReplicas)
}
