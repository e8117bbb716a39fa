package recorded

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// queues are the controllers' work queues.
//
// The recordings drained the real queues in turns: each controller worked on as many keys as it found waiting, always
// in the same order of controllers, until all queues were empty; then again at every tenth of the second, so that
// retries came within the tick.
type queues struct {
	deployments queue
	replicaSets queue
	sets        queue // of a StatefulSet, or of a DaemonSet and the nodes that it is told of
	budgets     queue
	waiting     []string // ReplicaSets that must be in their queue, the first to be worked on first; "" is any
	seen        int      // how much of the store's log has been looked at
}

// queue is a controller's queue with the kernel that it lives in, apart from that of the cluster, so that it can be
// said when the controller works.
type queue struct {
	kernel  sim.Kernel
	delayed []sim.Kernel // what the kernel held at earlier moments: nothing but delayed keys
}

// turnEvery is the virtual ms from one draining of the queues to the next.
const turnEvery = 100

// runQueues runs the queues through the second that begins at t.
func (c *cluster) runQueues(t int64) {
	for ms := t * 1000; ms < (t+1)*1000; ms += turnEvery {
		if ms > t*1000 {
			advance(c.kernel, ms)
			c.queues.advance(ms)
		}
		for c.turns(ms) {
		}
	}
}

// turns gives each controller its turn and says whether there was anything to do.
func (c *cluster) turns(ms sim.Time) (worked bool) {
	t, q := ms/1000, &c.queues
	if due(&q.deployments.kernel, ms) { // there is only one Deployment
		worked = true
		q.deployments.kernel.Step()
		c.settle(t)
	}
	if due(&q.sets.kernel, ms) {
		worked = true
		q.sets.kernel.Step()
		c.settle(t)
	}
	q.note(c.server.Store)
	n := len(q.waiting)
	for range max(n, 1) {
		if !due(&q.replicaSets.kernel, ms) {
			break
		}
		worked = true
		from := len(c.server.Store.Log)
		q.replicaSets.kernel.Step()
		c.follow(from, t)
		c.settle(t)
	}
	q.waiting = q.waiting[n:]
	if due(&q.budgets.kernel, ms) {
		worked = true
		q.budgets.kernel.Step()
	}
	worked = c.collect() || worked
	c.settle(t)
	return worked
}

// note queues the ReplicaSets that the latest changes have woken.
func (q *queues) note(s *sim.Store) {
	for ; q.seen < len(s.Log); q.seen++ {
		o := s.Log[q.seen].Object()
		name := o.Key().Name
		switch o.Key().Kind {
		case api.KindPod:
			name = o.Meta().ControllerOf().Name
		case api.KindReplicaSet:
		default:
			continue
		}
		if !slices.Contains(q.waiting, name) {
			q.waiting = append(q.waiting, name)
		}
	}
}

// advance moves the clocks to a virtual ms; that queues the delayed keys whose time has come. No queue holds a key then.
func (q *queues) advance(ms sim.Time) {
	q.deployments.advance(ms)
	q.sets.advance(ms)
	q.budgets.advance(ms)
	for range q.replicaSets.advance(ms) {
		q.waiting = append(q.waiting, "")
	}
}

// advance moves the clock and returns how many delayed keys have been queued. The loop is told of a delay by the kernel
// that the delay was given to, but goes on in the present one, whose clock shows the moment at which it is drained.
func (q *queue) advance(ms sim.Time) (queued int) {
	if _, ok := q.kernel.Next(); ok {
		q.delayed = append(q.delayed, q.kernel)
	}
	setClock(&q.kernel, ms)
	for i := range q.delayed {
		for due(&q.delayed[i], ms) {
			q.delayed[i].Step()
			if due(&q.kernel, ms) {
				queued++
			}
		}
	}
	q.delayed = slices.DeleteFunc(q.delayed, func(k sim.Kernel) bool { _, ok := k.Next(); return !ok })
	return queued
}

// due says whether a kernel has an event that is not later than a virtual ms.
func due(k *sim.Kernel, ms sim.Time) bool {
	at, ok := k.Next()
	return ok && at <= ms
}

// advance runs a kernel until a virtual ms.
func advance(k *sim.Kernel, ms sim.Time) {
	k.Schedule(sim.Event{At: ms, To: nothing{}})
	for due(k, ms) {
		k.Step()
	}
}
