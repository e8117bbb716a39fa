package daemon

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// place is a node with its pods. A deleted node is a place while it has pods.
type place struct {
	name string
	node *api.Node  // nil if it is deleted
	pods []*api.Pod // in the order of DS-8
	view
}

// view caches what a sync needs to know about a place. Upstream looks at every node in every sync, and every change of a pod leads to a
// sync: with 5,000 nodes that is 25 million looks until the pods are Ready. The results depend on the place's pods, its node and the
// DaemonSet alone, so they are kept from one sync to the next.
type view struct {
	seen    bool     // the rest is up to date
	settled bool     // podsShouldBeOnNode has nothing to do or to record
	run     bool     // the node should run a pod
	first   tally    // of the first pod
	roll    progress // in a rolling update
	newPod  *api.Pod // see findUpdatedPodsOnNode
	oldPod  *api.Pod
}

// tally says in which counts of the status a pod is included.
type tally struct{ ready, available, updated bool }

// progress is how far a rolling update is on a node.
type progress uint8

const (
	unchecked    progress = iota // it should run no pod, and has none
	tooMany                      // two new or two old pods
	empty                        // no pod that counts
	both                         // a new and an old pod
	newAvailable                 // only a new pod, and so on
	newWaiting
	oldAvailable
	oldWaiting
)

// look returns the view of a place, computed again if the place has changed.
func (r *round) look(p *place) *view {
	breath.Often()
	if p.seen {
		return &p.view
	}
	p.view = view{seen: true}
	stay := false
	if p.node != nil {
		p.run, stay = r.shouldRun(p.node)
	}
	waits := false // for minReadySeconds: the next sync has to look again
	running, finished := 0, 0
	for _, pod := range p.pods {
		switch {
		case pod.Terminating():
		case pod.Finished():
			finished++
		default:
			running++
		}
		waits = waits || pod.IsReady() && !r.available(pod)
	}
	if stay {
		p.settled = finished == 0 && (running == 1 || running == 0 && !p.run)
	} else {
		p.settled = finished+running == 0
	}
	if len(p.pods) > 0 {
		pod := p.pods[0]
		p.first = tally{pod.IsReady(), r.available(pod), r.updated(pod)}
	}
	p.roll = r.progress(p)
	p.seen = !waits
	return &p.view
}

func (r *round) progress(p *place) progress {
	if len(p.pods) == 0 && !p.run {
		return unchecked
	}
	ok := false
	p.newPod, p.oldPod, ok = r.findUpdatedPodsOnNode(p)
	switch {
	case !ok:
		return tooMany
	case p.newPod == nil && p.oldPod == nil:
		return empty
	case p.newPod != nil && p.oldPod != nil:
		return both
	case p.newPod != nil && r.available(p.newPod):
		return newAvailable
	case p.newPod != nil:
		return newWaiting
	case r.available(p.oldPod):
		return oldAvailable
	}
	return oldWaiting
}

// kept returns the round of the last sync if the places are as they were, or were kept up to date since.
func (c *Controller) kept(ds *api.DaemonSet, hash string) *round {
	r := c.rounds[ds.UID]
	if r == nil {
		return nil
	}
	for range c.pods.Cache.OwnedBy("") {
		return nil // an orphan may be adopted
	}
	spec := c.specOf(ds)
	if r.hash != hash || r.spec != spec || r.ds.TemplateGeneration != ds.TemplateGeneration || r.ds.Spec.MinReadySeconds != ds.Spec.MinReadySeconds {
		for i := range r.places {
			r.places[i].seen = false
		}
	}
	if r.ds.Spec.Selector != ds.Spec.Selector {
		return nil
	}
	r.ds, r.hash, r.spec, r.now = ds, hash, spec, c.client.Now()
	return r
}

// follow keeps a round up to date with a change of a pod, or drops the round if the change is more than that of one pod of a node.
func (c *Controller) follow(change *sim.Change) {
	old, _ := change.Old.(*api.Pod)
	pod, _ := change.New.(*api.Pod)
	from, to := c.roundOf(old), c.roundOf(pod)
	switch {
	case from == nil && to == nil:
	case old != nil && pod != nil && (from != to || targetNode(old) != targetNode(pod) || !api.SameMap(old.Labels, pod.Labels)):
		c.drop(from)
		c.drop(to)
	case from != nil:
		if !c.swap(from, old, pod) {
			c.drop(from)
		}
	case !c.swap(to, nil, pod):
		c.drop(to)
	}
}

func (c *Controller) roundOf(pod *api.Pod) *round {
	if pod == nil {
		return nil
	}
	return c.rounds[pod.ControllerUID()]
}

func (c *Controller) drop(r *round) {
	if r != nil {
		delete(c.rounds, r.ds.UID)
	}
}

// swap replaces an older version of a pod; either may be nil. It returns false if the round has no place for the pod.
func (c *Controller) swap(r *round, old, pod *api.Pod) bool {
	at, ok := c.nodeAt[targetNode(cmp.Or(old, pod))]
	if !ok || old == nil && (pod.Namespace != r.ds.Namespace || !r.ds.Spec.Selector.Matches(pod.Labels)) {
		return false
	}
	if old == nil {
		r.live[pod.Labels[api.ControllerRevisionHashLabel]]++
	} else if pod == nil {
		r.live[old.Labels[api.ControllerRevisionHashLabel]]--
	}
	p := &r.places[at]
	p.seen = false
	pods := make([]*api.Pod, 0, len(p.pods)+1)
	for _, have := range p.pods {
		if old == nil || have.UID != old.UID {
			pods = append(pods, have)
		}
	}
	if pod != nil && !(pod.Finished() && pod.Terminating()) {
		pods = append(pods, pod)
	}
	p.pods = pods
	if len(pods) > 1 {
		slices.SortFunc(pods, byCreation)
	}
	return true
}
