package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
	"github.com/rollplay/rollplay/web/must"
)

// object is an object of JSON.
type object = map[string]any

// sarif prints the findings that need attention, for code scanning (SARIF 2.1.0). Accepted ones are there with their reason.
func (j *judgement) sarif(w io.Writer) {
	rules, results := []object{}, []object{}
	for _, r := range check.Rules() {
		rules = append(rules, object{"id": r.ID, "shortDescription": object{"text": r.Title.En}, "fullDescription": object{"text": r.Why.En},
			"help": object{"text": r.Fix.En}})
	}
	for i := range j.report.Findings {
		f := &j.report.Findings[i]
		if f.Level == "" {
			continue
		}
		file, line := j.place(f)
		place := object{"artifactLocation": object{"uri": file}, "region": object{"startLine": line}}
		result := object{"ruleId": f.Check, "level": f.Level, "message": object{"text": f.Object + ": " + f.Text + details(f)},
			"locations": []object{{"physicalLocation": place, "logicalLocations": []object{{"fullyQualifiedName": f.Object, "kind": "resource"}}}},
			// GitHub reads primaryLocationLineHash, which upload-sarif would take from the text of the line.
			"partialFingerprints": object{"rollplay/v1": fingerprint(f), "primaryLocationLineHash": fingerprint(f)[:16] + ":1"}}
		if f.Accepted != nil {
			kind := "external"
			if f.Accepted.By == check.ByAnnotation {
				kind = "inSource"
			}
			result["suppressions"] = []object{{"kind": kind, "justification": f.Accepted.Why}}
		}
		results = append(results, result)
	}
	driver := object{"name": "rollplay", "version": version.Number, "rules": rules}
	writeJSON(w, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}}})
}

// fingerprint is a name of a finding that stays when its line, its figures or its sentence change.
func fingerprint(f *check.Finding) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(f.Fingerprint())))
}

// The escapes of the runner's commands: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	commandText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandValue = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github prints the findings as commands of GitHub's runner, which shows them at their lines.
func (j *judgement) github(w io.Writer) {
	command := map[check.Level]string{check.Error: "error", check.Warning: "warning", check.Note: "notice"}
	for i := range j.report.Findings {
		if f := &j.report.Findings[i]; f.Open() {
			file, line := j.place(f)
			fmt.Fprintf(w, "::%s file=%s,line=%d,title=%s::%s\n", command[f.Level], commandValue.Replace(file), line,
				commandValue.Replace("rollplay "+f.Check), commandText.Replace(f.Object+": "+f.Text+details(f)))
		}
	}
	fmt.Fprintf(w, "rollplay check: %s\n", j.report.Verdict)
}

// The parts of JUnit's XML that CI systems read.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit prints a suite for each object with a case for each answer. An unknown answer and an accepted finding are skipped cases.
func (j *judgement) junit(w io.Writer) {
	all := junitSuites{Name: "rollplay check"}
	for _, list := range grouped(j.report.Findings, func(f check.Finding) string { return f.Object }) {
		s := junitSuite{Name: list[0].Object, Tests: len(list)}
		for i := range list {
			c := j.junitCase(&list[i])
			if s.Cases = append(s.Cases, c); c.Failure != nil {
				s.Failures++
			} else if c.Skipped != nil {
				s.Skipped++
			}
		}
		all.Suites = append(all.Suites, s)
		all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
	}
	must.Have(io.WriteString(w, xml.Header+string(must.Have(xml.MarshalIndent(all, "", "  ")))+"\n"))
}

func (j *judgement) junitCase(f *check.Finding) junitCase {
	rule, _ := check.RuleOf(f.Check)
	file, line := j.place(f)
	c := junitCase{Class: f.Object, Name: strings.TrimSpace(f.Check + ": " + cmp.Or(rule.Title.En, f.Check) + " " + f.Field), File: file, Line: line}
	text := f.Text + details(f)
	switch {
	case f.Accepted != nil:
		c.Skipped = &junitMessage{Message: "accepted: " + f.Accepted.Why, Text: text}
	case f.Verdict == check.Unknown:
		c.Skipped = &junitMessage{Message: "unknown: " + text}
	case f.Verdict == check.Fail:
		c.Failure = &junitMessage{Type: f.Check, Message: text, Text: fmt.Sprintf("%s:%d\n%s\n%s\n", file, line, rule.Why.En, rule.Fix.En)}
	default:
		c.Out = text
	}
	return c
}

