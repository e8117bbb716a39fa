package scheduler

import (
	"fmt"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
)

// group is bound pods that every term of an affinity treats alike: pods of one template have the same labels, namespace and
// spec. So a term is compared with each group, not with each pod.
type group struct {
	pod     *api.Pod // one of them
	key     groupKey
	index   int // in groups.list
	pods    int
	on      map[*node]int
	leaving map[*node]int         // those of them that are terminating
	domains map[string]*domainSet // by label key: those of the nodes with such pods, found when needed; see domainsOf
}

type groupKey struct {
	spec      *api.PodSpec
	namespace string
	labels    string // in the order of their keys, as fmt prints a map
}

// groups are all groups. They stay empty in a cluster without pod affinity or spread constraints, which is the usual case.
type groups struct {
	used  bool
	list  []*group // the order does not matter
	byKey map[groupKey]*group
}

// useGroups groups the bound pods, once a pod has affinity, anti-affinity or spread constraints.
func (l *ledger) useGroups() {
	if l.used {
		return
	}
	l.used, l.byKey = true, map[groupKey]*group{}
	for _, c := range l.pods {
		l.join(c)
	}
}

// groupOf returns the group of a pod, a new one for the first pod of its kind.
func (l *ledger) groupOf(pod *api.Pod) *group {
	key := groupKey{pod.Spec, pod.Namespace, fmt.Sprint(pod.Labels)}
	g := l.byKey[key]
	if g == nil {
		g = &group{pod: pod, key: key, index: len(l.list), on: map[*node]int{}, leaving: map[*node]int{}, domains: map[string]*domainSet{}}
		l.list, l.byKey[key] = append(l.list, g), g
	}
	return g
}

func (g *group) holds(pod *api.Pod) bool {
	return g.pod.Spec == pod.Spec && g.pod.Namespace == pod.Namespace &&
		(api.SameMap(g.pod.Labels, pod.Labels) || maps.Equal(g.pod.Labels, pod.Labels))
}

// join adds a pod to its group, with the domains of its node.
func (l *ledger) join(c *claim) {
	if !l.used {
		return
	}
	c.group = l.groupOf(c.pod)
	c.group.pods++
	if c.pod.Terminating() {
		c.group.leaving[c.node]++
	}
	if c.group.on[c.node]++; c.group.on[c.node] == 1 {
		for _, set := range c.group.domains {
			set.add(c.node)
		}
	}
}

// leave takes a pod out of its group. Another node may be in the same domain, so the domains are found again when they are needed.
func (l *ledger) leave(c *claim) {
	g := c.group
	if g == nil {
		return
	}
	g.pods--
	if c.pod.Terminating() {
		g.leaving[c.node]--
	}
	if g.on[c.node]--; g.on[c.node] == 0 {
		delete(g.on, c.node)
		clear(g.domains)
	}
	if g.pods == 0 {
		last := len(l.list) - 1
		l.list[g.index] = l.list[last]
		l.list[g.index].index = g.index
		l.list = l.list[:last]
		delete(l.byKey, g.key)
	}
}

// forgetDomains is called when a node appears, disappears, or has other labels.
func (l *ledger) forgetDomains() {
	clear(l.topologies)
	for _, g := range l.list {
		clear(g.domains)
	}
}

// domainsOf returns the domains of a node label in which a group has pods.
func (l *ledger) domainsOf(g *group, key string) *domainSet {
	set := g.domains[key]
	if set == nil {
		t := l.topologyOf(key)
		set = &domainSet{topology: t, in: make([]bool, t.domains)}
		for n := range g.on {
			set.add(n)
		}
		g.domains[key] = set
	}
	return set
}
