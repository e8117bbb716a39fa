package daemon

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// countNodes is DS-30: of each node the first pod counts, even if it is being deleted.
func (r *round) countNodes() (s api.DaemonSetStatus) {
	for _, node := range r.nodes {
		run, _ := r.shouldRun(node)
		pods := r.pods[node.Name]
		switch {
		case !run && len(pods) > 0:
			s.NumberMisscheduled++
		case run:
			s.DesiredNumberScheduled++
			if len(pods) > 0 {
				r.countPod(pods[0], &s)
			}
		}
	}
	s.NumberUnavailable = s.DesiredNumberScheduled - s.NumberAvailable
	return s
}

func (r *round) countPod(pod *api.Pod, s *api.DaemonSetStatus) {
	s.CurrentNumberScheduled++
	if pod.IsReady() {
		s.NumberReady++
	}
	if r.available(pod) {
		s.NumberAvailable++
	}
	if r.updated(pod) {
		s.UpdatedNumberScheduled++
	}
}

// updateDaemonSetStatus writes the status if it differs, and plans another look when pods that are Ready will be available
// (DS-31). A sync that only counts has not seen to the present generation.
func (c *Controller) updateDaemonSetStatus(r *round, observed bool) error {
	n := r.countNodes()
	if err := c.storeDaemonSetStatus(r.ds, &n, observed); err != nil {
		return fmt.Errorf("error storing status for daemon set %s: %w", r.ds.Key(), err)
	}
	if seconds := int64(r.ds.Spec.MinReadySeconds); seconds > 0 && n.NumberReady != n.NumberAvailable {
		c.loop.AddAfter(r.ds.Key(), seconds*1000)
	}
	return nil
}

// storeDaemonSetStatus writes the counts; after a refusal it tries once more on the stored version.
func (c *Controller) storeDaemonSetStatus(ds *api.DaemonSet, n *api.DaemonSetStatus, observed bool) error {
	if sameCounts(&ds.Status, n) && ds.Status.ObservedGeneration >= ds.Generation {
		if !c.loop.HasIdle() {
			c.loop.Idle("the status is up to date", nil)
		}
		return nil
	}
	sum := why.Sum("DS-30", controllerGo+"updateDaemonSetStatus",
		"desired - available", n.NumberUnavailable, n.DesiredNumberScheduled, n.NumberAvailable)
	what := fmt.Sprintf("status: desired %d, current %d, updated %d, ready %d, available %d, misscheduled %d", n.DesiredNumberScheduled,
		n.CurrentNumberScheduled, n.UpdatedNumberScheduled, n.NumberReady, n.NumberAvailable, n.NumberMisscheduled)
	if !c.loop.HasIdle() {
		c.loop.Idle("the stored status has these counts already", nil)
	}
	latest := ds
	for try := 0; ; try++ {
		updated := latest.Shallow()
		setCounts(&updated.Status, n)
		if observed {
			updated.Status.ObservedGeneration = ds.Generation
		}
		_, err := c.client.UpdateStatus(updated, what, sum)
		if err == nil || try > 0 {
			return err
		}
		stored, err := c.client.Get(ds.Key())
		if err != nil {
			return err
		}
		latest = stored.(*api.DaemonSet)
	}
}

// setCounts puts the counts into a status.
func setCounts(s, n *api.DaemonSetStatus) {
	counts := *n
	counts.ObservedGeneration, counts.CollisionCount, counts.Conditions = s.ObservedGeneration, s.CollisionCount, s.Conditions
	*s = counts
}

// sameCounts compares the counts of two statuses.
func sameCounts(s, n *api.DaemonSetStatus) bool {
	counts := *s
	setCounts(&counts, n)
	return counts.Equal(s)
}
