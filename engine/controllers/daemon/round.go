package daemon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// round is the state that one sync works with. It is read once, because the caches do not change during a sync, except when
// pods are adopted (refresh).
type round struct {
	ds    *api.DaemonSet
	spec  *api.PodSpec          // of its pods
	hash  string                // of the revision of the current template
	nodes []*api.Node           // by name (DS-11)
	pods  map[string][]*api.Pod // of each node, in the order of DS-8; also of deleted nodes
	live  map[string]bool       // hashes of all pods, including finished pods that are terminating (DS-22)
	now   sim.Time

	adopted bool // the cache still shows some of the pods as orphans
}

// newRound reads the nodes and the pods of a DaemonSet. It adopts orphans and releases pods that no longer match. It
// ignores finished pods that are terminating (DS-8, getNodesToDaemonPods).
func (c *Controller) newRound(ds *api.DaemonSet, hash string) (*round, error) {
	r := &round{ds: ds, spec: c.specOf(ds), hash: hash, pods: map[string][]*api.Pod{}, live: map[string]bool{}, now: c.client.Now()}
	pods, err := c.claimPods(ds)
	if err != nil {
		return nil, fmt.Errorf("couldn't get node to daemon pod mapping for daemon set %q: %w", ds.Name, err)
	}
	for _, pod := range pods {
		node := targetNode(pod)
		r.adopted = r.adopted || pod.ControllerOf() == nil
		if node == "" {
			continue
		}
		r.live[pod.Labels[api.ControllerRevisionHashLabel]] = true
		if !pod.Finished() || !pod.Terminating() {
			r.pods[node] = append(r.pods[node], pod)
		}
	}
	for _, list := range r.pods {
		slices.SortFunc(list, byCreation)
	}
	for o := range c.nodes.Cache.All() {
		r.nodes = append(r.nodes, o.(*api.Node))
	}
	slices.SortFunc(r.nodes, func(a, b *api.Node) int { return strings.Compare(a.Name, b.Name) })
	return r, nil
}

// refresh reads the pods again if some have been adopted. Upstream claims all pods again at each step of a sync. A finished
// pod that it has adopted and then deleted no longer exists at the next step, and does not count.
func (c *Controller) refresh(r *round) error {
	if !r.adopted {
		return nil
	}
	again, err := c.newRound(r.ds, r.hash)
	if err != nil {
		return err
	}
	*r = *again
	return nil
}

// claimPods returns the pods that belong to a DaemonSet.
func (c *Controller) claimPods(ds *api.DaemonSet) ([]*api.Pod, error) {
	return claim[*api.Pod](c, ds, &c.pods.Cache)
}

// claim returns the objects of a cache that belong to a DaemonSet: first those it owned before, then those it adopts, each in
// the order of creation. It releases objects that no longer match.
func claim[T api.Object](c *Controller, ds *api.DaemonSet, cache *sim.Table) (claimed []T, err error) {
	var errs []error
	for _, uid := range [...]string{ds.UID, ""} {
		for o := range cache.OwnedBy(uid) {
			mine, err := c.client.Claim(ds, ds.Spec.Selector, o)
			if err != nil {
				errs = append(errs, err)
			}
			if mine {
				claimed = append(claimed, o.(T))
			}
		}
	}
	return claimed, api.Aggregate(errs)
}

// specOf returns the spec of a DaemonSet's pods. It is computed once for each template, so that the pods of a template share
// it.
func (c *Controller) specOf(ds *api.DaemonSet) *api.PodSpec {
	have, template := c.specs[ds.Key()], ds.Spec.Template.Spec
	if have.template != template {
		have = podSpec{template, template.WithTolerations(daemonTolerations(template))}
		c.specs[ds.Key()] = have
	}
	return have.spec
}

// shouldRun is NodeShouldRunDaemonPod for this sync (DS-6).
func (r *round) shouldRun(n *api.Node) (run, stay bool) {
	return nodeShouldRun(r.spec, r.spec.Tolerations, n)
}

// desired returns the number of nodes that should run a pod (DS-3, updatedDesiredNodeCounts).
func (r *round) desired() (n int) {
	for _, node := range r.nodes {
		if run, _ := r.shouldRun(node); run {
			n++
		}
	}
	return n
}

// names returns the nodes that a rolling update checks, sorted: nodes with pods, even if the node is deleted, and nodes that
// should run one.
func (r *round) names() (names []string) {
	for name := range r.pods {
		names = append(names, name)
	}
	for _, node := range r.nodes {
		if run, _ := r.shouldRun(node); run && len(r.pods[node.Name]) == 0 {
			names = append(names, node.Name)
		}
	}
	slices.Sort(names)
	return names
}

// node returns a node by name, nil if it is deleted.
func (r *round) node(name string) *api.Node {
	i, ok := slices.BinarySearchFunc(r.nodes, name, func(n *api.Node, name string) int { return strings.Compare(n.Name, name) })
	if !ok {
		return nil
	}
	return r.nodes[i]
}

func (r *round) available(pod *api.Pod) bool {
	return pod.IsAvailable(r.ds.Spec.MinReadySeconds, r.now)
}

func (r *round) updated(pod *api.Pod) bool { return isPodUpdated(pod, r.hash, r.ds.TemplateGeneration) }

// byCreation orders pods with a node first, then the oldest, then by name (DS-8, podByCreationTimestampAndPhase).
func byCreation(a, b *api.Pod) int {
	if (a.NodeName == "") != (b.NodeName == "") {
		if b.NodeName == "" {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.CreationTimestamp, b.CreationTimestamp), strings.Compare(a.Name, b.Name))
}
