package main

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/prove"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// runsMax is how many runs are computed unless -max says otherwise: six replicas with the default bounds take 54, and 953 with
// a crash.
const runsMax = 20_000

// patience is how long a search may take before it says how far it is.
const patience = 2 * time.Second

// proveFile enumerates what can happen during the first update of a workload. Its exit code is 0 if everything holds in all schedules, 1
// if there is a counterexample, 3 if there are more than it may look at.
func proveFile(args []string, c console) error {
	fs := flag.NewFlagSet("prove", flag.ContinueOnError)
	var o prove.Options
	fs.BoolVar(&o.Crash, "crash", false, "one container crashes at any moment")
	fs.BoolVar(&o.Node, "node", false, "one node is lost at any moment")
	fs.IntVar(&o.MinAvailable, "min-available", -1, "pods that must stay available")
	fs.IntVar(&o.MaxPods, "max-pods", -1, "most pods, with terminating ones")
	fs.IntVar(&o.Max, "max", runsMax, "the most runs")
	fs.BoolVar(&o.Every, "every", false, "play schedules that differ only in names, too")
	of := fs.String("of", "", "the workload")
	format := fs.String("o", "text", "text or json")
	base := fs.String("base", "", "the address of the playground, for the link")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "json" {
		return notFormat("prove", *format, "text", "json")
	}
	if o.Max < 1 {
		return fmt.Errorf("%w: prove: -max is at least 1", errUsage)
	}
	plan, err := planOf(names[0], *of, c)
	if err != nil {
		return err
	}
	p, err := prove.New(plan, o)
	if err != nil {
		return err
	}
	began := time.Now()
	for n := p.Pending(); n > 0; n = p.Pending() {
		if time.Since(began) > patience {
			fmt.Fprintf(c.err, "%s done, step %d: %d more\n", words.Plural(p.Runs, "run"), p.Longest+1, n)
		}
		spread(n, func(library *scenario.Library, i int) { p.Run(library, i) })
		if err := p.Collect(); err != nil {
			return err
		}
	}
	if *format == "json" {
		if err := export.Lines(c.out, []proofLine{proofLineOf(p, *base)}); err != nil {
			return err
		}
	} else {
		writeProof(c, p, *base)
	}
	switch {
	case p.Counter != nil:
		return errSaid
	case p.Cut:
		return errUnknown
	}
	return nil
}

// proofLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type proofLine struct {
	Kind           string       `json:"kind"` // proof
	Workload       string       `json:"workload"`
	Holds          bool         `json:"holds"` // in everything that was run
	Schedules      int          `json:"schedules"`
	Runs           int          `json:"runs"` // that stand for them
	All            bool         `json:"all"`  // the schedules, there are no more
	Crash          bool         `json:"crash"`
	Node           bool         `json:"node"`
	Counterexample *counterLine `json:"counterexample,omitempty"`
	Bounds         []string     `json:"bounds"`
}

type counterLine struct {
	Says  string   `json:"says"`
	At    int64    `json:"at"`
	Steps []string `json:"steps"`
	Link  string   `json:"link,omitempty"`
}

func proofLineOf(p *prove.Proof, base string) proofLine {
	l := proofLine{Kind: "proof", Workload: p.Plan.Workload, Holds: p.Counter == nil, Schedules: p.Schedules, Runs: p.Runs, All: !p.Cut && p.Counter == nil,
		Crash: p.Options.Crash, Node: p.Options.Node, Bounds: proofBounds(p)}
	if x := p.Counter; x != nil {
		l.Counterexample = &counterLine{x.Says, x.At, x.Steps, linkOf(base, x.Recording)}
	}
	return l
}

// writeProof prints the result for people.
func writeProof(c console, p *prove.Proof, base string) {
	name := shortName(p.Plan.Workload)
	switch x := p.Counter; {
	case x != nil:
		fmt.Fprintf(c.out, "%s: a counterexample of %s, the shortest one (%s)\n\n", name, words.Plural(len(x.Steps), "step"), words.Plural(p.Runs, "run"))
		for i, s := range x.Steps {
			fmt.Fprintf(c.out, "%3d. %s\n", i+1, s)
		}
		fmt.Fprintf(c.out, "  => at %s: %s\n\n%s\n", seconds(x.At), x.Says, linkOf(base, x.Recording))
	case p.Cut:
		fmt.Fprintf(c.out, "%s: holds for the first %s of every schedule (%s); there are more (-max)\n", name, words.Plural(p.Longest, "step"), words.Plural(p.Runs, "run"))
	default:
		fmt.Fprintf(c.out, "%s: holds for %s (%s)\n", name, schedules(p), words.Plural(p.Runs, "run"))
	}
	fmt.Fprintf(c.out, "\nWhat holds or not: %s.\nWithin these bounds:\n", proofProperty(&p.Options))
	for _, b := range proofBounds(p) {
		fmt.Fprintln(c.out, "-", b)
	}
}

// schedules says how many schedules there are: all 12,431 schedules. With a lost node, the number is that of the alike ones that were
// played.
func schedules(p *prove.Proof) string {
	digits := fmt.Sprint(p.Schedules)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	switch {
	case p.Schedules == 1:
		return "the only schedule"
	case p.Schedules == math.MaxInt:
		return "all schedules, more than can be counted"
	case p.Options.Node && !p.Options.Every:
		return "all schedules, about " + digits
	}
	return "all " + digits + " schedules"
}

func proofProperty(o *prove.Options) string {
	available, pods := "at least desired - maxUnavailable pods are available", "at most desired + maxSurge pods exist, terminating ones not counted"
	if o.MinAvailable >= 0 {
		available = fmt.Sprintf("at least %d pods are available", o.MinAvailable)
	} else if o.Crash || o.Node {
		available += ", less those that the crash or the node takes"
	}
	if o.MaxPods >= 0 {
		pods = fmt.Sprintf("at most %d pods exist, terminating ones included", o.MaxPods)
	}
	return strings.Join([]string{available, pods, "and the update completes"}, ", ")
}

// proofBounds states what was enumerated and what was not.
func proofBounds(p *prove.Proof) []string {
	list := []string{"every order in which the pods of the update become Ready, one at a time, when nothing else is due within 30 s",
		"all old pods are Ready when the update comes"}
	if p.Options.Crash {
		list = append(list, "at most one container crashes, at any of these moments; when its pod is Ready again is part of the order")
	}
	if p.Options.Node {
		list = append(list, "at most one node with pods of the workload is lost, at any of these moments, and stays away")
	}
	if !p.Options.Every {
		list = append(list, "pods of one revision that do the same on nodes that are alike stand for each other, whatever their age (-every plays each one)")
	}
	return append(list, "pulling, starting and stopping take what the scenario says, with its seed",
		"every container has a readiness probe that is asked each second, and the run ends after 30 minutes",
		fmt.Sprintf("the longest schedule has %s", words.Plural(p.Longest, "step")))
}
