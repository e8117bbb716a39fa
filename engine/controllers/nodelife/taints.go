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

// conditionTaint returns the key of the taint that a status of Ready leads to, "" for none.
func conditionTaint(status string) string {
	switch status {
	case "False":
		return api.TaintNodeNotReady
	case "Unknown":
		return api.TaintNodeUnreachable
	}
	return ""
}

// noExecuteFor returns the taint that drives pods from a node whose Ready condition has a status that is not True.
func noExecuteFor(status string) *api.Taint {
	if status == "False" {
		return &notReady
	}
	return &unreachable
}

// taintNoSchedule gives a node the taints that keep new pods away, and takes those off that have no reason any more
// (G-41, P-23).
func (m *monitor) taintNoSchedule(n *api.Node) {
	var want []api.Taint
	if key := conditionTaint(readiness(n)); key != "" {
		want = append(want, api.Taint{Key: key, Effect: api.NoSchedule})
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

// ownTaints returns the taints of a node that keep pods away and that the controller sets itself.
func ownTaints(taints []api.Taint) (list []api.Taint) {
	for _, t := range taints {
		switch t.Key {
		case api.TaintNodeNotReady, api.TaintNodeUnreachable, api.TaintNodeUnschedulable:
			if t.Effect == api.NoSchedule {
				list = append(list, t)
			}
		}
	}
	return list
}

// missing returns the taints of a list that are not in another one.
func missing(list, from []api.Taint) (rest []api.Taint) {
	for i := range list {
		if findTaint(from, &list[i]) < 0 {
			rest = append(rest, list[i])
		}
	}
	return rest
}

// swap adds taints to a node and then takes others off, in two writes as upstream (controller/util/node/
// controller_utils.go:SwapNodeControllerTaint). What is so already is not written.
func (m *monitor) swap(node string, add, remove []api.Taint, why *sim.Explain) {
	m.edit(node, "tainted", add, true, why)
	m.edit(node, "taint taken off", remove, false, why)
}

// edit sets taints of a node that it does not have, or takes those off that it has, in one write.
func (m *monitor) edit(node, what string, list []api.Taint, set bool, why *sim.Explain) {
	o, err := m.client.Get(nodeKey(node))
	if len(list) == 0 || err != nil {
		return // nothing to do, or the node went in this very moment
	}
	n, changed := o.(*api.Node).DeepCopy(), false
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
		_, err = m.client.Update(n, what, why)
		must(err)
	}
}

// removeTaints takes off the taints that drive pods away from a lost node, and forgets that they were to be set (G-46).
// Upstream makes one write of each.
func (m *monitor) removeTaints(n *api.Node) {
	for _, t := range []api.Taint{unreachable, notReady} {
		if findTaint(n.Spec.Taints, &t) >= 0 {
			m.swap(n.Name, nil, []api.Taint{t}, whyReachable)
		}
	}
	m.dequeue(n.Name)
}
