package scheduler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// The reasons of the filter for pod affinity (interpodaffinity/filtering.go).
const (
	affinityUnmet        = "node(s) didn't match pod affinity rules"
	antiAffinityUnmet    = "node(s) didn't match pod anti-affinity rules"
	existingAntiAffinity = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// domains are the topology domains of some pods, label by label and group by group.
type domains []*domainSet

// domainSet is a set of the domains of one label.
type domainSet struct {
	*topology
	in  []bool // by the number of the domain
	any bool
}

// add adds the domain of a node. A node without the label has no domain, nor has a deleted one.
func (s *domainSet) add(n *node) {
	if d := s.domain(n); d >= 0 {
		s.in[d], s.any = true, true
	}
}

func (s *domainSet) has(n *node) bool {
	d := s.domain(n)
	return d >= 0 && s.in[d]
}

// add adds the domains of a group's nodes for a label.
func (a *domains) add(set *domainSet) {
	if set.any {
		*a = append(*a, set)
	}
}

// has says whether a node is in one of the domains of a label.
func (a domains) has(key string, n *node) bool {
	return slices.ContainsFunc(a, func(s *domainSet) bool { return s.key == key && s.has(n) })
}

// affinities returns the affinity and the anti-affinity of a spec to other pods, without terms if it has none.
func affinities(s *api.PodSpec) (near, far api.PodAffinity) {
	a := api.Given(s.Affinity)
	return api.Given(a.PodAffinity), api.Given(a.PodAntiAffinity)
}

// matchesAll says whether all terms match another pod.
func matchesAll(terms []api.PodAffinityTerm, of, other *api.Pod) bool {
	return !slices.ContainsFunc(terms, func(t api.PodAffinityTerm) bool { return !t.Matches(of, other) })
}

// findDomains finds the domains of the pods that a candidate has affinity or anti-affinity to, and of those with anti-affinity to it
// (interpodaffinity/filtering.go:PreFilter).
func (l *ledger) findDomains(p *candidate) {
	a, anti := affinities(p.pod.Spec)
	near, far := a.Required, anti.Required
	for _, g := range l.list {
		breath.Often()
		_, avoids := affinities(g.pod.Spec)
		terms := avoids.Required
		for i := range terms {
			if terms[i].Matches(g.pod, p.pod) {
				p.avoiding.add(l.domainsOf(g, terms[i].TopologyKey))
			}
		}
		if matchesAll(near, p.pod, g.pod) {
			for i := range near {
				p.near.add(l.domainsOf(g, near[i].TopologyKey))
			}
		}
		for i := range far {
			if far[i].Matches(p.pod, g.pod) {
				p.far.add(l.domainsOf(g, far[i].TopologyKey))
			}
		}
	}
	p.first = len(p.near) == 0 && matchesAll(near, p.pod, p.pod)
}

// affinityMismatch returns why the affinity of pods keeps a candidate from a node, "" if it does not
// (interpodaffinity/filtering.go:Filter).
func (l *ledger) affinityMismatch(p *candidate, n *node) string {
	near, far := affinities(p.pod.Spec)
	for _, t := range near.Required {
		if _, ok := n.object.Labels[t.TopologyKey]; !ok || !p.first && !p.near.has(t.TopologyKey, n) {
			return affinityUnmet
		}
	}
	for _, t := range far.Required {
		if p.far.has(t.TopologyKey, n) {
			return antiAffinityUnmet
		}
	}
	if slices.ContainsFunc(p.avoiding, func(s *domainSet) bool { return s.has(n) }) {
		return existingAntiAffinity
	}
	return ""
}
