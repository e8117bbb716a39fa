package recorded

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// drain empties a node.
type drain struct {
	node  string
	start int64
}

// drainRetry is how long a drain waits before it tries refused evictions again, in seconds.
const drainRetry = 5

// choose returns the pods that an operation means: count of the live ones from the k-th on, oldest first; a negative k
// counts from the youngest.
func (c *cluster) choose(op *Op) []*api.Pod {
	var live []*api.Pod
	for _, p := range c.kubelet.all() {
		if p.Active() && (op.Image == "" || p.Spec.Containers[0].Image == op.Image) {
			live = append(live, p)
		}
	}
	k, count := op.K, 1
	if op.Count != nil {
		count = *op.Count
	}
	if k < 0 {
		k += len(live)
	}
	if k < 0 || k >= len(live) {
		return nil
	}
	return live[k:min(k+count, len(live))]
}

func (c *cluster) deletePods(op *Op) error {
	for _, p := range c.choose(op) {
		if err := c.user.Delete(p.Key(), apiserver.DeleteOptions{}, "deleted", nil); err != nil {
			return err
		}
	}
	return nil
}

// setPodsReady makes pods Ready, or not Ready, whatever the kubelet would do.
func (c *cluster) setPodsReady(op *Op, ready bool) error {
	for _, p := range c.choose(op) {
		p = p.CopyForStatus()
		l := c.kubelet.byName[p.Name]
		l.ready, l.crash = never, never
		if ready {
			p.Status.Phase = api.PodRunning
		}
		setReady(p, ready, op.T)
		c.kubelet.put(p)
	}
	return nil
}

func (c *cluster) evictPods(op *Op) error {
	for _, p := range c.choose(op) {
		c.evict(p, op.T)
	}
	return nil
}

// evict asks the eviction API for a pod's deletion, and notes the answer.
func (c *cluster) evict(p *api.Pod, t int64) {
	c.evictions = append(c.evictions, refusalText(c.user.Evict(p.Key(), apiserver.EvictOptions{})))
	c.kubelet.catchUp(t)
}

// startDrain cordons a node and begins to drain it.
func (c *cluster) startDrain(op *Op) error {
	c.drains = append(c.drains, drain{node: op.Node, start: op.T})
	return c.onNode(op, func(n *node) { n.closed = true })
}

// uncordon opens a node again, which ends its drain.
func (c *cluster) uncordon(op *Op) error {
	c.drains = slices.DeleteFunc(c.drains, func(d drain) bool { return d.node == op.Node })
	return c.onNode(op, func(n *node) { n.closed = false })
}

// drain lets each drain whose time has come evict what is left on its node.
func (c *cluster) drain(t int64) {
	for _, d := range c.drains {
		if (t-d.start)%drainRetry == 0 {
			for _, p := range c.podsOn(d.node) {
				c.evict(p, t)
			}
		}
	}
}

// podsOn returns the pods on a node that do not terminate.
func (c *cluster) podsOn(name string) (pods []*api.Pod) {
	for _, p := range c.kubelet.all() {
		if p.NodeName == name && !p.Terminating() {
			pods = append(pods, p)
		}
	}
	return pods
}

// onNode changes a node of the model.
func (c *cluster) onNode(op *Op, change func(*node)) error {
	for _, n := range c.kubelet.nodes {
		if n.name == op.Node {
			change(n)
			return nil
		}
	}
	return fmt.Errorf("nodes %q not found", op.Node)
}

func (c *cluster) addNode(op *Op) error {
	c.kubelet.nodes = append(c.kubelet.nodes, &node{name: op.Node})
	return nil
}
