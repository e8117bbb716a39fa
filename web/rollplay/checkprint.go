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
	"github.com/rollplay/rollplay/web/must"
)

// numberColumns are the columns of the figures of each workload.
var numberColumns = []column[check.Numbers]{
	{"WORKLOAD", func(n *check.Numbers) string { return n.Object }},
	{"LOWEST", func(n *check.Numbers) string {
		return (&forecast.Figures{Lowest: n.Lowest, LowestOf: n.LowestOf}).LowestText()
	}},
	{"OUTAGE", func(n *check.Numbers) string { return orNone(n.Outage) }},
	{"P50", func(n *check.Numbers) string { return n.Took(n.P50) }},
	{"P95", func(n *check.Numbers) string { return n.Took(n.P95) }},
	{"PODS", func(n *check.Numbers) string { return strconv.Itoa(n.PeakPods) }},
	{"CPU", func(n *check.Numbers) string { return forecast.MilliCPU.Text(n.PeakCPU) }},
	{"MEMORY", func(n *check.Numbers) string { return forecast.Bytes.Text(n.PeakMemory) }},
}

// numbers returns the table of the figures; a workload that the update leaves alone has a note in their place.
func (j *judgement) numbers(unchanged string) *table {
	t := tableOf(numberColumns, j.report.Numbers)
	for i := range j.report.Numbers {
		if n := &j.report.Numbers[i]; n.Refused && !n.Changed {
			t.rows[i] = []string{n.Object, strings.Replace(unchanged, "unchanged", "refused", 1)}
		} else if !n.Changed {
			t.rows[i] = []string{n.Object, unchanged}
		}
	}
	return t
}

// text prints the report for a terminal.
func (j *judgement) text() {
	r := j.report
	if len(r.Numbers)+len(r.Findings) == 0 {
		fmt.Fprintf(j.out, "%s: %s\n", strings.ToUpper(string(r.Verdict)), strings.Join(r.Assumed, "; "))
		return
	}
	j.numbers("(unchanged)").writeText(j.out)
	fmt.Fprintln(j.out)
	quiet := 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Level == "" && f.Check != "outage" && !j.verbose {
			quiet++
			continue
		}
		fmt.Fprintf(j.out, "%-8s %s: %s%s\n", f.Label(), f.Object, f.Text, details(f))
	}
	if quiet > 0 {
		fmt.Fprintf(j.out, "%-8s %s more (-v lists them)\n", check.Pass, words.Plural(quiet, "answer"))
	}
	if len(r.Assumed) > 0 {
		fmt.Fprintf(j.out, "\nAssumed: %s.\n", strings.Join(r.Assumed, ";\n  "))
	}
	fmt.Fprintf(j.out, "\n%s\n", strings.ToUpper(string(r.Verdict)))
	if j.base != "" {
		fmt.Fprintln(j.out, j.link())
	}
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
func (j *judgement) link() string {
	if j.check == nil {
		return ""
	}
	return linkOf(j.base, j.check.Recording())
}

// json prints the report as one object. Scripts rely on the field names: add fields, never remove one.
func (j *judgement) json() {
	writeJSON(j.out, struct {
		File string `json:"file"`
		*check.Report
		Link string `json:"link,omitempty"`
	}{j.files.names(), j.report, j.link()})
}

// writeJSON writes a value with indentation.
func writeJSON(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must.Do(enc.Encode(v))
}

// markdown prints the report for a comment on a pull request.
func (j *judgement) markdown() {
	r := j.report
	sign := map[string]string{"pass": "✅", "unknown": "❔", "fail": "❌", "warning": "⚠️", "note": "ℹ️"}
	fmt.Fprintf(j.out, "### %s rollplay check: %s\n\n", sign[string(r.Verdict)], r.Verdict)
	j.numbers("unchanged").writeMarkdown(j.out)
	fmt.Fprintln(j.out)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Level != "" {
			fmt.Fprintf(j.out, "- %s **%s** %s%s\n", sign[f.Label()], cell(f.Object), cell(f.Text), details(f))
		}
	}
	if j.svg != "" && j.check != nil {
		fmt.Fprintf(j.out, "\n![pods during the update](%s)\n", filepath.ToSlash(j.svg))
	}
	if link := j.link(); j.base != "" && link != "" {
		fmt.Fprintf(j.out, "\n[Watch the update](%s)\n", link)
	}
	fmt.Fprintf(j.out, "\n<sub>Assumed: %s.</sub>\n", cell(strings.Join(r.Assumed, "; ")))
}

// markdownSigns escapes the characters that have a meaning in Markdown.
var markdownSigns = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "`", "\\`")

func cell(s string) string { return markdownSigns.Replace(s) }

// object is an object of JSON.
type object = map[string]any

// sarif prints the findings that did not pass, for code scanning (SARIF 2.1.0).
func (j *judgement) sarif() {
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
		file, line := j.files.place(max(1, f.Line))
		place := object{"artifactLocation": object{"uri": filepath.ToSlash(file)}, "region": object{"startLine": max(1, line)}}
		results = append(results, object{"ruleId": f.Check, "level": f.Level, "message": object{"text": f.Object + ": " + f.Text + details(f)},
			"locations": []object{{"physicalLocation": place}}})
	}
	driver := object{"name": "rollplay", "version": version.Number, "rules": rules}
	writeJSON(j.out, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}}})
}
