package sweep

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
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
func (p *Plan) NewSeeds(n int) (*Seeds, error) { return p.seedsOf(p.Recording.Scenario, n) }

// seedsOf is NewSeeds of another text.
func (p *Plan) seedsOf(source string, n int) (*Seeds, error) {
	text, err := NewSeeded(source)
	if err != nil {
		return nil, err
	}
	return &Seeds{Plan: p, First: text.first, Outcomes: slices.Repeat([]Outcome{Unplayed}, n), text: text}, nil
}

// SeedsFor returns how many seeds show what an update does. The more pods it has, the less one run differs from the next.
func SeedsFor(s *scenario.Scenario) int {
	pods := 0
	for _, m := range s.Objects {
		switch o := m.Object.(type) {
		case *api.DaemonSet:
			pods += len(s.Nodes)
		case api.Scalable:
			pods += int(o.Replicas())
		}
	}
	return min(max(2500/max(pods, 1), 3), 20)
}

// Run measures the i-th seed. Seeds are independent, as the cells of a Grid are.
func (s *Seeds) Run(i int, library *scenario.Library) {
	o, r := s.Plan.measure(library, s.text.Text(i), math.MaxInt64)
	if s.Outcomes[i] = o; s.lines != nil && o.Begun {
		s.lines[i] = lineOf(r, s.Plan.Workload, &o)
	}
}

// Seed returns the i-th seed.
func (s *Seeds) Seed(i int) uint64 { return s.First + uint64(i) }

// Spread is how a figure varies.
type Spread struct{ Min, P5, P50, P95, Max int64 }

// SpreadOf returns how a measure varies over the seeds whose rollout is complete, an extreme over all whose rollout began. Without such
// seeds there is none.
func (s *Seeds) SpreadOf(m *forecast.Measure) *Spread {
	var values []int64
	for i := range s.Outcomes {
		if o := &s.Outcomes[i]; o.Problem == Fine || m.Extreme && o.Rollout.Workload != "" {
			values = append(values, m.Of(&o.Rollout))
		}
	}
	if len(values) == 0 {
		return nil
	}
	x := spreadOf(values)
	return &x
}

// Durations returns how long the seeds took that are complete, zeros without any.
func (s *Seeds) Durations() (x Spread) {
	if of := s.SpreadOf(forecast.MeasureOf("duration")); of != nil {
		x = *of
	}
	return x
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

// Worst returns the index of the worst seed. A seed that does not finish is worst, then the most failed requests, the longest outage, the
// lowest availability, the longest time below the bound, the longest rollout.
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
	return cmp.Or(truth(o.Problem != Fine)-truth(other.Problem != Fine), cmp.Compare(a.Requests.Failed, b.Requests.Failed),
		cmp.Compare(a.AtZero, b.AtZero), cmp.Compare(b.LowestPercent(), a.LowestPercent()), cmp.Compare(a.BelowBound, b.BelowBound), cmp.Compare(a.Duration(), b.Duration()))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// point holds the counts of a workload from a moment of its rollout on.
type point struct {
	At               int64 // ms since the rollout began
	Available, Total int64
}

// Moment is how two counts vary over the seeds at a moment of the rollout.
type Moment struct {
	At               int64 // ms since the rollout began
	Available, Total Spread
}

// Watch makes the seeds keep the counts of their rollouts, for a Fan. It is called before the first Run.
func (s *Seeds) Watch() { s.lines = make([][]point, len(s.Outcomes)) }

// lineOf returns the counts of a measured rollout.
func lineOf(r *engine.Run, workload string, o *Outcome) (line []point) {
	frames := r.Frames(workload)
	for i := max(0, past.FrameAfter(frames, o.Rollout.Record)); i < len(frames) && frames[i].T <= o.Rollout.End; i++ {
		f := &frames[i]
		line = append(line, point{max(0, f.T-o.Rollout.Start), int64(f.Available), int64(f.Total)})
	}
	return line
}

// Fan returns how the counts vary at n moments, from the beginning of the rollout to the end of the longest one that is complete. After
// its end a rollout keeps its last counts.
func (s *Seeds) Fan(n int) []Moment {
	longest := s.Durations().Max
	fan, places := make([]Moment, n), make([]int, len(s.lines))
	for k := range fan {
		at := longest * int64(k) / int64(max(1, n-1))
		var available, total []int64
		for i, line := range s.lines {
			if len(line) == 0 {
				continue
			}
			for places[i]+1 < len(line) && line[places[i]+1].At <= at {
				places[i]++
			}
			available, total = append(available, line[places[i]].Available), append(total, line[places[i]].Total)
		}
		fan[k] = Moment{at, spreadOf(available), spreadOf(total)}
	}
	return fan
}

// spreadOf sorts some values and returns how they vary.
func spreadOf(values []int64) Spread {
	slices.Sort(values)
	return Spread{percentile(values, 0), percentile(values, 5), percentile(values, 50), percentile(values, 95), percentile(values, 100)}
}
