package main

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// seedsMax limits the seeds of one command: a million runs of ten pods take half an hour.
const seedsMax = 1_000_000

// vary prints how the figures of a rollout vary with the seed.
func (o *forecastOptions) vary(name string) error {
	plan, err := planOf(name, o.of, o.console)
	if err != nil {
		return err
	}
	s, err := plan.NewSeeds(o.seeds)
	if err != nil {
		return err
	}
	for i := range s.Outcomes {
		s.Outcomes[i] = sweep.Unplayed
	}
	o.watch.spread(o.seeds, func(library *scenario.Library, i int) { s.Run(i, library) })
	if first := slices.IndexFunc(s.Outcomes, func(x sweep.Outcome) bool { return x.Problem == sweep.Unknown }); first == 0 {
		return fmt.Errorf("the first run did not end: %s", s.Outcomes[0].Reason)
	} else if first > 0 {
		s.Outcomes = s.Outcomes[:first]
	}
	if o.output.value == "json" {
		return export.Lines(o.out, []seedsLine{lineOf(s, o.base)})
	}
	return writeSeeds(o.console, s, o.base)
}

// seedsLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type seedsLine struct {
	Kind     string                  `json:"kind"` // seeds
	Workload string                  `json:"workload"`
	First    uint64                  `json:"first"`
	Seeds    int                     `json:"seeds"`
	Failed   int                     `json:"failed"`
	Figures  map[string]sweep.Spread `json:"figures"`
	Worst    worstSeed               `json:"worst"`
}

type worstSeed struct {
	Seed    uint64           `json:"seed"`
	Problem sweep.Problem    `json:"problem,omitempty"`
	Reason  string           `json:"reason,omitempty"`
	Rollout forecast.Rollout `json:"rollout"`
	Link    string           `json:"link,omitempty"`
}

func lineOf(s *sweep.Seeds, base string) seedsLine {
	line := seedsLine{Kind: "seeds", Workload: s.Plan.Workload, First: s.First, Seeds: len(s.Outcomes), Failed: s.Failed(),
		Figures: map[string]sweep.Spread{}}
	for i := range forecast.Measures {
		line.Figures[forecast.Measures[i].Name] = s.SpreadOf(forecast.Measures[i].Of)
	}
	worst := s.Worst()
	o := &s.Outcomes[worst]
	line.Worst = worstSeed{s.Seed(worst), o.Problem, o.Reason, o.Rollout, linkOf(base, o.Recording)}
	return line
}

// varied is a measure with how it varies.
type varied struct {
	*forecast.Measure
	sweep.Spread
}

var variedColumns = []column[varied]{
	{"FIGURE", func(v *varied) string { return v.Heading }},
	{"MIN", func(v *varied) string { return v.Unit.Text(v.Min) }},
	{"P5", func(v *varied) string { return v.Unit.Text(v.P5) }},
	{"P50", func(v *varied) string { return v.Unit.Text(v.P50) }},
	{"P95", func(v *varied) string { return v.Unit.Text(v.P95) }},
	{"MAX", func(v *varied) string { return v.Unit.Text(v.Max) }},
}

func writeSeeds(c console, s *sweep.Seeds, base string) error {
	n, seconds := len(s.Outcomes), forecast.Millis.Text
	fmt.Fprintf(c.out, "%s: %d seeds from %d, %d of them complete\n\n", shortName(s.Plan.Workload), n, s.First, n-s.Failed())
	var figures []varied
	for i := range forecast.Measures {
		m := &forecast.Measures[i]
		figures = append(figures, varied{m, s.SpreadOf(m.Of)})
	}
	t := tableOf(variedColumns, figures)
	t.right = true
	if err := t.writeText(c.out); err != nil {
		return err
	}
	worst := s.Worst()
	o := &s.Outcomes[worst]
	fmt.Fprintf(c.out, "\nThe worst is seed %d: %s, lowest %s, outage %s.\n", s.Seed(worst),
		seconds(o.Rollout.Duration()), o.Rollout.LowestText(), seconds(o.Rollout.AtZero))
	if o.Problem != sweep.Fine {
		fmt.Fprintf(c.out, "It does not finish: %s\n", o.Reason)
	}
	if l := linkOf(base, o.Recording); l != "" {
		fmt.Fprintln(c.out, l)
	}
	return nil
}
