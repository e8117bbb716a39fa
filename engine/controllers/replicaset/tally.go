package replicaset

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// tally counts the cached pods of a ReplicaSet. It is updated with each change of a pod, so that a sync with nothing to create
// or delete does not have to visit every pod: when a thousand pods become ready one after the other, a thousand syncs would
// visit a million pods.
type tally struct {
	labels map[string]string // of the template when the first pod was counted
	count
	odd int // pods with other labels, which only claimPods can count
}

// count has the numbers of a status.
type count struct {
	active, labeled, ready, available, terminating int32
}

// observe updates the tallies after a change of a pod.
func (c *Controller) observe(change *sim.Change) {
	if old, ok := change.Old.(*api.Pod); ok {
		c.tallyOf(old).add(old, -1)
	}
	if pod, ok := change.New.(*api.Pod); ok {
		c.tallyOf(pod).add(pod, 1)
	}
}

// tallyOf returns the tally that a pod belongs to, nil for an orphan.
func (c *Controller) tallyOf(pod *api.Pod) *tally {
	uid := pod.ControllerUID()
	t := c.tallies[uid]
	if t == nil && uid != "" {
		t = &tally{}
		if rs := c.owner(pod); rs != nil {
			t.labels = rs.Spec.Template.Labels
		}
		c.tallies[uid] = t
	}
	return t
}

// add counts a pod, or removes it with n = -1. The selector matches pods with the labels of the template: that is validated.
func (t *tally) add(pod *api.Pod, n int32) {
	switch {
	case t == nil:
	case !api.SameMap(pod.Labels, t.labels):
		t.odd += int(n)
	case pod.Finished():
	case pod.Terminating():
		t.terminating += n
	default:
		t.active += n
		t.labeled += n
		if pod.IsReady() {
			t.ready += n
			t.available += n
		}
	}
}

// tallied returns the numbers of a ReplicaSet's pods. The second result is false if claimPods has to count them: a pod has
// other labels, an orphan could be adopted, or Ready pods may not be available yet.
func (c *Controller) tallied(rs *api.ReplicaSet) (count, bool) {
	if rs.Spec.MinReadySeconds > 0 {
		return count{}, false
	}
	for range c.pods.Cache.OwnedBy("") {
		return count{}, false
	}
	t := c.tallies[rs.UID]
	if t == nil {
		return count{}, true
	}
	return t.count, t.odd == 0 && api.SameMap(t.labels, rs.Spec.Template.Labels)
}
