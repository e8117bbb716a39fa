package daemon

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const updateGo = "pkg/controller/daemon/update.go:"

// rollingUpdate replaces old pods as far as the strategy allows now (DS-10, DS-12).
func (c *Controller) rollingUpdate(r *round, then func(error) error) error {
	desired := r.desired()
	maxSurge, maxUnavailable := Bounds(r.ds, desired)
	if maxSurge == 0 {
		return c.replaceInPlace(r, maxUnavailable, then)
	}
	return c.replaceWithSurge(r, maxSurge, desired, then)
}

// inPlace is the state of the nodes in a rolling update without a surge.
type inPlace struct {
	unavailable int        // nodes without an available pod
	blame       blame      // why each of them has none
	broken      []*api.Pod // old pods that are not available: deleting them costs no availability
	candidates  []*api.Pod // old pods that are available
	held        int        // available old pods beyond maxUnavailable
}

// replaceInPlace deletes old pods while at most maxUnavailable nodes have no available pod (DS-10). Once an old pod is gone,
// manage creates the new one.
//
// Four nodes with old, available pods and maxUnavailable 1:
//
//   - At first min(4, 1 - 0) = 1, so the pod of node-1 is deleted.
//   - While it terminates, or its successor is not available yet, 1 - 1 = 0: the other nodes wait.
//   - If instead the old pod of node-3 is not available, it is deleted at once, because that costs no availability; for the
//     others, again 1 - 1 = 0.
func (c *Controller) replaceInPlace(r *round, maxUnavailable int, then func(error) error) error {
	n := r.inPlace(maxUnavailable)
	budget := min(len(n.candidates), max(0, maxUnavailable-n.unavailable))
	sum := why.Sum("DS-10", updateGo+"rollingUpdate",
		"min(candidates, max(0, maxUnavailable - unavailable))", budget, len(n.candidates), maxUnavailable, n.unavailable)
	var p plan
	p.removes(whyOldBroken, n.broken...)
	p.removes(sum, n.candidates[:budget]...)
	switch {
	case len(p.remove) > 0:
		c.loop.Branch("rolling update, deletes old pods", sum.Noting("at most maxUnavailable nodes are without an available pod"))
	case len(n.candidates)+n.held > 0:
		c.loop.Decide(r.ds.Key(), fmt.Sprintf("no old pod may be deleted yet: %d of at most %d unavailable: %s",
			n.unavailable, maxUnavailable, &n.blame), sum.Noting("every node without an available pod counts, whatever the reason"))
	}
	return c.syncNodes(r, &p, then)
}

var whyOldBroken = why.Note("DS-10", updateGo+"rollingUpdate",
	"an old pod that is not available is replaced whatever maxUnavailable is: that costs no availability")

// inPlace checks every node in the order of their names (DS-11). Once maxUnavailable nodes are without an available pod, it
// adds no more candidates.
func (r *round) inPlace(maxUnavailable int) (n inPlace) {
	lost := func(p *place, why string) {
		n.unavailable++
		n.blame.add(p.name, why)
	}
	for p := range r.checked {
		switch p.roll {
		case tooMany:
			lost(p, " has too many pods")
		case empty:
			lost(p, p.whyEmpty())
		case both:
			lost(p, " has an old pod beside the new one")
		case newWaiting:
			lost(p, "'s pod is not available")
		case oldWaiting:
			lost(p, "'s old pod is not available")
			n.broken = append(n.broken, p.oldPod)
		case oldAvailable:
			if n.unavailable >= maxUnavailable {
				n.held++
			} else {
				n.candidates = append(n.candidates, p.oldPod)
			}
		}
	}
	return n
}

// whyEmpty returns why a node has no pod that counts.
func (p *place) whyEmpty() string {
	if len(p.pods) > 0 {
		return "'s pod is being deleted"
	}
	return " has no pod"
}

// surging is the state of the nodes in a rolling update with a surge.
type surging struct {
	surge      int        // nodes whose new pod, beside the old one, is not available yet
	blame      blame      // which they are
	available  int        // nodes with an available pod; if there is an old pod, only that one counts
	replaced   []*api.Pod // old pods whose new pod is available
	useless    []*api.Pod // old pods that are not available, on nodes that should no longer run one
	sunset     []*api.Pod // available old pods on nodes that should no longer run one
	broken     []string   // nodes whose old pod is not available: a new pod there does not count as surge
	candidates []string   // nodes whose old pod is available
	held       int        // such nodes beyond maxSurge
}

