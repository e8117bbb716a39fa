package scheduler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// candidate is a pod that needs a node, with the input of the filters (G-31).
type candidate struct {
	pod   *api.Pod
	need  amounts  // what the filters count
	wants amounts  // and the scores
	names []string // the nodes that its affinity names; nil: any
	ports []api.HostPort

	tolerations []api.Toleration // nil until a filter needs them

	near, far domains // of the pods that its affinity and its anti-affinity match
	first     bool    // its affinity matches no pod but itself: the first pod of a group may go anywhere
	avoiding  domains // of the pods whose anti-affinity matches it

	spread []*constraint // its spread constraints with DoNotSchedule
	owner  *owner        // its controller, nil without one

	anyway []*constraint // its spread constraints with ScheduleAnyway
	likes  []preference  // by label: the weights of preferred pods
}

// candidate prepares the input of the filters for a pod.
func (l *ledger) candidate(pod *api.Pod) *candidate {
	p := &candidate{pod: pod, need: pod.Spec.Needs(), wants: wants(pod.Spec), names: namedNodes(pod), ports: pod.Spec.HostPorts()}
	if pod.Spec.Relates() {
		l.useGroups()
	}
	l.findDomains(p)
	p.spread, p.owner = l.constraints(p, api.DoNotSchedule), l.ownerOf(pod)
	return p
}

// namedNodes returns the nodes that a pod's affinity names, nil unless every term names some
// (nodeaffinity/node_affinity.go:PreFilter).
func namedNodes(pod *api.Pod) (names []string) {
	if pod.TargetNode != "" {
		return []string{pod.TargetNode}
	}
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.Required == nil {
		return nil
	}
	for _, term := range a.NodeAffinity.Required.Terms {
		named := false
		for _, f := range term.MatchFields {
			if f.Key == "metadata.name" && f.Operator == "In" {
				names, named = append(names, f.Values...), true
			}
		}
		if !named {
			return nil
		}
	}
	return names
}

// keepingAway returns the taints that keep pods away, which PreferNoSchedule does not.
func keepingAway(taints []api.Taint) []api.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t api.Taint) bool { return t.Effect != api.NoSchedule && t.Effect != api.NoExecute })
}

// cordon is the taint that a pod on a cordoned node has to tolerate.
var cordon = []api.Taint{{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule}}

// mismatch returns why a node is wrong for a pod whatever else runs there, "" if it isn't. The filters have upstream's order
// (scheduler/apis/config/v1/default_plugins.go:getDefaultPlugins).
func (n *node) mismatch(p *candidate) string {
	switch pod := p.pod; {
	case p.names != nil && !slices.Contains(p.names, n.object.Name):
		return "node(s) didn't satisfy plugin(s) [NodeAffinity]"
	case pod.Spec.NodeName != "" && pod.Spec.NodeName != n.object.Name:
		return "node(s) didn't match the requested node name"
	case n.object.Spec.Unschedulable && !p.tolerates(cordon):
		return "node(s) were unschedulable"
	case len(n.taints) > 0 && !p.tolerates(n.taints):
		return "node(s) had untolerated taint(s)"
	case !p.selects(n):
		return "node(s) didn't match Pod's node affinity/selector"
	}
	return ""
}

// selects says whether a candidate's node selector and required affinity match a node. A DaemonSet's pod has its node instead of the
// affinity of its template (controller/daemon/util/daemonset_util.go:ReplaceDaemonSetPodNodeNameNodeAffinity).
func (p *candidate) selects(n *node) bool {
	if p.pod.TargetNode != "" {
		return p.pod.TargetNode == n.object.Name && p.pod.Spec.SelectsNode(n.object)
	}
	return p.pod.Spec.MatchesNode(n.object)
}

func (p *candidate) tolerates(taints []api.Taint) bool {
	if p.tolerations == nil {
		p.tolerations = p.pod.Tolerations()
	}
	for i := range taints {
		if !api.Tolerated(p.tolerations, &taints[i]) {
			return false
		}
	}
	return true
}

// portsTaken says whether any of the ports is in use (nodeports/node_ports.go:fitsPorts).
func (n *node) portsTaken(ports []api.HostPort) bool {
	for _, want := range ports {
		for _, have := range n.ports {
			if want.Port == have.Port && want.Protocol == have.Protocol && sameAddress(want.IP, have.IP) {
				return true
			}
		}
	}
	return false
}

// sameAddress says whether two addresses conflict for a port. No address means all of them.
func sameAddress(a, b string) bool { return a == b || everywhere(a) || everywhere(b) }

func everywhere(ip string) bool { return ip == "" || ip == "0.0.0.0" }
