package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	lines "github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/words"
)

// foretell prints the scorecards of a scenario's rollouts.
func foretell(args []string, c console) error {
	fs := flag.NewFlagSet("forecast", flag.ContinueOnError)
	format := fs.String("o", "table", "table or json")
	seeds := fs.Int("seeds", 0, "measure the first update with this many seeds")
	of := fs.String("of", "", "the workload for -seeds")
	base := fs.String("base", "", "the address of the playground, for links")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	if *format != "table" && *format != "json" {
		return notFormat("forecast", *format, "table", "json")
	}
	switch {
	case *seeds < 0 || *seeds > seedsMax:
		return fmt.Errorf("%w: forecast: -seeds is a number up to %d", errUsage, seedsMax)
	case *seeds > 0:
		return foretellSeeds(names[0], *of, *format, *base, *seeds, c)
	}
	r, err := playFile(names[0], c)
	if err != nil {
		return err
	}
	cards := export.Scorecards(r)
	if *format == "json" {
		return export.Lines(c.out, cards)
	}
	return writeTable(c.out, cards)
}

// playFile plays a file, a shipped scenario or a link to its end.
func playFile(name string, c console) (*engine.Run, error) {
	r, _, err := begin(name, c)
	if err != nil {
		return nil, err
	}
	if cut := r.Finish().Cut(); cut != "" {
		fmt.Fprintln(c.err, cut)
	}
	return r, nil
}

// begin starts a file, a shipped scenario or a link, and returns the link that it is.
func begin(name string, c console) (*engine.Run, link.Link, error) {
	l, err := readLink(name, c)
	if err != nil {
		return nil, l, err
	}
	r, diagnostics := engine.Start(l.Recording)
	report(c.err, name, diagnostics)
	if r == nil {
		return nil, l, fmt.Errorf("%s cannot be played", name)
	}
	return r, l, nil
}

// writeTable writes scorecards for people, and below them what unfinished rollouts wait for.
func writeTable(out io.Writer, cards []export.Scorecard) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "WORKLOAD\tBEGAN\tBY\tRESULT\tTOOK\tLOWEST\tOUTAGE\tBELOW DESIRED\tPEAK PODS\tPEAK CPU\tPEAK MEMORY\tEXTRA POD-S\tNODE-HOURS\tCREATED\tREFUSED")
	for i := range cards {
		x := &cards[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t%d\n", shortName(x.Workload), seconds(x.Start), x.Cause,
			x.Result, seconds(x.Duration), lowest(&x.Figures), orNone(x.AtZero), orNone(x.BelowDesired), x.PeakPods,
			cores(x.PeakCPU), bytesText(x.PeakMemory), tenths(x.ExtraPodMs), nodeHours(x.NodeMs), x.Created, x.Refused)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i := range cards {
		if x := &cards[i]; x.WaitsFor != "" {
			fmt.Fprintf(out, "\n%s, from %s: %s.\n  %s\n", shortName(x.Workload), seconds(x.Start), x.Result, x.WaitsFor)
		}
	}
	return nil
}

// shortName writes a workload as kubectl does, with its namespace if it is not default: deployment/web, deployment/web -n shop.
func shortName(workload string) string {
	return lines.Target(workload) + lines.InNamespace(workload)
}

// lowest writes the fewest available pods: 8 of 10 (80%).
func lowest(f *forecast.Figures) string {
	if f.LowestOf == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%d%%)", f.Lowest, f.LowestOf, f.LowestPercent())
}

// tenths writes thousandths with one decimal.
func tenths(thousandths int64) string { return fmt.Sprintf("%.1f", float64(thousandths)/1000) }

func seconds(ms int64) string { return tenths(ms) + "s" }

// orNone writes a duration, - for none.
func orNone(ms int64) string {
	if ms == 0 {
		return "-"
	}
	return seconds(ms)
}

// cores writes thousandths of a cpu, - for none.
func cores(milli int64) string {
	if milli == 0 {
		return "-"
	}
	return words.Cores(milli)
}

// bytesText writes an amount of memory with the largest binary suffix that leaves at most one decimal of error.
func bytesText(n int64) string {
	if n == 0 {
		return "-"
	}
	units := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi"}
	x, i := float64(n), 0
	for x >= 1024 && i < len(units)-1 {
		x, i = x/1024, i+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") + units[i]
}
