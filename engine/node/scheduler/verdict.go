package scheduler

import "github.com/rollplay/rollplay/engine/api"

// Verdict is the scheduler's verdict on one node for a pod.
type Verdict struct {
	Node       string
	Reasons    []string // why the pod does not fit; empty if it does
	Resolvable bool     // removing pods could help
	Score      int64    // of the nodes that fit: the weighted sum of the scores
}

// Verdicts says, for each node by name, whether a pod fits there beside the bound pods. Only the judge of the scheduler calls it.
func Verdicts(nodes []*api.Node, bound []*api.Pod, pod *api.Pod) []Verdict {
	l := newLedger()
	for _, n := range nodes {
		l.setNode(n)
	}
	for _, p := range bound {
		l.take(p, p.NodeName)
	}
	p := l.candidate(pod)
	verdicts, fit := make([]Verdict, len(l.nodes())), []*node{}
	for i, n := range l.nodes() {
		v := &verdicts[i]
		v.Node = n.object.Name
		v.Reasons, v.Resolvable = l.refusals(p, n)
		if len(v.Reasons) == 0 {
			fit = append(fit, n)
		}
	}
	scores := l.scores(p, fit)
	for i := range verdicts {
		if len(verdicts[i].Reasons) == 0 {
			verdicts[i].Score, scores = scores[0], scores[1:]
		}
	}
	return verdicts
}
