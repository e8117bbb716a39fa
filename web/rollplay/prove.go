package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/prove"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// runsMax is the default of --max. Six replicas with the default bounds take 54 runs, and 953 with a crash.
const runsMax = 20_000

type proveOptions struct {
	console
	prove.Options
	output   *choice
	of, base string
}

func proveCommand(c console) *cobra.Command {
	o := proveOptions{console: c}
	cmd := fileCommand("prove", deciding, "try every order in which the pods of an update become Ready", o.prove)
	o.output = output(cmd, "text", "json")
	f := cmd.Flags()
	f.BoolVar(&o.Crash, "crash", false, "let one container crash at any moment")
	f.BoolVar(&o.Node, "node", false, "lose one node at any moment")
	f.IntVar(&o.MinAvailable, "min-available", -1, "pods that must stay available; by default what the strategy promises")
	f.IntVar(&o.MaxPods, "max-pods", -1, "the most pods, including terminating ones; by default what the strategy promises")
	noDefault(f, "min-available", "max-pods")
	o.Max = runsMax
	f.Var(between{&o.Max, 1, math.MaxInt}, "max", "the most runs")
	f.BoolVar(&o.Every, "every", false, "also play schedules that differ only in names")
	workloadFlag(f, &o.of)
	baseFlag(f, &o.base)
	return watched(cmd, c)
}

func (o *proveOptions) prove(name string) {
	p := must.Have(prove.New(o.watch.library(), planOf(name, o.of, o.console), o.Options))
	o.search(p)
	depends := ""
	if p.Counter != nil {
		depends = dependsOn(o.console, p.Plan, p.Counter.Says)
	} else if notModelled(p.Plan) || len(devicesOf(o.console, p.Plan)) > 0 {
		depends = "It depends on what is not modelled, as the warnings say.\n"
	}
	if o.output.value == "json" {
		must.Do(export.Lines(o.out, []proofLine{proofLineOf(p, o.base)}))
	} else {
		writeProof(o.console, p, o.base)
	}
	fmt.Fprint(o.err, depends)
	switch {
	case p.Counter != nil && depends == "":
		must.Do(errSaid)
	case p.Cut || depends != "":
		must.Do(errUnknown)
	}
}

// notModelled says whether something decides about the rollout of a plan that is not modelled.
func notModelled(p *sweep.Plan) (decides bool) {
	key := past.ParseKey(p.Workload)
	s, _ := scenario.Parse(p.Recording.Scenario)
	for _, m := range s.Objects {
		if limits, ok := m.Object.(*api.Stored); ok && limits.Namespace == key.Namespace {
			decides = decides || scenario.LimitsPods(limits.Kind, limits.Fields)
		}
	}
	scenario.NotModelled(s.Object(key), func(string, string) { decides = true })
	return decides
}

// search plays the schedules step by step.
func (o *proveOptions) search(p *prove.Proof) {
	said := false
	for n := p.Pending(); n > 0; n = p.Pending() {
		o.watch.spread(n, func(i int, library *scenario.Library) { p.Run(library, i) })
		if o.watch.enough.Load() {
			p.Cut = true
			return
		}
		must.Do(p.Collect())
		o.watch.expected.Store(int64(p.AtLeast()))
		if all := p.Runs + p.Pending() + p.AtLeast(); all > p.Options.Max && p.Counter == nil && !p.Cut && !said {
			said = true
			fmt.Fprintf(o.err, "rollplay prove: %d replicas take at least %s runs, and --max is %s; "+
				"fewer replicas with the same bounds in pods take less\n", p.Replicas, words.Thousands(all), words.Thousands(p.Options.Max))
		}
	}
}

// proofLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type proofLine struct {
	Kind           string       `json:"kind"` // proof
	Workload       string       `json:"workload"`
	Holds          bool         `json:"holds"` // in everything that was run
	Schedules      int          `json:"schedules"`
	Runs           int          `json:"runs"` // one for each set of equal schedules
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
	l := proofLine{Kind: "proof", Workload: p.Plan.Workload, Holds: p.Counter == nil, Schedules: p.Schedules, Runs: p.Runs,
		All: !p.Cut && p.Counter == nil, Crash: p.Options.Crash, Node: p.Options.Node, Bounds: proofBounds(p)}
	if x := p.Counter; x != nil {
		l.Counterexample = &counterLine{x.Says, x.At, x.Steps, linkOf(base, x.Recording)}
	}
	return l
}

// writeProof prints the result for people.
func writeProof(c console, p *prove.Proof, base string) {
	name, runs, longest := shortName(p.Plan.Workload), words.Plural(p.Runs, "run"), words.Plural(p.Longest, "step")
	switch x := p.Counter; {
	case x != nil:
		fmt.Fprintf(c.out, "%s: a counterexample of %s, the shortest one (%s)\n\n", name, words.Plural(len(x.Steps), "step"), runs)
		for i, s := range x.Steps {
			fmt.Fprintf(c.out, "%3d. %s\n", i+1, s)
		}
		fmt.Fprintf(c.out, "  => at %s: %s\n\n%s\n", forecast.Millis.Text(x.At), x.Says, linkOf(base, x.Recording))
	case p.Cut:
		fmt.Fprintf(c.out, "%s: holds for the first %s of every schedule (%s); there are more\n", name, longest, runs)
	default:
		fmt.Fprintf(c.out, "%s: holds for %s (%s)\n", name, schedules(p), runs)
	}
	fmt.Fprintf(c.out, "\nWhat holds or not: %s.\nWithin these bounds:\n", proofProperty(p))
	for _, b := range proofBounds(p) {
		fmt.Fprintln(c.out, "-", b)
	}
}

// schedules writes the number of schedules: all 12,431 schedules. With a lost node, it counts only the schedules that were played, one
// for each set of equal ones.
func schedules(p *prove.Proof) string {
	digits := words.Thousands(p.Schedules)
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

func proofProperty(p *prove.Proof) string {
	o, available := &p.Options, "at least desired - maxUnavailable pods are available"
	switch {
	case o.MinAvailable >= 0:
		available = fmt.Sprintf("at least %d pods are available", o.MinAvailable)
	case p.Replicas > 0 && p.Lower == 0:
		available = "no pod has to be available, as the strategy promises none"
	case o.Crash || o.Node:
		available += ", less those that the crash or the node takes"
	}
	pods := "at most desired + maxSurge pods exist, terminating ones not counted"
	switch {
	case o.MaxPods >= 0:
		pods = fmt.Sprintf("at most %d pods exist, terminating ones included", o.MaxPods)
	case p.Upper == p.Replicas:
		pods = "at most the desired pods exist, terminating ones not counted"
	}
	if o.MaxPods < 0 && (o.Crash || o.Node) && strings.HasPrefix(p.Plan.Workload, "DaemonSet/") {
		pods += ", beside those that the crash or the node takes"
	}
	return strings.Join([]string{available, pods, "and the update completes"}, ", ")
}

// proofBounds lists the bounds of the search.
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
		list = append(list, "pods of one revision that do the same on nodes that are alike stand for each other, "+
			"whatever their age (-every plays each one)")
	}
	return append(list, "pulling, starting and stopping take what the scenario says, with its seed",
		"every container has a readiness probe that is asked each second, and a run ends after 30 minutes, or after 24 h if the update still moves",
		fmt.Sprintf("the longest schedule has %s", words.Plural(p.Longest, "step")))
}
