package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/web/must"
)

type checkOptions struct {
	console
	from, render        string
	nodes, policy       string
	cluster             string
	baseline            string // to read
	newBaseline         string // to write
	today               string
	onlyWorse           bool
	limits              check.Limits
	output              *outputs
	svg, base           string
	skipOthers, verbose bool
	seeds               int
}

func checkCommand(c console) *cobra.Command {
	o := checkOptions{console: c}
	cmd := &cobra.Command{Use: "check MANIFESTS...", GroupID: deciding, Short: "say whether an update stays within limits",
		RunE: ends(o.check)}
	cmd.Args = ends(o.validate)
	o.output = outputFlag(cmd, "text", "json", "sarif", "markdown", "junit", "github")
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "what is deployed now, a `file` or folder, or git:main for a revision of the manifests; "+
		"without it every container gets a new image")
	f.StringVar(&o.render, "render", "", "a `command` that prints the manifests: 'helm template .'; it runs in git's revision, too")
	f.BoolVar(&o.onlyWorse, "only-worse", false, "only what is worse than in an update of --from counts")
	f.StringVar(&o.baseline, "baseline", "", "a `file` with findings that are accepted today")
	f.StringVar(&o.newBaseline, "write-baseline", "", "accept today's findings and write them to this `file`")
	f.StringVar(&o.cluster, "cluster", "", "a `file` with the output of: kubectl get nodes,quota,pdb,hpa -A -o yaml")
	f.StringVar(&o.today, "today", "", "the `day` for annotations that ignore findings until another one (default the day in UTC)")
	f.StringVar(&o.nodes, "nodes", "",
		"a `file` with Node objects, nodes: {count: 3, cpu: 4, memory: 16Gi} or nodeGroups: [{name: pool, max: 3, cpu: 4}]")
	f.StringVar(&o.policy, "policy", "", "a policy `file` with limits")
	f.StringVar(&o.svg, "svg", "", "write the chart of the update to this `file`")
	baseFlag(f, &o.base)
	f.BoolVar(&o.skipOthers, "skip-others", false, "leave out files without a workload or a budget")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "also print what passes")
	f.Var(between{&o.seeds, 1, 10_000}, "seeds", "the number of runs behind the percentiles (default 20, and fewer for more than 125 pods)")
	f.StringVar(&o.limits.MinAvailable, "min-available", "", "the fewest available pods, as a `share` or a number: 75%, 3")
	f.StringVar(&o.limits.MaxOutage, "max-outage", "", "the longest `time` with no pod available: 0s")
	f.StringVar(&o.limits.MaxDuration, "max-duration", "", "the longest `time` that 95 % of the seeds may take: 10m")
	f.StringVar(&o.limits.MaxPods, "max-pods", "", "the largest `number` of pods at once")
	f.StringVar(&o.limits.MaxCPU, "max-cpu", "", "the most CPU that the pods may request, as a `quantity`: 4")
	f.StringVar(&o.limits.MaxMemory, "max-memory", "", "the most memory that the pods may request, as a `quantity`: 8Gi")
	f.StringVar(&o.limits.MaxFailed, "max-failed", "",
		"the most requests to its Service that may fail, as a `share` or a number (a model): 0.01%, 0")
	shardFlag(cmd, c)
	return watched(cmd, c)
}

// checkWriters are the formats of a report.
var checkWriters = map[string]func(*judgement, io.Writer){
	"text": (*judgement).text, "json": (*judgement).json, "sarif": (*judgement).sarif, "markdown": (*judgement).markdown,
	"junit": (*judgement).junit, "github": (*judgement).github,
}

func (o *checkOptions) check(names []string) {
	in := o.readInput()
	in.Seeds = o.seeds
	j := &judgement{checkOptions: o}
	b := o.readBaseline()
	j.judge(names, in)
	if o.watch.shard.part() {
		o.watch.shard.write(o.out)
		return
	}
	j.accept(b)
	if o.svg != "" && j.check != nil && j.report.Seeds > 0 {
		must.Do(os.WriteFile(o.svg, j.draw(), 0o644))
	}
	o.output.write(o.out, func(format string, w io.Writer) { checkWriters[format](j, w) })
	must.Do(map[check.Verdict]error{check.Pass: nil, check.Unknown: errUnknown, check.Fail: errSaid}[j.report.Verdict])
}

// readInput reads the files beside the manifests.
func (o *checkOptions) readInput() check.Input {
	in := check.Input{Today: cmp.Or(o.today, time.Now().UTC().Format(time.DateOnly))}
	if o.nodes != "" {
		in.Nodes = must.Have(readFile(o.nodes, limits.Text, o.console))
	}
	if o.policy != "" {
		in.Policy = o.readPolicy(o.policy, nil)
	}
	in.Policy.Override(&o.limits)
	must.Do(in.Policy.Validate())
	return in
}

// readPolicy reads a policy and those that it extends, seen from its own folder.
func (o *checkOptions) readPolicy(file string, from []string) check.Policy {
	must.Be(!slices.Contains(from, file), "%s: the policies extend each other: %s", file, strings.Join(append(from, file), ", "))
	p, err := check.ReadPolicy(must.Have(readFile(file, limits.Text, o.console)))
	if err != nil {
		rest, atLine := strings.CutPrefix(input(err), "policy: line ")
		must.Be(!atLine, "%s:%s", file, rest)
		must.Do(fmt.Errorf("%s: %s", file, rest))
	}
	if p.Extends != "" {
		p.Inherit(o.readPolicy(filepath.Join(filepath.Dir(file), p.Extends), append(from, file)))
	}
	return p
}

// input is an error about an input without the words that all of them begin with.
func input(err error) string { return strings.TrimPrefix(err.Error(), check.ErrInput.Error()+": ") }

// accept applies a baseline to the report, or writes it.
func (j *judgement) accept(b *check.Baseline) {
	if j.newBaseline != "" {
		b = j.report.Baseline()
		var text bytes.Buffer
		writeJSON(&text, b)
		must.Do(os.WriteFile(j.newBaseline, text.Bytes(), 0o644))
	}
	if b != nil {
		j.report.Accept(b)
	}
}

// readBaseline reads the baseline, nil without one.
func (o *checkOptions) readBaseline() *check.Baseline {
	if o.baseline == "" {
		return nil
	}
	b, err := check.ReadBaseline(must.Have(readFile(o.baseline, limits.Text, o.console)))
	if err != nil {
		must.Do(fmt.Errorf("%s: %s", o.baseline, input(err)))
	}
	return b
}

// validate refuses flags that do not go together.
func (o *checkOptions) validate(manifests []string) {
	wrongIf(len(manifests) == 0 && o.render == "", "it expects a file")
	wrongIf(o.onlyWorse && o.from == "", "--only-worse compares with what is deployed now; give --from")
	wrongIf(o.render != "" && o.from != "" && !strings.HasPrefix(o.from, fromGit),
		"--render renders a revision of git; --from is a file here")
	wrongIf(o.render != "" && o.from == "" && len(manifests) > 0,
		"--render prints the manifests; name no file beside it, or a revision with --from git:main")
	wrongIf(o.nodes != "" && o.cluster != "", "--nodes and --cluster both have the nodes; give one of them")
	wrongIf(o.baseline != "" && o.newBaseline != "", "--baseline reads and --write-baseline writes; give one of them")
	_, err := time.Parse(time.DateOnly, o.today)
	wrongIf(o.today != "" && err != nil, "--today is a day such as 2026-11-25, not %q", o.today)
}
