package scheduler

import (
	"math"

	"github.com/rollplay/rollplay/engine/api"
)

// hostname is the label with the name of a node. Upstream scores it node by node.
const hostname = "kubernetes.io/hostname"

// The weights of the scores (scheduler/apis/config/v1/default_plugins.go), the highest score of a plugin, and the weight of the
// required affinity of pods that are already there (apis/config/v1/defaults.go:SetDefaults_InterPodAffinityArgs).
const (
	spreadWeight       = 2
	affinityWeight     = 2
	maxScore           = 100
	hardAffinityWeight = 1
)

// marks are the preferences of a candidate for some nodes.
type marks struct {
	spread []*constraint // its spread constraints with ScheduleAnyway
	pods   []preference  // by label: the weights of preferred pods
}

// preference sums up, for each domain of a label, the weights of the terms that match pods there.
type preference struct {
	key string
	*topology
	weights []int64
}

// any says whether there is anything to score.
func (m *marks) any() bool { return len(m.spread)+len(m.pods) > 0 }

// mark finds the preferences of a candidate: its spread constraints, its preferred terms, and the terms of the pods that are
// already there (interpodaffinity/scoring.go:processExistingPod).
func (l *ledger) mark(p *candidate) {
	p.marks.spread = l.constraints(p, api.ScheduleAnyway)
	near, far := preferred(p.pod.Spec)
	for _, g := range l.list {
		l.preferTerms(p, near, 1, p.pod, g.pod, g)
		l.preferTerms(p, far, -1, p.pod, g.pod, g)
		required := affinity(g.pod.Spec)
		for i := range required {
			l.prefer(p, &required[i], hardAffinityWeight, g.pod, p.pod, g)
		}
		near, far := preferred(g.pod.Spec)
		l.preferTerms(p, near, 1, g.pod, p.pod, g)
		l.preferTerms(p, far, -1, g.pod, p.pod, g)
	}
}

// preferred returns the preferred terms of a spec: of affinity and of anti-affinity.
func preferred(s *api.PodSpec) (near, far []api.WeightedPodAffinityTerm) {
	if a := s.Affinity; a != nil {
		if a.PodAffinity != nil {
			near = a.PodAffinity.Preferred
		}
		if a.PodAntiAffinity != nil {
			far = a.PodAntiAffinity.Preferred
		}
	}
	return near, far
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
	m := p.marks.of(l, t.TopologyKey)
	for n, pods := range g.on {
		if d := m.domain(n); d >= 0 {
			m.weights[d] += weight * int64(pods)
		}
	}
}

// of returns the preference for a label.
func (m *marks) of(l *ledger, key string) *preference {
	for i := range m.pods {
		if m.pods[i].key == key {
			return &m.pods[i]
		}
	}
	t := l.topologyOf(key)
	m.pods = append(m.pods, preference{key, t, make([]int64, t.domains)})
	return &m.pods[len(m.pods)-1]
}

// scores returns the weighted sum of the scores of each of the nodes that fit, in their order.
func (m *marks) scores(fit []*node) []int64 {
	sums := make([]int64, len(fit))
	for i, s := range m.spreadScores(fit) {
		sums[i] += spreadWeight * s
	}
	for i, s := range m.affinityScores(fit) {
		sums[i] += affinityWeight * s
	}
	return sums
}

// spreadScores answers to podtopologyspread/scoring.go: few pods are good, and a label with few values counts less.
func (m *marks) spreadScores(fit []*node) []int64 {
	scores := make([]int64, len(fit))
	if len(m.spread) == 0 {
		return scores
	}
	complete := make([]bool, len(fit)) // it has the labels of all constraints
	for i, n := range fit {
		complete[i] = labelled(m.spread, n)
	}
	weights := m.sizes(fit, complete)
	lowest, highest := int64(math.MaxInt64), int64(0)
	for i, n := range fit {
		if scores[i] = -1; !complete[i] {
			continue
		}
		sum := 0.0
		for k, c := range m.spread {
			pods := c.pods[c.domain(n)]
			if c.TopologyKey == hostname {
				pods = c.onNode[n.id]
			}
			sum += float64(float64(pods)*weights[k]) + float64(c.MaxSkew-1) // the conversion forbids a fused operation
		}
		scores[i] = int64(math.Round(sum))
		lowest, highest = min(lowest, scores[i]), max(highest, scores[i])
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
func (m *marks) sizes(fit []*node, complete []bool) []float64 {
	weights := make([]float64, len(m.spread))
	for k, c := range m.spread {
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
func (m *marks) affinityScores(fit []*node) []int64 {
	scores := make([]int64, len(fit))
	lowest, highest := int64(math.MaxInt64), int64(math.MinInt64)
	for i, n := range fit {
		for k := range m.pods {
			if d := m.pods[k].domain(n); d >= 0 {
				scores[i] += m.pods[k].weights[d]
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