// chartSteps and chartsMost bound the charts of a comment.
const chartSteps, chartsMost = 40, 3

// chartStyle makes a chart of Mermaid small, with the colours of --svg.
const chartStyle = `%%{init: {"xyChart": {"width": 640, "height": 300}, "themeVariables": {"xyChart": {"plotColorPalette": "#1a7f37,#0b57d0"}}}}%%`

// charts draws the pods during the update as GitHub and GitLab show them in comments: neither displays an SVG of a text, both draw Mermaid.
func (j *judgement) charts(w io.Writer) {
	if j.check == nil || len(j.check.Changed()) == 0 {
		return
	}
	r := j.shown()
	from, to := j.check.Shown()
	for _, name := range j.check.Changed()[:min(len(j.check.Changed()), chartsMost)] {
		available, all := make([]int, chartSteps), make([]int, chartSteps)
		high, frames, start := 1, r.Frames(name), from
		for step := range chartSteps {
			end := from + (to-from)*int64(step+1)/chartSteps
			available[step] = math.MaxInt
			for i := range frames { // the lowest and the highest of the step
				f := &frames[i]
				if within := i+1 == len(frames) || frames[i+1].T > start; within && (i == 0 || f.T <= end) {
					available[step], all[step] = min(available[step], f.Available), max(all[step], f.Total+f.Terminating)
				}
			}
			high, start = max(high, all[step]), end
		}
		fmt.Fprintf(w, "\n```mermaid\n%s\nxychart-beta\n  title \"%s: available pods (green) of all pods (blue)\"\n", chartStyle, shortName(name))
		fmt.Fprintf(w, "  x-axis \"seconds\" 0 --> %.1f\n  y-axis \"pods\" 0 --> %d\n", float64(to-from)/1000, high)
		fmt.Fprintf(w, "  line [%s]\n  line [%s]\n```\n", words.Join(available, ", ", strconv.Itoa), words.Join(all, ", ", strconv.Itoa))
	}
}

// place returns the file and the line of a finding, from 1. Of a rendered chart that is the line of the template if the chart is here.
func (j *judgement) place(f *check.Finding) (file string, line int) {
	if name := templateFile(f.Source); name != "" {
		if text, err := os.ReadFile(name); err == nil {
			return filepath.ToSlash(name), templateLine(strings.Split(string(text), "\n"), j.files.lineOf(f.File, f.Line))
		}
	}
	return filepath.ToSlash(cmp.Or(f.Source, f.File, j.files.names())), max(1, f.Line)
}

// templateFile finds the template that helm names as CHART/templates/web.yaml, if the chart of that name is in this folder or below it.
func templateFile(source string) string {
	chart, inChart, found := strings.Cut(source, "/")
	if !found || !filepath.IsLocal(source) {
		return ""
	}
	for _, pattern := range []string{"Chart.yaml", "*/Chart.yaml", "*/*/Chart.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, _ := os.ReadFile(name)
			if docs := yamltext.Split(string(text)); len(docs) > 0 && yamltext.Word(docs[0].Root(), "name") == chart {
				return filepath.Join(filepath.Dir(name), filepath.FromSlash(inChart))
			}
		}
	}
	return ""
}

// lineOf returns the text of a line of a file.
func (m manifests) lineOf(file string, line int) string {
	for _, x := range m {
		if lines := strings.Split(x.Text, "\n"); x.File == file && x.Line <= line && line < x.Line+len(lines) {
			return lines[line-x.Line]
		}
	}
	return ""
}

// templateLine returns the line of a template from which a rendered line probably comes: the same text, or the same key, else the first.
func templateLine(template []string, rendered string) int {
	rendered = strings.TrimSpace(rendered)
	key, _, isField := strings.Cut(rendered, ":")
	same := func(line string) bool { return strings.TrimSpace(line) == rendered }
	sameKey := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), key+":") }
	if i := slices.IndexFunc(template, same); i >= 0 && rendered != "" {
		return i + 1
	}
	if i := slices.IndexFunc(template, sameKey); i >= 0 && isField {
		return i + 1
	}
	return 1
}
