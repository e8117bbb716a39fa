package main

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

// TestHostileReports: a text of a manifest neither gives the runner a command, nor ends an element or a list.
func TestHostileReports(t *testing.T) {
	const text = "100%\n::set-output name=verdict::pass\r\n</details><script>]]>"
	j := &judgement{checkOptions: &checkOptions{}, report: &check.Report{Verdict: check.Fail, Numbers: []check.Numbers{{Object: text}},
		Ignores: []check.Ignore{{Object: text, Rule: text, Reason: text}}, Notes: []string{text}, Assumed: []string{text},
		Findings: []check.Finding{
			{Check: "outage", Verdict: check.Fail, Level: check.Error, Object: text, Text: text, File: "a,b:c%\n.yaml", Line: 3},
			{Check: "cpu", Verdict: check.Unknown, Level: check.Warning, Object: "b", Text: text},
			{Check: "pods", Verdict: check.Pass, Level: check.Note, Object: "b", Text: text},
			{Check: "pods", Verdict: check.Fail, Level: check.Error, Object: "b", Text: "x", Accepted: &check.Acceptance{By: check.ByAnnotation, Why: text}},
			{Check: "pods", Verdict: check.Pass, Object: "b", Text: text},
		}}}
	written := func(write func(*judgement, *strings.Builder)) string {
		var b strings.Builder
		write(j, &b)
		return b.String()
	}
	commands := written(func(j *judgement, b *strings.Builder) { j.github(b) })
	lines := strings.Split(commands, "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "::error file=a%2Cb%3Ac%25%0A.yaml,line=3,title=rollplay outage::100%25%0A::set-output") ||
		!strings.HasPrefix(lines[1], "::warning ") || !strings.HasPrefix(lines[2], "::notice ") || lines[3] != "rollplay check: fail" {
		t.Errorf("%q", lines)
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(written(func(j *judgement, b *strings.Builder) { j.junit(b) })), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 5 || suites.Failures != 1 || suites.Skipped != 2 || len(suites.Suites) != 2 || suites.Suites[1].Skipped != 2 || suites.Suites[0].Failures != 1 ||
		!strings.Contains(suites.Suites[0].Cases[0].Failure.Message, "<script>]]>") || suites.Suites[1].Cases[1].Out == "" {
		t.Errorf("%+v", suites)
	}
	if sarif := written(func(j *judgement, b *strings.Builder) { j.sarif(b) }); !json.Valid([]byte(sarif)) || strings.Count(sarif, `"ruleId"`) != 4 {
		t.Error(sarif)
	}
	markdown := written(func(j *judgement, b *strings.Builder) { j.markdown(b) })
	if strings.Contains(markdown, "\n::") || strings.Contains(markdown, "<script") || strings.Count(markdown, "</details>") != strings.Count(markdown, "<details>") ||
		strings.Count(markdown, "<details>") != 4 {
		t.Error(markdown)
	}
}

// TestTemplateLine: a rendered line comes from the same line of the template, from its key, or from somewhere.
func TestTemplateLine(t *testing.T) {
	template := strings.Split("{{- if .Values.web }}\nkind: Deployment\nspec:\n  replicas: {{ .Values.n }}\n    image: web\n{{- end }}\n", "\n")
	for rendered, want := range map[string]int{"kind: Deployment": 2, "      replicas: 4": 4, " image: web": 5, "image: other": 5, "{{- end }}": 6, "other: 1": 1, "": 1, "- a": 1} {
		if got := templateLine(template, rendered); got != want {
			t.Errorf("%q: line %d, want %d", rendered, got, want)
		}
	}
}
