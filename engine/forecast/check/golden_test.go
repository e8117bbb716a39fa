package check_test

import (
	"flag"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/forecast/check"
)

var update = flag.Bool("update", false, "rewrite the reports in testdata/reports.txtar")

// TestReports compares whole reports, as testdata/reports.txtar has them, with those on its manifests. The diff of that file is what a
// person sees of a change.
func TestReports(t *testing.T) {
	in := check.Input{}
	runs.Recorded(t, "testdata/reports.txtar", *update, func(name, text string) (report string) {
		switch path.Base(name) {
		case "old.yaml":
			in.Old = text
		case "new.yaml":
			in.New = text
		case "nodes.yaml":
			in.Nodes = text
		case "policy.yaml":
			var err error
			if in.Policy, err = check.ReadPolicy("apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n" + text); err != nil {
				t.Fatal(name, err)
			}
		case "report.txt":
			in.Seeds, in.Today = 3, "2026-11-25"
			report, in = written(reportOf(t, in)), check.Input{}
		}
		return report
	})
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
