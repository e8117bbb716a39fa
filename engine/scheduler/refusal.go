package scheduler

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// What the search for a victim says of a node (G-32).
const (
	noVictims  = "No preemption victims found for incoming pod"
	notHelpful = "Preemption is not helpful for scheduling"
)

// whyNot says why no node takes a pod, in the words of the scheduler (G-32).
func (l *ledger) whyNot(pod *api.Pod) string {
	if len(l.nodes) == 0 {
		return "no nodes available to schedule pods"
	}
	var reasons, preemption tally
	need := takes(pod.Spec)
	for _, n := range l.nodes {
		if reason := n.mismatch(pod); reason != "" {
			reasons.count(reason)
			preemption.count(notHelpful)
			continue
		}
		for _, reason := range n.shortOf(need) {
			reasons.count(reason)
		}
		preemption.count(n.victims(need))
	}
	head := "0/" + strconv.Itoa(len(l.nodes)) + " nodes are available: "
	return head + reasons.String() + ". preemption: " + head + preemption.String() + "."
}

// shortOf returns every resource that a node has too little of (noderesources/fit.go:fitsRequest).
func (n *node) shortOf(need amounts) (reasons []string) {
	if !enough(n.has.pods, n.used.pods, need.pods) {
		reasons = append(reasons, "Too many pods")
	}
	if !enough(n.has.cpu, n.used.cpu, need.cpu) {
		reasons = append(reasons, "Insufficient cpu")
	}
	if !enough(n.has.memory, n.used.memory, need.memory) {
		reasons = append(reasons, "Insufficient memory")
	}
	return reasons
}

// victims says what preemption makes of a node that lacks room. Where the pod asks for more than the whole node has,
// no victim could help (noderesources/fit.go:InsufficientResource.Unresolvable).
func (n *node) victims(need amounts) string {
	if !enough(n.has.cpu, 0, need.cpu) || !enough(n.has.memory, 0, need.memory) {
		return notHelpful
	}
	return noVictims
}

// tally counts texts.
type tally struct {
	texts  []string
	counts []int
}

func (t *tally) count(text string) {
	i := slices.Index(t.texts, text)
	if i < 0 {
		t.texts, t.counts = append(t.texts, text), append(t.counts, 0)
		i = len(t.texts) - 1
	}
	t.counts[i]++
}

// String lists the texts behind their counts, sorted as text.
func (t *tally) String() string {
	list := make([]string, len(t.texts))
	for i, text := range t.texts {
		list[i] = strconv.Itoa(t.counts[i]) + " " + text
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
