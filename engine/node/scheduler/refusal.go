package scheduler

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
)

// The results of preemption for a node (G-32).
const (
	noVictims  = "No preemption victims found for incoming pod"
	notHelpful = "Preemption is not helpful for scheduling"
)

// whyNot returns the scheduler's message for a pod that fits no node (G-32).
func (l *ledger) whyNot(p *candidate) string {
	if len(l.nodes()) == 0 {
		return "no nodes available to schedule pods"
	}
	reasons, preemption := tally{}, tally{}
	for _, n := range l.nodes() {
		breath.Often()
		texts, resolvable := l.refusals(p, n)
		for _, text := range texts {
			reasons[text]++
		}
		if resolvable {
			preemption[noVictims]++
		} else {
			preemption[notHelpful]++
		}
	}
	head := "0/" + strconv.Itoa(len(l.nodes())) + " nodes are available: "
	return head + reasons.String() + ". preemption: " + head + preemption.String() + "."
}

// refusals returns the reasons of the first filter that a node fails, none if it fits, and whether preemption could help: upstream calls the node
// Unschedulable then, else UnschedulableAndUnresolvable.
func (l *ledger) refusals(p *candidate, n *node) (reasons []string, resolvable bool) {
	if reason := n.mismatch(p); reason != "" {
		return []string{reason}, false
	}
	if n.portsTaken(p.ports) {
		return []string{"node(s) didn't have free ports for the requested pod ports"}, true
	}
	if reasons = n.shortOf(p.need); len(reasons) > 0 {
		return reasons, n.roomWithout(p.need)
	}
	if reason := p.spreadMismatch(n); reason != "" {
		return []string{reason}, reason != spreadUnlabelled
	}
	if reason := l.affinityMismatch(p, n); reason != "" {
		return []string{reason}, reason != affinityUnmet
	}
	return nil, true
}

// shortOf returns the reasons for every resource that is too scarce on a node (noderesources/fit.go:fitsRequest).
func (n *node) shortOf(need amounts) (reasons []string) {
	for _, of := range [...]int{podCount, cpu, memory} {
		if !enough(n.has[of], n.used[of], need[of]) {
			reasons = append(reasons, [...]string{"Insufficient cpu", "Insufficient memory", "Too many pods"}[of])
		}
	}
	return reasons
}

// roomWithout says whether the pod fits the empty node. If it does not, preemption cannot help
// (noderesources/fit.go:InsufficientResource.Unresolvable).
func (n *node) roomWithout(need amounts) bool {
	return enough(n.has[cpu], 0, need[cpu]) && enough(n.has[memory], 0, need[memory])
}

// tally counts texts.
type tally map[string]int

// String lists the counts with their texts, sorted as text: "1 node(s) were unschedulable, 2 Insufficient cpu".
func (t tally) String() string {
	list := make([]string, 0, len(t))
	for text, n := range t {
		list = append(list, strconv.Itoa(n)+" "+text)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
