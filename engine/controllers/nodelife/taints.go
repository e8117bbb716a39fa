package nodelife

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	unreachable = api.Taint{Key: api.TaintNodeUnreachable, Effect: api.NoExecute}
	notReady    = api.Taint{Key: api.TaintNodeNotReady, Effect: api.NoExecute}

	whyNoSchedule = why.Note("G-41", upstreamGo+"doNoScheduleTaintingPass",
		"the taints follow from the Ready condition and from spec.unschedulable, at once")
	whyCordoned  = why.Note("P-23", upstreamGo+"doNoScheduleTaintingPass", "the taint follows from spec.unschedulable")
	whyReachable = why.Note("G-46", upstreamGo+"markNodeAsReachable", "the node is Ready")
)

// noExecuteFor returns the taint that evicts pods for a status of Ready that isn't True, and the one for the other such status.
func noExecuteFor(status string) (taint, other api.Taint) {
	if status == "False" {
		return notReady, unreachable
	}
	return unreachable, notReady
}

// taintNoSchedule adds the taints that keep new pods away from a node, and removes those without a reason (G-41, P-23).
func (m *monitor) taintNoSchedule(n *api.Node) {
	var want []api.Taint
	if ready := readiness(n); ready == "False" || ready == "Unknown" {
		taint, _ := noExecuteFor(ready)
		want = append(want, api.Taint{Key: taint.Key, Effect: api.NoSchedule})
	}
	if n.Spec.Unschedulable {
		want = append(want, api.Taint{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule})
	}
	add := missing(want, n.Spec.Taints)
	remove := missing(ownTaints(n.Spec.Taints), want)
	why := whyNoSchedule
	if len(add)+len(remove) > 0 && append(add, remove...)[0].Key == api.TaintNodeUnschedulable {
		why = whyCordoned
	}
	m.swap(n.Name, add, remove, why)
}

// ownTaints returns the NoSchedule taints of a node that this controller sets.
func ownTaints(taints []api.Taint) []api.Taint {
	own := []string{api.TaintNodeNotReady, api.TaintNodeUnreachable, api.TaintNodeUnschedulable}
	return slices.DeleteFunc(slices.Clone(taints), func(t api.Taint) bool {
		return t.Effect != api.NoSchedule || !slices.Contains(own, t.Key)
	})
}

// missing returns the taints of a list that another one lacks.
func missing(list, from []api.Taint) []api.Taint {
	return slices.DeleteFunc(slices.Clone(list), func(t api.Taint) bool { return findTaint(from, &t) >= 0 })
}

// swap adds taints to a node and then removes others, in two writes as upstream (controller/util/node/
// controller_utils.go:SwapNodeControllerTaint). A write that would change nothing is left out.
func (m *monitor) swap(node string, add, remove []api.Taint, why *sim.Explain) {
	m.edit(node, "tainted", add, true, why)
	m.edit(node, "taint removed", remove, false, why)
}

// edit adds the taints that a node lacks, or removes those it has, in one write.
func (m *monitor) edit(node, what string, list []api.Taint, set bool, why *sim.Explain) {
	o, err := m.client.Get(nodeKey(node))
	if len(list) == 0 || err != nil {
		return // nothing to do, or the node was removed in this ms
	}
	n, changed := api.Copy(o.(*api.Node)), false
	for _, t := range list {
		at := findTaint(n.Spec.Taints, &t)
		switch {
		case set == (at >= 0):
			continue
		case set:
			t.TimeAdded = m.client.Timestamp()
			n.Spec.Taints = append(n.Spec.Taints, t)
		default:
			n.Spec.Taints = slices.Delete(n.Spec.Taints, at, at+1)
		}
		changed = true
		what += " " + t.Key + ":" + t.Effect
	}
	if changed {
		m.client.Must(m.client.Update(n, what, why))
	}
}

// removeTaints removes the taints that evict pods from a lost node, and takes the node out of the queue (G-46). Each is a write
// of its own, as upstream.
func (m *monitor) removeTaints(n *api.Node) {
	for _, t := range []api.Taint{unreachable, notReady} {
		if findTaint(n.Spec.Taints, &t) >= 0 {
			m.swap(n.Name, nil, []api.Taint{t}, whyReachable)
		}
	}
	m.dequeue(n.Name)
}
