package daemon

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// round is the state that one sync works with. It is read once, because the caches do not change during a sync, except when
// pods are adopted (refresh). The next sync works with the same one if it was kept up to date (follow).
type round struct {
	ds     *api.DaemonSet
	spec   *api.PodSpec   // of its pods
	hash   string         // of the revision of the current template
	places []place        // by name (DS-11)
	live   map[string]int // how many pods have a hash, including finished pods that are terminating (DS-22)
	now    sim.Time

	adopted bool // the cache still shows some of the pods as orphans
}

// newRound reads the nodes and the pods of a DaemonSet. It adopts orphans and releases pods that no longer match. It
// ignores finished pods that are terminating (DS-8, getNodesToDaemonPods).
func (c *Controller) newRound(ds *api.DaemonSet, hash string) (*round, error) {
	if r := c.kept(ds, hash); r != nil {
		return r, nil
	}
	delete(c.rounds, ds.UID)
	r := &round{ds: ds, spec: c.specOf(ds), hash: hash, places: c.emptyPlaces(), live: map[string]int{}, now: c.client.Now()}
	pods, err := claim[*api.Pod](c, ds, &c.pods.Cache)
	if err != nil {
		return nil, fmt.Errorf("couldn't get node to daemon pod mapping for daemon set %q: %w", ds.Name, err)
	}
	deleted, owned := map[string][]*api.Pod{}, 0
	for i, pod := range pods {
		node := targetNode(pod)
		r.adopted = r.adopted || pod.ControllerOf() == nil
		if node == "" {
			continue
		}
		owned++
		r.live[pod.Labels[api.ControllerRevisionHashLabel]]++
		if pod.Finished() && pod.Terminating() {
			continue
		}
		if at, ok := c.nodeAt[node]; !ok {
			deleted[node] = append(deleted[node], pod)
		} else if p := &r.places[at]; p.pods == nil {
			p.pods = pods[i : i+1 : i+1]
		} else {
			p.pods = append(p.pods, pod)
		}
	}
	for name, pods := range deleted {
		r.places = append(r.places, place{name: name, pods: pods})
	}
	if len(deleted) > 0 {
		sortByName(r.places)
	}
	for i := range r.places {
		if list := r.places[i].pods; len(list) > 1 {
			slices.SortFunc(list, byCreation)
		}
	}
	for range c.pods.Cache.OwnedBy(ds.UID) {
		owned--
	}
	if owned == 0 && len(deleted) == 0 && !r.adopted { // every pod is in a place
		c.rounds[ds.UID] = r
	}
	return r, nil
}

func sortByName(places []place) {
	sort.SliceStable(places, func(i, k int) bool { return places[i].name < places[k].name })
}

// emptyPlaces returns the existing nodes by name. They are sorted once for all syncs between two changes of a node, because
// every change of a pod leads to a sync, and every sync looks at every node.
func (c *Controller) emptyPlaces() []place {
	if c.nodeAt == nil {
		c.nodeAt, c.places = map[string]int{}, nil
		for o := range c.nodes.Cache.All() {
			c.places = append(c.places, place{name: o.Meta().Name, node: o.(*api.Node)})
		}
		sortByName(c.places)
		for i := range c.places {
			c.nodeAt[c.places[i].name] = i
		}
	}
	return slices.Clone(c.places)
}

// refresh reads the pods again if some have been adopted, or the sync has waited. Upstream claims all pods again at each step of a sync. A finished
// pod that it has adopted and then deleted no longer exists at the next step, and does not count.
func (c *Controller) refresh(r *round) error {
	if !r.adopted && r.now == c.client.Now() {
		return nil
	}
	again, err := c.newRound(r.ds, r.hash)
	if err != nil {
		return err
	}
	*r = *again
	return nil
}

// claim returns the objects of a cache that belong to a DaemonSet: first those it owned before, then those it adopts, each in
// the order of creation. It releases objects that no longer match.
func claim[T api.Object](c *Controller, ds *api.DaemonSet, cache *sim.Table) (claimed []T, err error) {
	var errs []error
	var labels map[string]string // that match: most objects share theirs with the one before
	for _, uid := range [...]string{ds.UID, ""} {
		for o := range cache.OwnedBy(uid) {
			m := o.Meta()
			if uid != "" && labels != nil && api.SameMap(labels, m.Labels) {
				claimed = append(claimed, o.(T))
				continue
			}
			mine, err := c.client.Claim(ds, ds.Spec.Selector, o)
			if err != nil {
				errs = append(errs, err)
			}
			if mine {
				labels = m.Labels
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
	for i := range r.places {
		if r.look(&r.places[i]).run {
			n++
		}
	}
	return n
}

// checked yields the places that a rolling update checks, in the order of their names: those with pods, even if the node is
// deleted, and those that should run one.
func (r *round) checked(yield func(*place) bool) {
	for i := range r.places {
		if p := &r.places[i]; r.look(p).roll != unchecked && !yield(p) {
			return
		}
	}
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
