package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// seedsMax is how many seeds one command measures: a million runs of ten pods take half an hour.
const seedsMax = 1_000_000

// foretellSeeds prints how the figures of a rollout vary with the seed.
func foretellSeeds(name, of, format, base string, n int, c console) error {
	plan, err := planOf(name, of, c)
	if err != nil {
		return err
	}
	s, err := plan.NewSeeds(n)
	if err != nil {
		return err
	}
	spread(n, func(library *scenario.Library, i int) { s.Run(i, library) })
	if format == "json" {
		return export.Lines(c.out, []seedsLine{lineOf(s, base)})
	}
	return writeSeeds(c, s, base)
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
	line := seedsLine{Kind: "seeds", Workload: s.Plan.Workload, First: s.First, Seeds: len(s.Outcomes), Failed: s.Failed(), Figures: map[string]sweep.Spread{}}
	for i := range forecast.Measures {
		line.Figures[forecast.Measures[i].Name] = s.SpreadOf(forecast.Measures[i].Of)
	}
	worst := s.Worst()
	o := &s.Outcomes[worst]
	line.Worst = worstSeed{s.Seed(worst), o.Problem, o.Reason, o.Rollout, linkOf(base, o.Recording)}
	return line
}

func writeSeeds(c console, s *sweep.Seeds, base string) error {
	fmt.Fprintf(c.out, "%s: %d seeds from %d, %d of them complete\n\n", shortName(s.Plan.Workload), len(s.Outcomes), s.First, len(s.Outcomes)-s.Failed())
	w := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "FIGURE\tMIN\tP5\tP50\tP95\tMAX\t")
	for i := range forecast.Measures {
		m := &forecast.Measures[i]
		x := s.SpreadOf(m.Of)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", m.Name, measureText(m, x.Min), measureText(m, x.P5),
			measureText(m, x.P50), measureText(m, x.P95), measureText(m, x.Max))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	worst := s.Worst()
	o := &s.Outcomes[worst]
	fmt.Fprintf(c.out, "\nThe worst is seed %d: %s, lowest %s, outage %s.\n", s.Seed(worst), seconds(o.Rollout.Duration()), lowest(&o.Rollout.Figures), seconds(o.Rollout.AtZero))
	if o.Problem != sweep.Fine {
		fmt.Fprintf(c.out, "It does not finish: %s\n", o.Reason)
	}
	if l := linkOf(base, o.Recording); l != "" {
		fmt.Fprintln(c.out, l)
	}
	return nil
}
