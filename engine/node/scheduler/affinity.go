package scheduler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// What the filter of pods among themselves says of a node (interpodaffinity/filtering.go).
const (
	noFriends = "node(s) didn't match pod affinity rules"
	enemies   = "node(s) didn't match pod anti-affinity rules"
	unwanted  = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// area is all nodes with one value of a label.
type area struct{ key, value string }

// areas are those in which some pods are. The zero value is none.
type areas struct {
	keys []string // the labels that they have to do with
	in   map[area]bool
}

// add notes where a node is, in terms of a label; a node without it is nowhere, and so is one that was deleted.
func (a *areas) add(key string, n *node) {
	value, ok := n.object.Labels[key]
	if !ok || !n.present {
		return
	}
	if a.in == nil {
		a.in = map[area]bool{}
	}
	if !slices.Contains(a.keys, key) {
		a.keys = append(a.keys, key)
	}
	a.in[area{key, value}] = true
}

// has says whether a node lies in one of the areas of a label.
func (a *areas) has(key string, n *node) bool {
	value, ok := n.object.Labels[key]
	return ok && a.in[area{key, value}]
}

// affinity returns the terms of a spec that want other pods near, antiAffinity those that want them far away.
func affinity(s *api.PodSpec) []api.PodAffinityTerm {
	if s.Affinity == nil || s.Affinity.PodAffinity == nil {
		return nil
	}
	return s.Affinity.PodAffinity.Required
}

func antiAffinity(s *api.PodSpec) []api.PodAffinityTerm {
	if s.Affinity == nil || s.Affinity.PodAntiAffinity == nil {
		return nil
	}
	return s.Affinity.PodAntiAffinity.Required
}

// means says whether a term of one pod is about another one.
func means(t *api.PodAffinityTerm, of, other *api.Pod) bool {
	if len(t.Namespaces) == 0 && of.Namespace != other.Namespace ||
		len(t.Namespaces) > 0 && !slices.Contains(t.Namespaces, other.Namespace) {
		return false
	}
	return t.LabelSelector.Matches(other.Labels)
}

// meansAll says whether every one of some terms is about another pod.
func meansAll(terms []api.PodAffinityTerm, of, other *api.Pod) bool {
	for i := range terms {
		if !means(&terms[i], of, other) {
			return false
		}
	}
	return true
}

// meet finds out where the pods are that a candidate wants to be near or far from, and those that do not want it
// (interpodaffinity/filtering.go:PreFilter). It looks at no pod if nobody asks for that.
func (l *ledger) meet(p *candidate) {
	for _, g := range l.guards {
		terms := antiAffinity(g.pod.Spec)
		for i := range terms {
			if means(&terms[i], g.pod, p.pod) {
				p.banned.add(terms[i].TopologyKey, g.node)
			}
		}
	}
	near, far := affinity(p.pod.Spec), antiAffinity(p.pod.Spec)
	if len(near)+len(far) == 0 {
		return
	}
	for _, c := range l.pods {
		if len(near) > 0 && meansAll(near, p.pod, c.pod) {
			for i := range near {
				p.near.add(near[i].TopologyKey, c.node)
			}
		}
		for i := range far {
			if means(&far[i], p.pod, c.pod) {
				p.far.add(far[i].TopologyKey, c.node)
			}
		}
	}
	p.first = len(p.near.in) == 0 && meansAll(near, p.pod, p.pod)
}

// unfriendly returns why a candidate may not run on a node because of the pods around, "" if it may
// (interpodaffinity/filtering.go:Filter).
func (l *ledger) unfriendly(p *candidate, n *node) string {
	for _, t := range affinity(p.pod.Spec) {
		if _, ok := n.object.Labels[t.TopologyKey]; !ok || !p.first && !p.near.has(t.TopologyKey, n) {
			return noFriends
		}
	}
	for _, t := range antiAffinity(p.pod.Spec) {
		if p.far.has(t.TopologyKey, n) {
			return enemies
		}
	}
	for _, key := range p.banned.keys {
		if p.banned.has(key, n) {
			return unwanted
		}
	}
	return ""
}
