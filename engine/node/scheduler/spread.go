package scheduler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// The reasons of the filter for spread constraints (podtopologyspread/plugin.go).
const (
	spreadUnmet      = "node(s) didn't match pod topology spread constraints"
	spreadUnlabelled = spreadUnmet + " (missing required label)"
)

// topology numbers the values of a node label, its domains.
type topology struct {
	key     string
	of      []int // by the node's id: the number of its domain, -1 without the label
	domains int
}

// topologyOf returns the domains of a node label. They stay valid until a node appears, disappears, or has other labels.
func (l *ledger) topologyOf(key string) *topology {
	t := l.topologies[key]
	if t == nil {
		t = &topology{key: key, of: make([]int, len(l.byName))}
		for i := range t.of {
			t.of[i] = -1
		}
		numbers := map[string]int{}
		for _, n := range l.nodes() {
			if value, ok := n.object.Labels[key]; ok {
				number, known := numbers[value]
				if !known {
					number = len(numbers)
					numbers[value] = number
				}
				t.of[n.id] = number
			}
		}
		t.domains = len(numbers)
		l.topologies[key] = t
	}
	return t
}

// domain returns the number of a node's domain, -1 if it has none.
func (t *topology) domain(n *node) int {
	if n.id >= len(t.of) {
		return -1 // a deleted node whose pods remain
	}
	return t.of[n.id]
}

// constraint is a spread constraint with the pods that it counts.
type constraint struct {
	*api.TopologySpreadConstraint
	*topology
	self   int   // 1 if it counts the candidate itself
	onNode []int // by the node's id: the pods that it selects there
	pods   []int // by domain: the same, on the nodes that it takes into account
	fewest int   // the global minimum, from which the skew is counted
}

// constraints returns the spread constraints of a candidate with one way to treat those that cannot be satisfied, with their counts
// (podtopologyspread/filtering.go:calPreFilterState, scoring.go:PreScore).
func (l *ledger) constraints(p *candidate, action string) (list []*constraint) {
	all := p.pod.Spec.TopologySpreadConstraints
	for i := range all {
		if all[i].WhenUnsatisfiable == action {
			list = append(list, &constraint{TopologySpreadConstraint: &all[i], topology: l.topologyOf(all[i].TopologyKey)})
		}
	}
	if len(list) == 0 {
		return nil
	}
	complete := make([]bool, len(l.byName)) // by the node's id: it has the labels of all constraints
	for _, n := range l.nodes() {
		complete[n.id] = labelled(list, n)
	}
	for _, c := range list {
		l.count(p, c, complete)
	}
	return list
}

// labelled says whether a node has the labels of all constraints.
func labelled(list []*constraint, n *node) bool {
	return !slices.ContainsFunc(list, func(c *constraint) bool { return c.domain(n) < 0 })
}

// count counts the pods of a constraint: on each node, in each domain, and in the domain with the fewest. A domain counts if one of its
// nodes has the labels of all constraints and is not excluded by a policy. With fewer domains than minDomains the minimum is 0.
//
// Example: zones a, b and c with 3, 1 and 2 pods, maxSkew 1. The minimum is 1, so another pod may go to b (1 + 1 − 1 ≤ 1), but
// not to c (2 + 1 − 1 > 1). With minDomains 4 the minimum is 0, and it may go to none of them.
func (l *ledger) count(p *candidate, c *constraint, complete []bool) {
	if c.Matches(p.pod.Labels, p.pod.Labels) {
		c.self = 1
	}
	c.onNode = l.selected(p.pod, c.TopologySpreadConstraint)
	c.pods = make([]int, c.domains)
	counted, domains := make([]bool, c.domains), 0
	for _, n := range l.nodes() {
		if !complete[n.id] || !c.takes(p, n) {
			continue
		}
		d := c.domain(n)
		if !counted[d] {
			counted[d] = true
			domains++
		}
		c.pods[d] += c.onNode[n.id]
	}
	first := true
	for d, ok := range counted {
		if ok && (first || c.pods[d] < c.fewest) {
			c.fewest, first = c.pods[d], false
		}
	}
	if c.MinDomains != nil && domains < int(*c.MinDomains) {
		c.fewest = 0
	}
}

// selected counts, by the node's id, the pods that a constraint of a pod selects. Terminating pods do not count
// (podtopologyspread/common.go:countPodsMatchSelector).
func (l *ledger) selected(pod *api.Pod, c *api.TopologySpreadConstraint) []int {
	counts := make([]int, len(l.byName))
	if !c.Counts(pod.Labels) {
		return counts
	}
	for _, g := range l.list {
		if g.key.namespace == pod.Namespace && c.Matches(pod.Labels, g.pod.Labels) {
			for n, k := range g.on {
				counts[n.id] += k - g.leaving[n]
			}
		}
	}
	return counts
}

// takes says whether the policies of a constraint let a node count (podtopologyspread/common.go:matchNodeInclusionPolicies).
func (c *constraint) takes(p *candidate, n *node) bool {
	if c.NodeAffinityPolicy != api.Ignore && !p.selects(n) {
		return false
	}
	return c.NodeTaintsPolicy != api.Honor || len(n.taints) == 0 || p.tolerates(n.taints)
}

// spreadMismatch returns why the spread constraints keep a candidate from a node, "" if they do not
// (podtopologyspread/filtering.go:Filter).
func (p *candidate) spreadMismatch(n *node) string {
	for _, c := range p.spread {
		d := c.domain(n)
		if d < 0 {
			return spreadUnlabelled
		}
		if c.pods[d]+c.self-c.fewest > int(c.MaxSkew) {
			return spreadUnmet
		}
	}
	return ""
}
