package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

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
func (j *judgement) text(w io.Writer) {
	r := j.report
	if len(r.Numbers)+len(r.Findings) == 0 {
		fmt.Fprintf(w, "%s: %s\n", strings.ToUpper(string(r.Verdict)), strings.Join(r.Assumed, "; "))
		return
	}
	j.numbers("(unchanged)").writeText(w)
	fmt.Fprintln(w)
	quiet, accepted := 0, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.Open() || j.verbose || f.Check == "outage" && f.Accepted == nil:
			fmt.Fprintf(w, "%-8s %s: %s [%s]\n", f.Label(), f.Object, said(f), f.Check)
		case f.Accepted != nil:
			accepted++
		default:
			quiet++
		}
	}
	if accepted > 0 {
		fmt.Fprintf(w, "accepted %s (-v lists them)\n", words.Plural(accepted, "finding"))
	}
	if quiet > 0 {
		fmt.Fprintf(w, "%-8s %s more (-v lists them)\n", check.Pass, words.Plural(quiet, "answer"))
	}
	for i := range r.Ignores {
		fmt.Fprintf(w, "%-8s %s\n", "ignore", r.Ignores[i].String())
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "%-8s %s\n", "note", note)
	}
	if len(r.Assumed) > 0 {
		fmt.Fprintf(w, "\nAssumed: %s.\n", strings.Join(r.Assumed, ";\n  "))
	}
	fmt.Fprintf(w, "\n%s\n", strings.ToUpper(string(r.Verdict)))
	if j.base != "" {
		fmt.Fprintln(w, j.link())
	}
}

// said is the text of a finding with its limit, its rule, and why it is accepted.
func said(f *check.Finding) string {
	text := f.Text + details(f)
	if f.Accepted != nil {
		text += " [" + f.Accepted.By + ": " + f.Accepted.Why + "]"
	}
	return text
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
func (j *judgement) json(w io.Writer) {
	writeJSON(w, struct {
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
func (j *judgement) markdown(w io.Writer) {
	r := j.report
	sign := map[string]string{"pass": "✅", "unknown": "❔", "fail": "❌", "warning": "⚠️", "note": "ℹ️"}
	fmt.Fprintf(w, "### %s rollplay check: %s\n\n", sign[string(r.Verdict)], r.Verdict)
	j.numbers("unchanged").writeMarkdown(w)
	fmt.Fprintln(w)
	var accepted []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Open() {
			fmt.Fprintf(w, "- %s **%s** %s\n", sign[f.Label()], cell(f.Object), cell(said(f)))
		} else if f.Accepted != nil {
			accepted = append(accepted, f.Object+": "+said(f))
		}
	}
	var ignored []string
	for i := range r.Ignores {
		ignored = append(ignored, r.Ignores[i].String())
	}
	j.charts(w)
	if j.svg != "" && j.check != nil {
		fmt.Fprintf(w, "\n![pods during the update](%s)\n", filepath.ToSlash(j.svg))
	}
	if link := j.link(); j.base != "" && link != "" {
		fmt.Fprintf(w, "\n[Watch the update](%s)\n", link)
	}
	foldedList(w, "accepted finding", accepted)
	foldedList(w, "annotation to ignore findings", ignored)
	foldedList(w, "note", r.Notes)
	foldedList(w, "assumption", r.Assumed)
}

// foldedList writes a list that opens with a click.
func foldedList(w io.Writer, name string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n<details><summary>%s</summary>\n\n", words.Plural(len(list), name))
	for _, line := range list {
		fmt.Fprintf(w, "- %s\n", cell(line))
	}
	fmt.Fprintln(w, "\n</details>")
}

// markdownSigns escapes the characters that have a meaning in Markdown.
var markdownSigns = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "`", "\\`")

func cell(s string) string { return markdownSigns.Replace(s) }