// replaceWithSurge creates new pods beside old ones on at most maxSurge nodes at a time, and deletes an old pod once the new
// pod of its node is available (DS-12). On nodes that should no longer run a pod, it deletes old pods while enough others are
// available.
//
// Four nodes with old, available pods and maxSurge 2:
//
//   - At first min(4, 2 - 0) = 2, so node-1 and node-2 get a new pod beside the old one.
//   - When the new pod of node-1 is available, its old pod is deleted. Now only node-2 surges: min(2, 2 - 1) = 1, so node-3 gets
//     a new pod.
//   - If the old pod of node-4 is not available, node-4 gets a new pod at once: without an available old pod it does not count
//     as surge.
func (c *Controller) replaceWithSurge(r *round, maxSurge, desired int, then func(error) error) error {
	n, err := r.surging(maxSurge)
	if err != nil {
		return then(err)
	}
	budget := min(len(n.candidates), max(0, maxSurge-n.surge))
	sum := why.Sum("DS-12", updateGo+"rollingUpdate",
		"min(candidates, max(0, maxSurge - surging))", budget, len(n.candidates), maxSurge, n.surge)
	var p plan
	p.removes(whyPartner, n.replaced...)
	p.removes(whyUseless, n.useless...)
	n.removeSunset(&p, desired)
	p.creates(whyNoSurge, n.broken...)
	p.creates(sum, n.candidates[:budget]...)
	switch {
	case len(p.create) > 0:
		c.loop.Branch("rolling update, creates new pods beside old ones", sum.Noting("a new pod starts beside the old one on at most maxSurge nodes"))
	case len(p.remove) > 0:
		c.loop.Branch("rolling update with a surge, deletes old pods", p.remove[0].why)
	case len(n.candidates)+n.held > 0:
		c.loop.Decide(r.ds.Key(), fmt.Sprintf("no new pod may start beside an old one yet: %d of at most %d surging: %s",
			n.surge, maxSurge, &n.blame), sum.Noting("a node counts until its new pod is available"))
	}
	return c.syncNodes(r, &p, then)
}

// removeSunset plans the deletion of old pods on nodes that should no longer run a pod, while enough pods are available. With
// 5 available pods on 4 desired nodes, one of two such pods is deleted: min(2, 5 - 4) = 1.
func (n *surging) removeSunset(p *plan, desired int) {
	spare := min(len(n.sunset), max(0, n.available-desired))
	sum := why.Sum("DS-12", updateGo+"rollingUpdate", "min(leaving, max(0, available - desired))", spare, len(n.sunset), n.available, desired)
	p.removes(sum.Noting("the node should no longer run a pod, and enough others are available"), n.sunset[:spare]...)
}

var (
	whyPartner = why.Note("DS-12", updateGo+"rollingUpdate", "the node's new pod is available")
	whyUseless = why.Note("DS-12", updateGo+"rollingUpdate", "the node should no longer run a pod, and the old one is not available")
	whyNoSurge = why.Note("DS-12", updateGo+"rollingUpdate", "the node's old pod is not available, so a new one beside it does not count as surge")
)

// surging checks every node in the order of their names (DS-11). A deleted node with an old pod is an error, because it is
// unknown whether the node should run a pod.
func (r *round) surging(maxSurge int) (n surging, err error) {
	for p := range r.checked {
		old := p.oldPod
		available := old != nil && r.available(old)
		if available || p.roll == newAvailable {
			n.available++
		}
		switch {
		case p.roll == tooMany:
			n.surge++
			n.blame.add(p.name, " has too many pods")
		case p.roll == both && r.available(p.newPod):
			n.replaced = append(n.replaced, old)
		case p.roll == both:
			n.surge++
			n.blame.add(p.name, "'s new pod is not available")
		case old == nil:
		case p.node == nil:
			return n, fmt.Errorf("couldn't get node for nodeName %q: node %[1]q not found", p.name)
		case !p.run && available:
			n.sunset = append(n.sunset, old)
		case !p.run:
			n.useless = append(n.useless, old)
		case !available:
			n.broken = append(n.broken, p.name)
		case n.surge >= maxSurge:
			n.held++
		default:
			n.candidates = append(n.candidates, p.name)
		}
	}
	return n, nil
}

// findUpdatedPodsOnNode returns the new and the old pod of a node, ignoring terminating pods. If the node has two new or two
// old pods, ok is false: manage has to delete one first.
func (r *round) findUpdatedPodsOnNode(p *place) (newPod, oldPod *api.Pod, ok bool) {
	for _, pod := range p.pods {
		if pod.Terminating() {
			continue
		}
		which := &oldPod
		if r.updated(pod) {
			which = &newPod
		}
		if *which != nil {
			return nil, nil, false
		}
		*which = pod
	}
	return newPod, oldPod, true
}

// blame is the first reasons and the number of all: a list of a thousand nodes would help no reader.
type blame struct {
	first []string
	all   int
}

const blameMax = 3

func (b *blame) add(node, why string) {
	if b.all++; b.all <= blameMax {
		b.first = append(b.first, node+why)
	}
}

func (b *blame) String() string {
	text := strings.Join(b.first, ", ")
	if b.all > blameMax {
		text += fmt.Sprintf(" and %d more", b.all-blameMax)
	}
	return text
}
