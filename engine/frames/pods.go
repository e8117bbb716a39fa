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
	if !g.count(pod, 1) {
		return
	}
	seconds := g.minReadySeconds()
	at, _ := pod.AvailableAt(seconds)
	if seconds == 0 || at <= c.kernel.Now() {
		g.available++
		return
	}
	g.waiting[pod.UID] = true
	c.kernel.Schedule(sim.Event{At: at, To: c, Key: pod.Key()})
}

// count adds by to the counts that a pod is in, but for the available ones, and reports whether it is Ready.
func (g *group) count(pod *api.Pod, by int) (ready bool) {
	switch {
	case pod.Finished():
		return false
	case pod.Terminating():
		g.terminating += by
		return false
	}
	g.replicas += by
	if ready = pod.IsReady(); ready {
		g.ready += by
	}
	return ready
}

// remove undoes add.
func (g *group) remove(pod *api.Pod) {
	switch {
	case !g.count(pod, -1):
	case g.waiting[pod.UID]:
		delete(g.waiting, pod.UID)
	default:
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
