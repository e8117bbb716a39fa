package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// checkOptions are the flags of rollplay check.
type checkOptions struct {
	console
	from, nodes, policy string
	limits              check.Limits
	output              *choice
	svg, base           string
	skipOthers, verbose bool
	seeds               int
}

func checkCommand(c console) *cobra.Command {
	o := checkOptions{console: c, seeds: 20}
	cmd := &cobra.Command{Use: "check MANIFESTS...", GroupID: deciding, Short: "say whether an update stays within limits",
		RunE: ends(o.check)}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%w: it expects a file", errUsage)
		}
		return nil
	}
	cmd.Long = `check says how low an update goes, how long it takes, what it needs, and whether nodes can be
drained. MANIFESTS are files, or - for standard input. The verdict is pass, fail, or unknown if
something decides that is not modelled.`
	cmd.Example = `  helm template . | rollplay check - --min-available 75% --max-outage 0s
  rollplay check deploy.yaml --from deployed.yaml --nodes nodes.yaml --policy policy.yaml
  rollplay check *.yaml --skip-others -o sarif > rollplay.sarif`
	o.output = output(cmd, "text", "json", "sarif", "markdown")
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "the `file` with the manifests that are deployed now; without it every container gets a new image")
	f.StringVar(&o.nodes, "nodes", "",
		"a `file` with Node objects, nodes: {count: 3, cpu: 4, memory: 16Gi} or nodeGroups: [{name: pool, max: 3, cpu: 4}]")
	f.StringVar(&o.policy, "policy", "", "a policy `file` with limits")
	f.StringVar(&o.svg, "svg", "", "write the chart of the update to this `file`")
	baseFlag(f, &o.base)
	f.BoolVar(&o.skipOthers, "skip-others", false, "leave out files without a workload or a budget")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "also print what passes")
	f.Var(between{&o.seeds, 1, 10_000}, "seeds", "the number of runs behind the percentiles")
	f.StringVar(&o.limits.MinAvailable, "min-available", "", "the fewest available pods, as a `share` or a number: 75%, 3")
	f.StringVar(&o.limits.MaxOutage, "max-outage", "", "the longest `time` with no pod available: 0s")
	f.StringVar(&o.limits.MaxDuration, "max-duration", "", "the longest `time` that 95 % of the seeds may take: 10m")
	f.StringVar(&o.limits.MaxPods, "max-pods", "", "the largest `number` of pods at once")
	f.StringVar(&o.limits.MaxCPU, "max-cpu", "", "the most CPU that the pods may request, as a `quantity`: 4")
	f.StringVar(&o.limits.MaxMemory, "max-memory", "", "the most memory that the pods may request, as a `quantity`: 8Gi")
	f.StringVar(&o.limits.MaxFailed, "max-failed", "",
		"the most requests to its Service that may fail, as a `share` or a number (a model): 0.01%, 0")
	return watched(cmd, c)
}

// checkWriters are the formats of a report.
var checkWriters = map[string]func(*judgement){
	"text": (*judgement).text, "json": (*judgement).json, "sarif": (*judgement).sarif, "markdown": (*judgement).markdown,
}

// nothing is the note of a report on manifests without anything that is judged.
const nothing = "there is no workload and no budget to judge"

func (o *checkOptions) check(names []string) {
	in := o.readInput()
	files := readManifests(names, o.skipOthers, o.console)
	j := &judgement{checkOptions: o, files: files}
	if !slices.ContainsFunc(files, func(m manifest) bool { return !m.nothing }) {
		j.report = &check.Report{Verdict: check.Pass, Numbers: []check.Numbers{}, Findings: []check.Finding{}, Assumed: []string{nothing}}
		checkWriters[o.output.value](j)
		return
	}
	in.New, in.Seeds = files.text(), o.seeds
	j.carryOut(in)
	if o.svg != "" && j.report.Seeds > 0 {
		must.Do(os.WriteFile(o.svg, j.draw(), 0o644))
	}
	checkWriters[o.output.value](j)
	must.Do(map[check.Verdict]error{check.Pass: nil, check.Unknown: errUnknown, check.Fail: errSaid}[j.report.Verdict])
}

// readInput reads the files beside the manifests.
func (o *checkOptions) readInput() check.Input {
	text := map[string]string{}
	for _, file := range []string{o.from, o.nodes, o.policy} {
		if file != "" {
			text[file] = must.Have(readFile(file, limits.Text, o.console))
		}
	}
	in := check.Input{Old: text[o.from], Nodes: text[o.nodes]}
	if o.from != "" && strings.TrimSpace(in.Old) == "" {
		must.Do(fmt.Errorf("%s is empty", o.from))
	}
	if o.policy != "" {
		in.Policy = must.Have(check.ReadPolicy(text[o.policy]))
	}
	in.Policy.Override(&o.limits)
	must.Do(in.Policy.Validate())
	return in
}

// manifests are the files of an update, which are judged together: a budget may be in another file than its workload.
type manifests []manifest

// manifest is a file with the line of the whole text at which it begins, from 0.
type manifest struct {
	name, text string
	first      int
	nothing    bool // it has documents, and none of them is judged
}

// streamMax is the longest rendered stream in bytes; what is simulated of it has the limit of every text.
const streamMax = 64 << 20

// readManifests reads the files; with skip, those without anything to judge are left out.
func readManifests(names []string, skip bool, c console) (files manifests) {
	next := 0
	for _, name := range names {
		whole := must.Have(readFile(name, streamMax, c))
		text := check.Simulated(whole)
		if skip && !check.Concerns(text) {
			continue
		}
		must.Do(tooLong(name, len(text), limits.Text))
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		files = append(files, manifest{name, text, next, check.Nothing(whole)})
		next += strings.Count(text, "\n") + 1
	}
	return files
}

// text returns the files as one stream.
func (m manifests) text() string {
	return words.Join(m, "---\n", func(m manifest) string { return m.text })
}

// place returns the file of a line of the stream, and the line in it.
func (m manifests) place(line int) (file string, at int) {
	i := len(m) - 1
	for i > 0 && m[i].first >= line {
		i--
	}
	return m[i].name, line - m[i].first
}

// names lists the files.
func (m manifests) names() string {
	return words.Join(m, ", ", func(m manifest) string { return m.name })
}

// readFile reads a file, or standard input for -, but no shipped scenario.
func readFile(name string, most int, c console) (string, error) {
	if name == "-" {
		return readText("standard input", c.in, most)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readText(name, f, most)
}

// judgement is a check with its report.
type judgement struct {
	*checkOptions
	files  manifests
	check  *check.Check
	report *check.Report
}

// carryOut plays all runs.
func (j *judgement) carryOut(in check.Input) {
	k, diagnostics, err := check.New(j.watch.library(), in)
	if err != nil {
		for _, d := range diagnostics {
			file, line := j.files.place(d.Line)
			d.Line = line
			report(j.err, file, []engine.Diagnostic{d})
		}
		must.Do(fmt.Errorf("%s: %s", j.files.names(), strings.TrimPrefix(err.Error(), check.ErrInput.Error()+": ")))
	}
	j.watch.spread(k.Seeds(), func(library *scenario.Library, i int) { k.Run(i, library) })
	j.watch.spread(k.Budgets(), func(library *scenario.Library, i int) { k.RunBudget(i, library) })
	if j.report = k.Report(); k.Seeds() > 0 {
		j.check = k
	}
}
