package replicaset

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// tally is the numbers of a ReplicaSet's pods as the cache has them, kept up to date with each change, so that a sync that
// has nothing to create or delete need not look at every pod: a thousand pods that become ready one after the other would
// be a million looks.
type tally struct {
	labels map[string]string // the template's, when its first pod was seen
	count
	odd int // pods with other labels, which only a closer look can count
}

// count is what a status needs to know of the pods.
type count struct {
	active, labeled, ready, available, terminating int32
}

// observe takes a change of a pod into account.
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
	ref := pod.ControllerOf()
	if ref == nil {
		return nil
	}
	t := c.tallies[ref.UID]
	if t == nil {
		t = &tally{}
		if rs := c.owner(pod, ref); rs != nil {
			t.labels = rs.Spec.Template.Labels
		}
		c.tallies[ref.UID] = t
	}
	return t
}

// add counts a pod in, or out with n = -1. Pods with the template's labels are selected: that is validated.
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

// tallied returns the numbers of a ReplicaSet's pods, if no closer look is needed: none has other labels, there is no
// orphan that it might adopt, and to be Ready is to be available.
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
