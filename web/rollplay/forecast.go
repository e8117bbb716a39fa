package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
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
		return fmt.Errorf("%w: forecast: -o is table or json, not %q", errUsage, *format)
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
	cards := scorecards(r)
	if *format == "json" {
		return writeLines(c.out, cards)
	}
	return writeTable(c.out, cards)
}

// playFile plays a file, a shipped scenario or a link to its end.
func playFile(name string, c console) (*engine.Run, error) {
	l, err := readLink(name, c)
	if err != nil {
		return nil, err
	}
	r, diagnostics := engine.Start(l.Recording)
	report(c.err, name, diagnostics)
	if r == nil {
		return nil, fmt.Errorf("%s cannot be played", name)
	}
	if cut := r.Finish().Cut(); cut != "" {
		fmt.Fprintln(c.err, cut)
	}
	return r, nil
}

// scorecard is the last kind of line of `rollplay run -o json`. Scripts rely on the field names: add fields, never remove one.
type scorecard struct {
	Kind string `json:"kind"` // rollout
	forecast.Rollout
	Duration      int64  `json:"duration"`           // ms
	LowestPercent int    `json:"lowestPercent"`      // of desired, rounded down
	WaitsFor      string `json:"waitsFor,omitempty"` // of a rollout that is not finished
}

// scorecards returns the scorecards of all workloads of a run, workload by workload.
func scorecards(r *engine.Run) (cards []scorecard) {
	f := forecast.New(r.Past())
	for _, workload := range r.Workloads() {
		for _, x := range f.Rollouts(workload) {
			card := scorecard{Kind: "rollout", Rollout: x, Duration: x.Duration(), LowestPercent: x.LowestPercent()}
			if !x.Done() {
				card.WaitsFor = waitsFor(r, workload)
			}
			cards = append(cards, card)
		}
	}
	return cards
}

// waitsFor says what a rollout waits for at the end of a run.
func waitsFor(r *engine.Run, workload string) string {
	d := diagnosis.Of(r.Past(), workload, r.Len()-1, r.Now())
	if len(d.Findings) == 0 {
		return d.Title
	}
	return d.Findings[0].Text
}

// writeJSON writes the trace of a run as lines of JSON, and after it the scorecards.
func writeJSON(w io.Writer, r *engine.Run) error {
	if err := engine.WriteJSON(w, r); err != nil {
		return err
	}
	return writeLines(w, scorecards(r))
}

func writeLines[T any](w io.Writer, list []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes scorecards for people, and below them what unfinished rollouts wait for.
func writeTable(out io.Writer, cards []scorecard) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "WORKLOAD\tBEGAN\tBY\tRESULT\tTOOK\tLOWEST\tOUTAGE\tBELOW DESIRED\tPEAK PODS\tPEAK CPU\tPEAK MEMORY\tEXTRA POD-S\tCREATED\tREFUSED")
	for i := range cards {
		x := &cards[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%d\n", shortName(x.Workload), seconds(x.Start), x.Cause,
			x.Result, seconds(x.Duration), lowest(&x.Figures), orNone(x.AtZero), orNone(x.BelowDesired), x.PeakPods,
			cores(x.PeakCPU), bytesText(x.PeakMemory), tenths(x.ExtraPodMs), x.Created, x.Refused)
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
	kind, rest, _ := strings.Cut(workload, "/")
	namespace, name, _ := strings.Cut(rest, "/")
	short := strings.ToLower(kind) + "/" + name
	if namespace != "default" {
		short += " -n " + namespace
	}
	return short
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

// cores writes thousandths of a cpu as Kubernetes does: 500m, 2.
func cores(milli int64) string {
	switch {
	case milli == 0:
		return "-"
	case milli%1000 == 0:
		return fmt.Sprint(milli / 1000)
	}
	return fmt.Sprintf("%dm", milli)
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
