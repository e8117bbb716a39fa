package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/web/must"
)

// judgement is an update that was judged, in one part or several.
type judgement struct {
	*checkOptions
	files  manifests    // all of the update
	check  *check.Check // of the first part that has a workload, nil without one
	report *check.Report
	run    *engine.Run // for pictures; see shown
}

// judged is a part of an update with its runs.
type judged struct {
	part
	check  *check.Check // nil if there is no workload
	folder string       // of the set that the part is of, if there are several
}

// judge reads the manifests and plays all runs.
func (j *judgement) judge(names []string, in check.Input) {
	now, old := j.readSides(names)
	if j.cluster != "" {
		in.Nodes = j.addCluster(now, old)
	}
	j.files = now.Objects
	j.report, j.check = j.play(now, old, in)
	if j.onlyWorse {
		for i := range in.Policy.Workloads {
			in.Policy.Workloads[i].Optional = true // it may be about what is new
		}
		options := *j.checkOptions
		options.from = ""
		before, _ := (&judgement{checkOptions: &options, files: old.Objects}).play(old, &sources{}, in)
		j.report.OnlyWorse(before)
	}
}

// readSides reads the manifests of the update and those that are deployed now. Shards that are merged have them.
func (j *judgement) readSides(names []string) (now, old *sources) {
	s := j.watch.shard
	if s.merged != nil {
		return s.restore("new"), s.restore("old")
	}
	if len(names) == 0 { // both sides are rendered
		j.in, names = strings.NewReader(must.Have(renderIn("", j.render))), []string{"-"}
	}
	old = j.readOld(names)
	now = must.Have(readSources(names, j.skipOthers, j.console))
	now.Notes = append(now.Notes, old.Objects.leaveGone()...)
	s.sources = map[string]*sources{"new": now.carried(), "old": old.carried()}
	return now, old
}

// addCluster adds what the cluster has to both sides, and returns the nodes.
func (j *judgement) addCluster(now, old *sources) (nodes string) {
	c := readCluster(j.cluster, must.Have(readFile(j.cluster, streamMax, j.console)), now.Objects.judged(), old.Objects.judged())
	now.Objects, now.Notes = append(now.Objects, c.standing...), append(now.Notes, c.notes...)
	if j.from != "" {
		for _, m := range c.standing {
			x := *m
			old.Objects = append(old.Objects, &x)
		}
	}
	return c.nodes
}

// readOld reads what is deployed now.
func (j *judgement) readOld(names []string) *sources {
	var b base
	defer func() { os.RemoveAll(b.temp) }()
	b.read(j.from, j.render, names)
	if len(b.names) == 0 {
		return &sources{}
	}
	old, err := readSources(b.names, false, j.console)
	if err != nil {
		must.Do(errors.New(b.name(err.Error())))
	}
	for _, m := range old.Objects {
		m.File = b.name(m.File)
	}
	return old
}

// leaveGone leaves out what is deployed in a version that no server has any more, and what a server refuses: the update that corrects it
// must not be refused for it.
func (m manifests) leaveGone() (notes []string) {
	for _, x := range m {
		var wrong []engine.Diagnostic
		if x.judged {
			wrong = slices.DeleteFunc(manifests{x}.errors(), func(d engine.Diagnostic) bool { return !d.Refused })
		}
		if len(wrong) == 0 {
			continue
		}
		x.judged = false
		if version := x.value.Text("apiVersion"); kinds.Gone(version, api.Kind(x.Kind)) {
			notes = append(notes, fmt.Sprintf("%s is deployed as %s, which no server has any more: it counts as new", x.Kind, version))
		} else {
			notes = append(notes, fmt.Sprintf("%s counts as new: the API server refuses it as it is deployed (%s)", x.key(), withField(wrong[0])))
		}
	}
	return notes
}

// play judges an update, and returns the first check that has a workload.
func (j *judgement) play(now, old *sources, in check.Input) (*check.Report, *check.Check) {
	all := j.parts(now, old)
	var checks []*check.Check // of the parts that have workloads
	for _, p := range all {
		if j.prepare(p, in); p.check != nil {
			checks = append(checks, p.check)
		}
	}
	if err := check.Unmatched(&in.Policy, checks...); len(checks) > 0 && err != nil {
		must.Do(fmt.Errorf("%s: %s", j.files.names(), input(err)))
	}
	s := j.watch.shard
	for _, k := range checks {
		j.watch.results(k.Seeds(), k.Run, k.Outcome)
		for i := s.index; s.part() && i < k.Budgets(); i += s.of {
			if first := k.FirstOf(i); first%s.of != s.index {
				k.Run(first, j.watch.library()) // which another shard prints
			}
		}
		j.watch.results(k.Budgets(), k.RunBudget, k.Drain)
	}
	report := j.join(all, now.Notes)
	if j.cluster != "" {
		for i := range report.Findings {
			f := &report.Findings[i]
			f.Text = quotaNumbers.ReplaceAllString(f.Text, "$1")
		}
	}
	report.Notes = append(report.Notes, configNotes(now.Objects, old.Objects)...)
	for _, k := range checks {
		if k.Seeds() > 0 {
			return report, k
		}
	}
	return report, nil
}

