package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const deployed = `# the shop
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
`

// sold is the Service of the shop.
const sold = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"

// TestCheckExitCodes: 0 pass, 1 fail, 2 bad input, 3 unknown; what is printed says why.
func TestCheckExitCodes(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte("apiVersion: rollplay/v1alpha1\nkind: Policy\nspec: {minAvailable: 100%}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gated := strings.Replace(deployed, "spec: {containers", "spec: {schedulingGates: [{name: example.com/gate}], containers", 1)
	for _, tt := range []struct {
		in, args       string
		code           int
		stdout, stderr string
	}{
		{deployed, "", 0, "\nPASS\n", ""},
		{deployed, "-min-available 75% -max-duration 1m -max-pods 8", 0, "3 of 4 (75%)", ""},
		{deployed, "-v", 0, "pass     poddisruptionbudget/web: 1 pod of 4 may be evicted at once.", ""},
		{deployed, "-min-available 80%", 1, "fail     deployment/web: Lowest availability: 3 of 4 (75%). maxSurge 25%, maxUnavailable 25%. (limit 80%, D-53)", ""},
		{deployed, "-policy " + policy, 1, "\nFAIL\n", ""},
		{deployed, "-policy " + policy + " -min-available 50%", 0, "\nPASS\n", ""},
		{deployed + sold, "-max-failed 10%", 0, "\nPASS\n", ""},
		{deployed + sold, "-max-failed 0.01%", 1, "pods stop before the proxies know", ""},
		{deployed, "-max-failed 0", 3, "unknown  deployment/web: There is no Service", ""},
		{deployed, "-max-failed few", 2, "", "maxFailed must be a number of requests or a percentage"},
		{gated, "", 3, "unknown  deployment/web: schedulingGates", ""},
		{"", "", 2, "", "there are no manifests"},
		{"kind: [", "", 2, "", "the manifests have errors"},
		{"replicas: {{ .Values.n }}", "", 2, "", "helm template"},
		{strings.Repeat("# ten megabytes\n", 700_000), "", 2, "", "larger than 1 MiB"},
		{strings.Repeat("---\n"+strings.Split(deployed, "---\n")[0], 200), "", 2, "", "already exists"},
		{documents(200, deployed), "-seeds 1", 0, "the manifests are judged in 2 parts", ""},
		{documents(200, "kind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n"), "", 0, "PASS: there is no workload to judge", ""},
		{documents(20_000, "kind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n"+strings.Repeat("# text of a dashboard\n", 5)) + "---\n" + deployed, "", 0, "\nPASS\n", ""},
		{documents(600, "kind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n") + "---\n" + deployed, "-min-available 4 -o sarif", 1, "\"startLine\": 2403", ""},
		{documents(3, "kind: Deploymnet\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a}]}}}\n"), "", 2, "", "no matches for kind"},
		{"\x7fELF\x02\x01\x01\x00\x00", "", 2, "", "no text in UTF-8"},
		{"\x1f\x8b\x08\xff\xfe", "", 2, "", "no text in UTF-8"},
		{"<html><body>404</body></html>", "", 2, "", "must be a Kubernetes object"},
		{deployed, "-min-available most", 2, "", "must be a number of pods or a percentage"},
		{deployed, "-from nowhere.yaml", 2, "", "nowhere.yaml"},
		{deployed, "-nodes " + policy, 2, "", "no matches for kind"},
		{deployed, "-o pdf", 2, "", "Usage:"},
	} {
		code, stdout, stderr := command(tt.in, append([]string{"check", "-", "-seeds", "3"}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) || (code == 2) != (stdout == "") {
			t.Errorf("%.40q %s: exit %d, want %d\n%s%.600s", tt.in, tt.args, code, tt.code, stdout, stderr)
		}
	}
}

// TestCheckDeployed: what is deployed now may have what the update corrects, and the IP families of a cluster that nobody knows.
func TestCheckDeployed(t *testing.T) {
	sixth := sold[:strings.Index(sold, "spec: {")] + "spec: {ipFamilies: [IPv6], selector: {app: web}, ports: [{port: 80}]}\n"
	for _, tt := range []struct {
		old, new, stdout, stderr string
		code                     int
	}{
		{strings.Replace(deployed, "replicas: 4", "repliccas: 4", 1), deployed, "Deployment/default/web counts as new: the API server refuses it as it is deployed (spec.repliccas: ", "", 0},
		{strings.Replace(deployed, "policy/v1", "policy/v1beta1", 1), deployed, "PodDisruptionBudget is deployed as policy/v1beta1, which no server has any more: it counts as new", "", 0},
		{deployed + sixth, strings.Replace(deployed, "web:1", "web:2", 1) + sixth, "the cluster has the IP families that the Services name", "", 0},
		{"kind: [", deployed, "", "what is deployed now has errors", 2},
	} {
		old := filepath.Join(t.TempDir(), "old.yaml")
		if err := os.WriteFile(old, []byte(tt.old), 0o644); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := command(tt.new, "check", "-", "-from", old, "-seeds", "2")
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("exit %d, want %d\n%s%s\nwant %s", code, tt.code, stdout, stderr, tt.stdout)
		}
	}
}

// documents returns n documents like the first one of a text, each with a name of its own.
func documents(n int, text string) string {
	first, _, _ := strings.Cut(text, "---\n")
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\n%s", strings.Replace(first, "{name: web}", fmt.Sprintf("{name: web%d}", i), 1))
	}
	return b.String()
}

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

// TestCheckFormats: JSON, SARIF and Markdown say the same, and the SVG draws the update.
func TestCheckFormats(t *testing.T) {
	dir := t.TempDir()
	file, svg := filepath.Join(dir, "web.yaml"), filepath.Join(dir, "web.svg")
	if err := os.WriteFile(file, []byte(deployed), 0o644); err != nil {
		t.Fatal(err)
	}
	out := func(format string) string {
		code, out, stderr := command("", "check", file, "-min-available", "4", "-o", format, "-seeds", "3", "-svg", svg, "-base", "https://rollplay.example/")
		if code != 1 || stderr != "" {
			t.Fatalf("-o %s: exit %d, %s", format, code, stderr)
		}
		return out
	}
	var j struct {
		Verdict, Link string
		Findings      []struct{ Check, Verdict, Rule string }
	}
	if err := json.Unmarshal([]byte(out("json")), &j); err != nil || j.Verdict != "fail" || j.Findings[0].Check != "available" || j.Findings[0].Rule != "D-53" {
		t.Errorf("%v %+v", err, j)
	}
	if code, cards, _ := command("", "forecast", j.Link); code != 0 || !strings.Contains(cards, "3 of 4 (75%)") {
		t.Errorf("the link plays something else:\n%s", cards)
	}
	var sarif sarifLog
	if err := json.Unmarshal([]byte(out("sarif")), &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs[0].Results) != 1 {
		t.Fatalf("%v %+v", err, sarif)
	}
	result := sarif.Runs[0].Results[0]
	if where := result.Locations[0].Physical; result.RuleID != "available" || result.Level != "error" || where.Region.StartLine != 2 || where.Artifact.URI != filepath.ToSlash(file) {
		t.Errorf("%+v", result)
	}
	known := false
	for _, r := range sarif.Runs[0].Tool.Driver.Rules {
		known = known || r.ID == result.RuleID
	}
	if !known {
		t.Errorf("rule %s is not declared", result.RuleID)
	}
	markdown := out("markdown")
	for _, want := range []string{"### ❌ rollplay check: fail", "| deployment/web | 3 of 4 (75%) | - |", "- ❌ **deployment/web** Lowest availability", "![pods during the update](", "[Watch the update](https://rollplay.example/#1."} {
		if !strings.Contains(markdown, want) {
			t.Errorf("no %q in\n%s", want, markdown)
		}
	}
	drawn, err := os.ReadFile(svg)
	if err != nil || strings.Count(string(drawn), "<path") != 5 || !strings.Contains(string(drawn), "deployment/web") || strings.Contains(string(drawn), "NaN") {
		t.Errorf("%v\n%s", err, drawn)
	}
}
