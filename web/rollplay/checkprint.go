package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/words"
)

// numberColumns are the columns of the figures of each workload.
var numberColumns = []column[check.Numbers]{
	{"WORKLOAD", func(n *check.Numbers) string { return n.Object }},
	{"LOWEST", func(n *check.Numbers) string {
		return (&forecast.Figures{Lowest: n.Lowest, LowestOf: n.LowestOf}).LowestText()
	}},
	{"OUTAGE", func(n *check.Numbers) string { return orNone(n.Outage) }},
	{"P50", func(n *check.Numbers) string { return forecast.Millis.Text(n.P50) }},
	{"P95", func(n *check.Numbers) string { return forecast.Millis.Text(n.P95) }},
	{"PODS", func(n *check.Numbers) string { return strconv.Itoa(n.PeakPods) }},
	{"CPU", func(n *check.Numbers) string { return forecast.MilliCPU.Text(n.PeakCPU) }},
	{"MEMORY", func(n *check.Numbers) string { return forecast.Bytes.Text(n.PeakMemory) }},
}

// numbers returns the table of the figures; a workload that the update leaves alone has a note in their place.
func (j *judgement) numbers(unchanged string) *table {
	t := tableOf(numberColumns, j.report.Numbers)
	for i := range j.report.Numbers {
		if n := &j.report.Numbers[i]; !n.Changed {
			t.rows[i] = []string{n.Object, unchanged}
		}
	}
	return t
}

// text prints the report for a terminal.
func (j *judgement) text() error {
	r := j.report
	if err := j.numbers("(unchanged)").writeText(j.out); err != nil {
		return err
	}
	fmt.Fprintln(j.out)
	quiet := 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Verdict == check.Pass && f.Check != "outage" && !j.verbose {
			quiet++
			continue
		}
		fmt.Fprintf(j.out, "%-8s %s: %s%s\n", f.Verdict, f.Object, f.Text, details(f))
	}
	if quiet > 0 {
		fmt.Fprintf(j.out, "%-8s %s more (-v lists them)\n", check.Pass, words.Plural(quiet, "answer"))
	}
	fmt.Fprintf(j.out, "\nAssumed: %s.\n\n%s\n", strings.Join(r.Assumed, ";\n  "), strings.ToUpper(string(r.Verdict)))
	if j.base != "" {
		fmt.Fprintln(j.out, j.link())
	}
	return nil
}

// details adds a limit and a rule to the text of a finding.
func details(f *check.Finding) string {
	var list []string
	if f.Limit != "" && f.Check != "drain" {
		list = append(list, "limit "+f.Limit)
	}
	if f.Rule != "" {
		list = append(list, f.Rule)
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// link returns the address of the run that shows the update.
func (j *judgement) link() string { return linkOf(j.base, j.check.Recording()) }

// json prints the report as one object. Scripts rely on the field names: add fields, never remove one.
func (j *judgement) json() error {
	return writeJSON(j.out, struct {
		File string `json:"file"`
		*check.Report
		Link string `json:"link,omitempty"`
	}{j.files.names(), j.report, j.link()})
}

// writeJSON writes a value with indentation.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// markdown prints the report for a comment on a pull request.
func (j *judgement) markdown() error {
	r := j.report
	sign := map[check.Verdict]string{check.Pass: "✅", check.Unknown: "❔", check.Fail: "❌"}
	fmt.Fprintf(j.out, "### %s rollplay check: %s\n\n", sign[r.Verdict], r.Verdict)
	if err := j.numbers("unchanged").writeMarkdown(j.out); err != nil {
		return err
	}
	fmt.Fprintln(j.out)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict != check.Pass {
			fmt.Fprintf(j.out, "- %s **%s** %s%s\n", sign[f.Verdict], cell(f.Object), cell(f.Text), details(f))
		}
	}
	if j.svg != "" {
		fmt.Fprintf(j.out, "\n![pods during the update](%s)\n", filepath.ToSlash(j.svg))
	}
	if j.base != "" {
		if link := j.link(); link != "" {
			fmt.Fprintf(j.out, "\n[Watch the update](%s)\n", link)
		}
	}
	fmt.Fprintf(j.out, "\n<sub>Assumed: %s.</sub>\n", cell(strings.Join(r.Assumed, "; ")))
	return nil
}

// markdownSigns escapes the characters that have a meaning in Markdown.
var markdownSigns = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "`", "\\`")

func cell(s string) string { return markdownSigns.Replace(s) }

// The parts of SARIF 2.1.0 that are used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// sarifRules are the questions that check answers.
var sarifRules = []sarifRule{
	{"completes", sarifText{"The rollout finishes"}},
	{"available", sarifText{"Enough pods are available during the update"}},
	{"outage", sarifText{"Some pod is available all the time"}},
	{"duration", sarifText{"The rollout is fast enough"}},
	{"pods", sarifText{"The number of pods stays within a limit"}},
	{"cpu", sarifText{"The requested cpu stays within a limit"}},
	{"memory", sarifText{"The requested memory stays within a limit"}},
	{"drain", sarifText{"Nodes can be drained"}},
	{"modelled", sarifText{"Everything that decides about the rollout is modelled"}},
}

// sarif prints the findings that did not pass, for code scanning.
func (j *judgement) sarif() error {
	results := []sarifResult{}
	for i := range j.report.Findings {
		f := &j.report.Findings[i]
		level := map[check.Verdict]string{check.Fail: "error", check.Unknown: "warning"}[f.Verdict]
		if level == "" {
			continue
		}
		file, line := j.files.place(max(1, f.Line))
		results = append(results, sarifResult{f.Check, level, sarifText{f.Object + ": " + f.Text + details(f)},
			[]sarifLocation{{sarifPhysical{sarifArtifact{filepath.ToSlash(file)}, sarifRegion{max(1, line)}}}}})
	}
	return writeJSON(j.out, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0",
		[]sarifRun{{sarifTool{sarifDriver{"rollplay", version.Number, sarifRules}}, results}}})
}