// quotaNumbers are those of a quota without what other pods of the cluster take, see left: nobody finds them in the cluster.
var quotaNumbers = regexp.MustCompile(`(exceeded quota: \S+, requested: \S+), used: \S+, limited: \S+`)

// parts splits an update. With nodes, all workloads compete for them, so they stay together.
func (j *judgement) parts(now, old *sources) (parts []*judged) {
	sets := []manifests{now.Objects}
	if j.from == "" && j.skipOthers {
		sets = now.sets()
	}
	for _, set := range sets {
		pieces := []part{{set.judged(), old.Objects.judged()}}
		if j.nodes == "" && j.cluster == "" {
			pieces = split(pieces[0].new, pieces[0].old)
		}
		for _, p := range pieces {
			x := &judged{part: p}
			if len(sets) > 1 {
				x.folder = set[0].File
			}
			parts = append(parts, x)
		}
	}
	return parts
}

// prepare starts the check of a part.
func (j *judgement) prepare(p *judged, in check.Input) {
	if !slices.ContainsFunc(p.new, func(m *manifest) bool { return m.workload() || !m.sound() }) {
		return
	}
	in.New, in.Old, in.Part = p.new.text(), p.old.text(), true
	if j.from != "" && in.Old == "" {
		in.Old = noObject // nothing of this part is deployed now
	}
	j.refuse(p.old, p.old.errors(), "what is deployed now has errors")
	k, diagnostics, err := check.New(j.watch.library(), in)
	if err != nil {
		j.refuse(p.new, diagnostics, input(err))
		must.Do(fmt.Errorf("%s: %s", p.new.names(), input(err)))
	}
	p.check = k
}

// noObject is the text of a cluster without anything that is judged.
const noObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nothing}\n"

// errors reads objects and returns what is wrong with them.
func (m manifests) errors() []engine.Diagnostic {
	s, diagnostics := scenario.Read(check.WithIPv4(m.text())).Scenario()
	if s != nil || len(m) == 0 {
		return nil
	}
	return diagnostics
}

// streamLine is what a message about broken YAML says of a line, which is not that of the file.
var streamLine = regexp.MustCompile(`^error converting YAML to JSON: yaml: line \d+: `)

// refuse ends the command if something is wrong with some objects, after it has printed where.
func (j *judgement) refuse(files manifests, diagnostics []engine.Diagnostic, why string) {
	diagnostics = slices.DeleteFunc(diagnostics, func(d engine.Diagnostic) bool { return d.Warning })
	for _, d := range diagnostics {
		of, line := files.at(d.Line)
		fmt.Fprintf(j.err, "%s:%d: error: %s\n", of.File, line, streamLine.ReplaceAllString(withField(d), ""))
	}
	must.Be(len(diagnostics) == 0, "%s: %s", files.names(), why)
}

// join makes one report of those on the parts.
func (j *judgement) join(all []*judged, notes []string) *check.Report {
	var reports []*check.Report
	for _, p := range all {
		r := check.Nothing(p.new.text())
		if p.check != nil {
			r = p.check.Report()
		}
		p.find(r)
		reports = append(reports, r)
	}
	ofOneSet := !slices.ContainsFunc(all, func(p *judged) bool { return p.folder != all[0].folder })
	if len(all) > 1 && ofOneSet {
		notes = append(notes, fmt.Sprintf("the manifests are judged in %d parts: workloads of different parts do not compete for nodes", len(all)))
	}
	r := check.Join(reports)
	r.Assumed = append(r.Assumed, notes...)
	return r
}

// find gives the findings of a part the file and the line in it. What is judged with others of the same name has its file behind its name.
func (p *judged) find(r *check.Report) {
	suffix := ""
	if p.folder != "" {
		suffix = " (" + p.folder + ")"
	}
	for i := range r.Numbers {
		r.Numbers[i].Object += suffix
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Object += suffix; f.Line > 0 && len(p.new) > 0 {
			of, line := p.new.at(f.Line)
			f.File, f.Source, f.Line = of.File, of.Source, line
		}
	}
	for i := range r.Ignores {
		g := &r.Ignores[i]
		if g.Object += suffix; g.Line > 0 && len(p.new) > 0 {
			of, line := p.new.at(g.Line)
			g.File, g.Line = of.File, line
		}
	}
}
