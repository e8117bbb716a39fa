package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	lines "github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/link"
)

// forecastOptions are the flags of rollplay forecast.
type forecastOptions struct {
	console
	output   *choice
	seeds    int
	of, base string
}

func forecastCommand(c console) *cobra.Command {
	o := forecastOptions{console: c}
	cmd := fileCommand("forecast", deciding, "print how each rollout went, in numbers", o.forecast)
	cmd.Long = `forecast prints the scorecard of each rollout of a scenario: how long it took, how low it went, what
it cost. run -o json ends with the same lines. With --seeds it says how the figures of the first
update vary by chance, and gives the link of the worst run.`
	cmd.Example = `  rollplay forecast first-rollout
  rollplay forecast deploy.yaml --seeds 1000 --of deployment/web --base https://example.org/rollplay/`
	o.output = output(cmd, "table", "json")
	f := cmd.Flags()
	f.Var(between{&o.seeds, 0, seedsMax}, "seeds", "measure the first update with this many seeds")
	workloadFlag(f, &o.of)
	baseFlag(f, &o.base)
	return watched(cmd, c)
}

func (o *forecastOptions) forecast(name string) error {
	if o.seeds > 0 {
		return o.vary(name)
	}
	r, _, err := begin(name, o.console)
	if err != nil {
		return err
	}
	cards, write := export.Scorecards(r.Finish()), writeCards
	if o.output.value == "json" {
		write = export.Lines[export.Scorecard]
	}
	if err := write(o.out, cards); err != nil {
		return err
	}
	return whole(r, o.console)
}

// begin starts a file, a shipped scenario or a link, and returns its link, too.
func begin(name string, c console) (*engine.Run, link.Link, error) {
	l, err := readLink(name, c)
	if err != nil {
		return nil, l, err
	}
	r, diagnostics := engine.StartIn(c.watch.library(), l.Recording)
	report(c.err, name, diagnostics)
	if r == nil {
		return nil, l, fmt.Errorf("%s cannot be played", name)
	}
	return r, l, nil
}

// cardColumns are the columns of scorecards.
func cardColumns() []column[export.Scorecard] {
	columns := []column[export.Scorecard]{
		{"WORKLOAD", func(x *export.Scorecard) string { return shortName(x.Workload) }},
		{"BEGAN", func(x *export.Scorecard) string { return forecast.Millis.Text(x.Start) }},
		{"BY", func(x *export.Scorecard) string { return string(x.Cause) }},
		{"RESULT", func(x *export.Scorecard) string { return string(x.Result) }},
	}
	for _, name := range []string{"duration", "lowestPercent", "atZero", "belowDesired", "peakPods", "peakCPU", "peakMemory",
		"extraPodMs", "nodeMs", "created", "refused"} {
		m := forecast.MeasureOf(name)
		text := func(x *export.Scorecard) string { return m.Text(&x.Rollout) }
		switch name {
		case "lowestPercent":
			text = func(x *export.Scorecard) string { return x.LowestText() }
		case "atZero", "belowDesired":
			text = func(x *export.Scorecard) string { return orNone(m.Of(&x.Rollout)) }
		}
		columns = append(columns, column[export.Scorecard]{m.Heading, text})
	}
	return columns
}

// writeCards writes scorecards for people, and below them the reasons why rollouts are unfinished.
func writeCards(out io.Writer, cards []export.Scorecard) error {
	if err := tableOf(cardColumns(), cards).writeText(out); err != nil {
		return err
	}
	for i := range cards {
		if x := &cards[i]; x.WaitsFor != "" {
			fmt.Fprintf(out, "\n%s, from %s: %s.\n  %s\n", shortName(x.Workload), forecast.Millis.Text(x.Start), x.Result, x.WaitsFor)
		}
	}
	return nil
}

// shortName writes a workload as kubectl does, with its namespace if it is not default: deployment/web, deployment/web -n shop.
func shortName(workload string) string {
	return lines.Target(workload) + lines.InNamespace(workload)
}

// orNone writes a duration, and - for 0.
func orNone(ms int64) string {
	if ms == 0 {
		return "-"
	}
	return forecast.Millis.Text(ms)
}
