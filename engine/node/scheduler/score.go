package scheduler

import (
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// hostname is the label with the name of a node, which upstream scores node by node; zone is that with its zone.
const (
	hostname = "kubernetes.io/hostname"
	zone     = "topology.kubernetes.io/zone"
)

// hostSkew and zoneSkew are maxSkew of the constraints of a pod without any (podtopologyspread/plugin.go:systemDefaultConstraints).
const hostSkew, zoneSkew = 3, 5

// The weights of the scores (scheduler/apis/config/v1/default_plugins.go), the highest score of a plugin, and the weight of the
// required affinity of pods that are already there (apis/config/v1/defaults.go:SetDefaults_InterPodAffinityArgs).
const (
	spreadWeight       = 2
	affinityWeight     = 2
	fitWeight          = 1
	balanceWeight      = 1
	maxScore           = 100
	hardAffinityWeight = 1
)

// preference sums up, for each domain of a label, the weights of the terms that match pods there.
type preference struct {
	*topology
	weights []int64
}

// mark finds the preferences of a candidate: its spread constraints, its preferred terms, and the terms of the pods that are
// already there (interpodaffinity/scoring.go:processExistingPod).
func (l *ledger) mark(p *candidate) {
	p.anyway = l.constraints(p, api.ScheduleAnyway)
	near, far := affinities(p.pod.Spec)
	for _, g := range l.list {
		l.preferTerms(p, near.Preferred, 1, p.pod, g.pod, g)
		l.preferTerms(p, far.Preferred, -1, p.pod, g.pod, g)
		near, far := affinities(g.pod.Spec)
		for i := range near.Required {
			l.prefer(p, &near.Required[i], hardAffinityWeight, g.pod, p.pod, g)
		}
		l.preferTerms(p, near.Preferred, 1, g.pod, p.pod, g)
		l.preferTerms(p, far.Preferred, -1, g.pod, p.pod, g)
	}
}

func (l *ledger) preferTerms(p *candidate, terms []api.WeightedPodAffinityTerm, sign int64, of, other *api.Pod, g *group) {
	for i := range terms {
		l.prefer(p, &terms[i].Term, sign*int64(terms[i].Weight), of, other, g)
	}
}

// prefer adds the weight of a term that matches, for each pod of a group, to the domain of the pod's node.
func (l *ledger) prefer(p *candidate, t *api.PodAffinityTerm, weight int64, of, other *api.Pod, g *group) {
	if !t.Matches(of, other) {
		return
	}
	m := l.preference(p, t.TopologyKey)
	for n, pods := range g.on {
		if d := m.domain(n); d >= 0 {
			m.weights[d] += weight * int64(pods)
		}
	}
}

// preference returns the preference of a candidate for a label.
func (l *ledger) preference(p *candidate, key string) *preference {
	at := slices.IndexFunc(p.likes, func(m preference) bool { return m.key == key })
	if at < 0 {
		at = len(p.likes)
		t := l.topologyOf(key)
		p.likes = append(p.likes, preference{t, make([]int64, t.domains)})
	}
	return &p.likes[at]
}

// scores returns the weighted sum of the scores of each of the nodes that fit, in their order.
func (l *ledger) scores(p *candidate, fit []*node) []int64 {
	l.mark(p)
	sums := make([]int64, len(fit))
	for i, n := range fit {
		sums[i] = fitWeight*n.freeScore(p) + balanceWeight*n.balanceScore(p)
	}
	for i, s := range l.spreadScores(p, fit) {
		sums[i] += spreadWeight * s
	}
	for i, s := range p.affinityScores(fit) {
		sums[i] += affinityWeight * s
	}
	return sums
}

// freeScore is high if much of the cpu and memory stays free (noderesources/least_allocated.go).
func (n *node) freeScore(p *candidate) int64 {
	free := func(of int) int64 { return max(0, n.room[of]-(n.wanted[of]+p.wants[of])) * maxScore / n.room[of] }
	return (free(cpu) + free(memory)) / 2
}

// balanceScore is high if a pod makes the parts of cpu and memory that are used more alike; a pod without requests does not
// (noderesources/balanced_allocation.go).
func (n *node) balanceScore(p *candidate) int64 {
	if p.need[cpu] == 0 && p.need[memory] == 0 {
		return 0
	}
	return maxScore/2 + (maxScore/2+n.balance(p.need)-n.balance(amounts{}))/2
}

// balance says how alike the used parts are with more requests: from 50, of one all and of the other nothing, to 100.
func (n *node) balance(more amounts) int64 {
	part := func(of int) float64 { return min(1, float64(n.used[of]+more[of])/float64(n.room[of])) }
	return int64((1 - math.Abs((part(cpu)-part(memory))/2)) * maxScore)
}

// spreadScores scores the constraints of a pod, or those that pods of a controller have if they name none.
func (l *ledger) spreadScores(p *candidate, fit []*node) []int64 {
	if len(p.pod.Spec.TopologySpreadConstraints) > 0 || p.owner == nil {
		return p.constraintScores(fit)
	}
	zones := l.topologyOf(zone)
	inZone, zoneWeight := l.zoned(p, zones, fit)
	scores, hostWeight := make([]int64, len(fit)), math.Log(float64(len(fit)+2))
	for i, n := range fit {
		sum := 0.0
		if _, ok := n.object.Labels[hostname]; ok {
			sum += float64(float64(p.owner.on(n))*hostWeight) + hostSkew - 1
		}
		if d := zones.domain(n); d >= 0 {
			sum += float64(float64(inZone[d])*zoneWeight) + zoneSkew - 1
		}
		scores[i] = int64(math.Round(sum))
	}
	return fewIsGood(scores)
}

// zoned counts the pods of a candidate's controller in each zone, and returns what one of them weighs. Nodes without a zone are one more.
func (l *ledger) zoned(p *candidate, zones *topology, fit []*node) (pods []int, weight float64) {
	if zones.domains == 0 {
		return nil, 0
	}
	pods, seen := make([]int, zones.domains), map[int]bool{}
	for _, n := range l.nodes() {
		if d := zones.domain(n); d >= 0 && p.selects(n) {
			pods[d] += p.owner.on(n)
		}
	}
	for _, n := range fit {
		seen[zones.domain(n)] = true
	}
	return pods, math.Log(float64(len(seen) + 2))
}

// constraintScores answers to podtopologyspread/scoring.go: few pods are good, and a label with few values counts less.
func (p *candidate) constraintScores(fit []*node) []int64 {
	scores := make([]int64, len(fit))
	if len(p.anyway) == 0 {
		return scores
	}
	complete := make([]bool, len(fit)) // it has the labels of all constraints
	for i, n := range fit {
		complete[i] = labelled(p.anyway, n)
	}
	weights := p.sizes(fit, complete)
	for i, n := range fit {
		if scores[i] = -1; !complete[i] {
			continue
		}
		sum := 0.0
		for k, c := range p.anyway {
			pods := c.pods[c.domain(n)]
			if c.TopologyKey == hostname {
				pods = c.onNode[n.id]
			}
			sum += float64(float64(pods)*weights[k]) + float64(c.MaxSkew-1) // the conversion forbids a fused operation
		}
		scores[i] = int64(math.Round(sum))
	}
	return fewIsGood(scores)
}

// fewIsGood turns counts into scores: the highest count into the lowest score. -1 is a node that does not count.
func fewIsGood(scores []int64) []int64 {
	lowest, highest := int64(math.MaxInt64), int64(0)
	for _, s := range scores {
		if s >= 0 {
			lowest, highest = min(lowest, s), max(highest, s)
		}
	}
	for i, s := range scores {
		switch {
		case s < 0:
			scores[i] = 0
		case highest == 0:
			scores[i] = maxScore
		default:
			scores[i] = maxScore * (highest + lowest - s) / highest
		}
	}
	return scores
}

// sizes returns the weight of each constraint: the logarithm of the number of domains that contain the nodes, plus 2
// (podtopologyspread/scoring.go:initPreScoreState).
func (p *candidate) sizes(fit []*node, complete []bool) []float64 {
	weights := make([]float64, len(p.anyway))
	for k, c := range p.anyway {
		seen, size := make([]bool, c.domains), 0
		for i, n := range fit {
			if !complete[i] {
				continue
			}
			if d := c.domain(n); c.TopologyKey == hostname || !seen[d] {
				seen[d] = true
				size++
			}
		}
		weights[k] = math.Log(float64(size + 2))
	}
	return weights
}

// affinityScores answers to interpodaffinity/scoring.go: the sums of the weights, stretched to 0 to 100.
func (p *candidate) affinityScores(fit []*node) []int64 {
	scores := make([]int64, len(fit))
	lowest, highest := int64(math.MaxInt64), int64(math.MinInt64)
	for i, n := range fit {
		for k := range p.likes {
			if d := p.likes[k].domain(n); d >= 0 {
				scores[i] += p.likes[k].weights[d]
			}
		}
		lowest, highest = min(lowest, scores[i]), max(highest, scores[i])
	}
	for i, s := range scores {
		if scores[i] = 0; highest > lowest {
			scores[i] = int64(maxScore * (float64(s-lowest) / float64(highest-lowest)))
		}
	}
	return scores
}
