package sweep

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Seeds is one rollout with many seeds: pulls, starts and names of pods differ, the rules do not.
type Seeds struct {
	Plan     *Plan
	First    uint64 // the first seed; the others follow
	Outcomes []Outcome

	text  *Seeded
	lines [][]point // of each outcome, if somebody watches
}

// Seeded is a text whose seed varies.
type Seeded struct {
	first         uint64
	before, after string // the text around the seed
}

// NewSeeded reads a text once for all seeds.
func NewSeeded(source string) (*Seeded, error) {
	first := uint64(1)
	if s, _ := scenario.Parse(source); s != nil {
		first = s.Seed
	}
	const marker = 18446744073709551557 // no text has this number by chance
	text, err := SetSeed(source, marker)
	if err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(text, strconv.FormatUint(marker, 10))
	return &Seeded{first, before, after}, nil
}

// Text returns the text with its i-th seed; the first is its own.
func (s *Seeded) Text(i int) string {
	return s.before + strconv.FormatUint(s.first+uint64(i), 10) + s.after
}

// NewSeeds prepares n seeds, the first of which is that of the text. Nothing is run yet.
func (p *Plan) NewSeeds(n int) (*Seeds, error) {
	text, err := NewSeeded(p.Recording.Scenario)
	if err != nil {
		return nil, err
	}
	return &Seeds{Plan: p, First: text.first, Outcomes: make([]Outcome, n), text: text}, nil
}

// Run measures the i-th seed. Seeds are independent, as the cells of a Grid are.
func (s *Seeds) Run(i int, library *scenario.Library) {
	o, r := s.Plan.measure(library, s.text.Text(i))
	if s.Outcomes[i] = o; s.lines != nil && o.begun {
		s.lines[i] = lineOf(r, s.Plan.Workload, &o)
	}
}

// Seed returns the i-th seed.
func (s *Seeds) Seed(i int) uint64 { return s.First + uint64(i) }

// Spread is how a figure varies.
type Spread struct{ Min, P5, P50, P95, Max int64 }

// SpreadOf returns how a figure varies over the seeds whose rollout is complete.
func (s *Seeds) SpreadOf(figure func(*forecast.Rollout) int64) Spread {
	var values []int64
	for i := range s.Outcomes {
		if o := &s.Outcomes[i]; o.Problem == Fine {
			values = append(values, figure(&o.Rollout))
		}
	}
	return spreadOf(values)
}

// percentile returns the smallest of some sorted values that at least p percent of them do not exceed, 0 without values.
func percentile(values []int64, p int) int64 {
	if len(values) == 0 {
		return 0
	}
	return values[max(0, (len(values)*p+99)/100-1)]
}

// Failed returns how many seeds have a problem.
func (s *Seeds) Failed() (n int) {
	for i := range s.Outcomes {
		if s.Outcomes[i].Problem != Fine {
			n++
		}
	}
	return n
}

// Worst returns the index of the worst seed. A seed that does not finish is worst, then the longest outage, the lowest availability, the
// longest time below the bound, the longest rollout.
func (s *Seeds) Worst() int {
	worst := 0
	for i := range s.Outcomes {
		if s.Outcomes[i].compare(&s.Outcomes[worst]) > 0 {
			worst = i
		}
	}
	return worst
}

// compare is positive if o is worse than another outcome.
func (o *Outcome) compare(other *Outcome) int {
	a, b := &o.Rollout, &other.Rollout
	return cmp.Or(truth(o.Problem != Fine)-truth(other.Problem != Fine), cmp.Compare(a.AtZero, b.AtZero),
		cmp.Compare(b.LowestPercent(), a.LowestPercent()), cmp.Compare(a.BelowBound, b.BelowBound), cmp.Compare(a.Duration(), b.Duration()))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
