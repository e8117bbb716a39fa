package frames

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// observePod removes the old version of a pod from the counts of its group and adds the new version.
func (c *Counter) observePod(change *sim.Change) {
	var left, joined *group
	if old, ok := change.Old.(*api.Pod); ok {
		if left = c.groupOf(old); left != nil {
			left.remove(old)
		}
	}
	if pod, ok := change.New.(*api.Pod); ok {
		if joined = c.groupOf(pod); joined != nil {
			c.add(joined, pod)
		}
	}
	if left == joined {
		left = nil
	}
	for _, g := range [...]*group{left, joined} {
		if g == nil {
			continue
		}
		c.frame(g.owner)
		if g.gone && g.pods() == 0 {
			g.move(nil)
		}
	}
}

// pods returns the number of pods, including terminating ones.
func (g *group) pods() int { return g.replicas + g.terminating }

// groupOf returns the group that a pod counts for, nil if none.
func (c *Counter) groupOf(pod *api.Pod) *group {
	ref := pod.ControllerOf()
	switch {
	case ref == nil:
		return nil
	case ref.Kind == api.KindReplicaSet:
		return c.groups[ref.UID]
	}
	label := pod.Labels[api.ControllerRevisionHashLabel]
	if g := c.groups[ref.UID+"/"+label]; g != nil {
		return g // also after its workload was replaced by another one of the same name
	}
	if w := c.ownerOf(&pod.ObjectMeta); w != nil {
		return c.revisionGroup(w, label)
	}
	return nil
}

// add adds a pod to the counts. A pod that is Ready but not available yet is checked again when it will be: Ready at
// 4 s with minReadySeconds 5, it is checked at 9 s.
func (c *Counter) add(g *group, pod *api.Pod) {
	switch {
	case pod.Finished():
		return
	case pod.Terminating():
		g.terminating++
		return
	}
	g.replicas++
	seconds := g.minReadySeconds()
	at, ready := pod.AvailableAt(seconds)
	if !ready {
		return
	}
	g.ready++
	if seconds == 0 || at <= c.kernel.Now() {
		g.available++
		return
	}
	g.waiting[pod.UID] = true
	c.kernel.Schedule(sim.Event{At: at, To: c, Key: pod.Key()})
}

// remove undoes add.
func (g *group) remove(pod *api.Pod) {
	switch {
	case pod.Finished():
		return
	case pod.Terminating():
		g.terminating--
		return
	}
	g.replicas--
	if !pod.IsReady() {
		return
	}
	g.ready--
	if g.waiting[pod.UID] {
		delete(g.waiting, pod.UID)
	} else {
		g.available--
	}
}

// Handle counts a pod as available once it has been Ready for minReadySeconds.
func (c *Counter) Handle(e sim.Event) {
	pod, _ := c.store.Get(e.Key).(*api.Pod)
	if pod == nil {
		return
	}
	g := c.groupOf(pod)
	if g == nil || !g.waiting[pod.UID] || !pod.IsAvailable(g.minReadySeconds(), e.At) {
		return
	}
	delete(g.waiting, pod.UID)
	g.available++
	c.frame(g.owner)
}
