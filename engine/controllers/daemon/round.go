package daemon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// round is what one sync looks at. It is gathered once, since within a sync the caches do not change, unless pods are adopted
// (lookAgain).
type round struct {
	ds    *api.DaemonSet
	spec  *api.PodSpec          // of its pods
	hash  string                // of the present template's revision
	nodes []*api.Node           // by name (DS-11)
	pods  map[string][]*api.Pod // of each node, in the order of DS-8; also of nodes that are gone
	live  map[string]bool       // hashes of all pods, those included that have ended and wait to be removed (DS-22)
	now   sim.Time

	adopted bool // there are pods that the cache still shows as orphans
}

// look gathers the nodes and the pods of a DaemonSet. It adopts orphans and releases what does not match any more.
// Pods that have ended and are being deleted are left out (DS-8).
func (c *Controller) look(ds *api.DaemonSet, hash string) (*round, error) {
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

// lookAgain gathers the pods anew if some have been adopted. Upstream claims all pods again at each step of a sync; one that
// it has adopted, and then deleted because it had ended, is no more then, and does not count.
func (c *Controller) lookAgain(r *round) error {
	if !r.adopted {
		return nil
	}
	again, err := c.look(r.ds, r.hash)
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

// claim returns what of a cache belongs to a DaemonSet: what it owned before, then what it adopts, each in the order of creation.
// What does not match any more is released.
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

// specOf returns what a DaemonSet's pods are made from. It is worked out once for each template, so that the pods of one
// template share it.
func (c *Controller) specOf(ds *api.DaemonSet) *api.PodSpec {
	have, template := c.specs[ds.Key()], ds.Spec.Template.Spec
	if have.template != template {
		have = podSpec{template, template.WithTolerations(daemonTolerations(template))}
		c.specs[ds.Key()] = have
	}
	return have.spec
}

// shouldRun is DS-6 for a node of this sync.
func (r *round) shouldRun(n *api.Node) (run, stay bool) {
	return nodeShouldRun(r.spec, r.spec.Tolerations, n)
}

// desired is the number of nodes that should run a pod (DS-3).
func (r *round) desired() (n int) {
	for _, node := range r.nodes {
		if run, _ := r.shouldRun(node); run {
			n++
		}
	}
	return n
}

// names lists the nodes that a rolling update looks at: those that have pods, existing or not, and those that should.
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

// node returns a node by name, nil if it is gone.
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

// byCreation puts pods that have a node first, then the oldest, then by name (DS-8).
func byCreation(a, b *api.Pod) int {
	if (a.NodeName == "") != (b.NodeName == "") {
		if b.NodeName == "" {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.CreationTimestamp, b.CreationTimestamp), strings.Compare(a.Name, b.Name))
}
