package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/scenario"
)

// errInput is an input that cannot be judged, errUnknown a verdict that has been printed. Their exit codes are 2 and 3.
var (
	errInput   = errors.New("bad input")
	errUnknown = errors.New("unknown")
)

// judge says whether an update stays within limits.
func judge(args []string, c console) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	from := fs.String("from", "", "the manifests that are deployed now")
	nodes := fs.String("nodes", "", "Node objects, or nodes: {count: 3, cpu: 4, memory: 16Gi}, or nodeGroups: [{name: pool, max: 3, cpu: 4}]")
	policyFile := fs.String("policy", "", "a policy file")
	format := fs.String("o", "text", "text, json, sarif or markdown")
	svg := fs.String("svg", "", "write the chart of the update to this file")
	base := fs.String("base", "", "the address of the playground, for the link")
	skip := fs.Bool("skip-others", false, "leave out files without a workload or a budget")
	all := fs.Bool("v", false, "print what passes, too")
	seeds := fs.Int("seeds", 20, "how many runs the percentiles come from")
	var limits check.Limits
	fs.StringVar(&limits.MinAvailable, "min-available", "", "75%, or a number of pods")
	fs.StringVar(&limits.MaxOutage, "max-outage", "", "time with no pod available: 0s")
	fs.StringVar(&limits.MaxDuration, "max-duration", "", "of 95 % of the seeds: 10m")
	fs.StringVar(&limits.MaxPods, "max-pods", "", "pods at once")
	fs.StringVar(&limits.MaxCPU, "max-cpu", "", "what they request: 4")
	fs.StringVar(&limits.MaxMemory, "max-memory", "", "8Gi")
	names, err := parse(fs, args, some)
	if err != nil {
		return err
	}
	write := map[string]func(*judgement) error{"text": (*judgement).text, "json": (*judgement).json, "sarif": (*judgement).sarif, "markdown": (*judgement).markdown}[*format]
	switch {
	case write == nil:
		return notFormat("check", *format, "text", "json", "sarif", "markdown")
	case *seeds < 1 || *seeds > 10_000:
		return fmt.Errorf("%w: check: -seeds is a number from 1 to 10000", errUsage)
	}
	in, err := readInput(c, *from, *nodes, *policyFile, limits)
	var files manifests
	if err == nil {
		files, err = readManifests(names, *skip, c)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errInput, err)
	}
	if len(files) == 0 {
		fmt.Fprintln(c.out, "There is no workload and no budget to judge.")
		return nil
	}
	in.New, in.Seeds = files.text(), *seeds
	j := &judgement{console: c, files: files, svg: *svg, base: *base, all: *all}
	if err := j.carryOut(in); err != nil {
		return err
	}
	if *svg != "" {
		if err := os.WriteFile(*svg, j.draw(), 0o644); err != nil {
			return err
		}
	}
	if err := write(j); err != nil {
		return err
	}
	return map[check.Verdict]error{check.Pass: nil, check.Unknown: errUnknown, check.Fail: errSaid}[j.report.Verdict]
}

// readInput reads the files beside the manifests.
func readInput(c console, from, nodes, policy string, limits check.Limits) (in check.Input, err error) {
	text := map[string]string{}
	for _, file := range []string{from, nodes, policy} {
		if file == "" {
			continue
		}
		if text[file], err = readFile(file, c); err != nil {
			return in, err
		}
	}
	in = check.Input{Old: text[from], Nodes: text[nodes]}
	if from != "" && strings.TrimSpace(in.Old) == "" {
		return in, fmt.Errorf("%s is empty", from)
	}
	if policy != "" {
		if in.Policy, err = check.ReadPolicy(text[policy]); err != nil {
			return in, err
		}
	}
	in.Policy.Override(limits)
	return in, in.Policy.Validate()
}

// manifests are the files of an update, which are judged together: a budget may stand beside its workload.
type manifests []manifest

// manifest is a file with the line of the whole text at which it begins, from 0.
type manifest struct {
	name, text string
	first      int
}

// readManifests reads the files; with skip, those without anything to judge are left out.
func readManifests(names []string, skip bool, c console) (files manifests, err error) {
	next := 0
	for _, name := range names {
		text, err := readFile(name, c)
		if err != nil {
			return nil, err
		}
		if skip && !check.Concerns(text) {
			continue
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		files = append(files, manifest{name, text, next})
		next += strings.Count(text, "\n") + 1
	}
	return files, nil
}

// text returns the files as one stream.
func (m manifests) text() string {
	var texts []string
	for i := range m {
		texts = append(texts, m[i].text)
	}
	return strings.Join(texts, "---\n")
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
	var names []string
	for i := range m {
		names = append(names, m[i].name)
	}
	return strings.Join(names, ", ")
}

// readFile reads a file, or standard input for -. The shipped scenarios are no manifests of anybody.
func readFile(name string, c console) (string, error) {
	if name == "-" {
		return readText("standard input", c.in)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readText(name, f)
}

// judgement is a check with where it is printed.
type judgement struct {
	console
	files     manifests
	svg, base string
	all       bool
	check     *check.Check
	report    *check.Report
}

// carryOut plays all runs.
func (j *judgement) carryOut(in check.Input) error {
	k, diagnostics, err := check.New(in)
	if err != nil {
		for _, d := range diagnostics {
			file, line := j.files.place(d.Line)
			d.Line = line
			report(j.err, file, []engine.Diagnostic{d})
		}
		return fmt.Errorf("%w: %s: %s", errInput, j.files.names(), strings.TrimPrefix(err.Error(), check.ErrInput.Error()+": "))
	}
	spread(k.Seeds(), func(library *scenario.Library, i int) { k.Run(i, library) })
	spread(k.Budgets(), func(library *scenario.Library, i int) { k.RunBudget(i, library) })
	j.check, j.report = k, k.Report()
	return nil
}
