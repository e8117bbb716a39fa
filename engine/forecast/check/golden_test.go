package check_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

var update = flag.Bool("update", false, "rewrite the reports in testdata/reports.txtar")

// TestReports compares whole reports, as testdata/reports.txtar has them, with those on its manifests. The diff of that file is what a
// person sees of a change.
func TestReports(t *testing.T) {
	const file = "testdata/reports.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := check.Input{}
	for i, f := range archive.Files {
		text := string(f.Data)
		switch path.Base(f.Name) {
		case "old.yaml":
			in.Old = text
		case "new.yaml":
			in.New = text
		case "nodes.yaml":
			in.Nodes = text
		case "policy.yaml":
			if in.Policy, err = check.ReadPolicy("apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n" + text); err != nil {
				t.Fatal(f.Name, err)
			}
		case "report.txt":
			in.Seeds, in.Today = 3, "2026-11-25"
			got := written(reportOf(t, in))
			if got != text && !*update {
				t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, text)
			}
			archive.Files[i].Data, in = []byte(got), check.Input{}
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// written is a report as a text: its figures, its findings, and what they depend on.
func written(r *check.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Verdict)
	for _, n := range r.Numbers {
		fmt.Fprintf(&b, "%s: %s, lowest %d of %d, %d ms with none, %s to %s, %d pods, %dm, %dMi, %d of %d requests fail\n", n.Object, n.Result, n.Lowest, n.LowestOf,
			n.Outage, n.Took(n.P50), n.Took(n.P95), n.PeakPods, n.PeakCPU, n.PeakMemory>>20, n.Failed, n.Requests)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- %s %s, %s:%d", f.Label(), f.Check, f.Object, f.Line)
		for _, x := range []struct{ name, value string }{{"at ", f.Field}, {"by ", f.Rule}, {"limit ", f.Limit}} {
			if x.value != "" {
				b.WriteString(", " + x.name + x.value)
			}
		}
		b.WriteString(": " + strings.TrimSpace(f.Text) + "\n")
		if f.Accepted != nil {
			fmt.Fprintf(&b, "  by %s: %s\n", f.Accepted.By, f.Accepted.Why)
		}
	}
	for _, text := range append(r.Assumed, r.Notes...) {
		b.WriteString("* " + text + "\n")
	}
	return b.String()
}
