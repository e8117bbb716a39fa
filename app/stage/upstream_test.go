package stage

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// TestDecisionsLeadToTheirSource: each function that a decision of a lesson names has a line in the pinned version.
func TestDecisionsLeadToTheirSource(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range scenarios.Names() {
		run, diags := engine.Start(engine.Recording{Scenario: scenarios.Text(name)})
		if run == nil {
			t.Fatal(name, diags)
		}
		for !run.Advance(10_000) {
		}
		for i := range run.Len() {
			why := run.Record(i).Why
			if why == nil || seen[why.Upstream] {
				continue
			}
			seen[why.Upstream] = true
			if !strings.Contains(why.Upstream, ".go:") {
				continue
			}
			if url := upstreamURL(why.Upstream); !strings.Contains(url, "/blob/"+Kubernetes+"/") || !strings.Contains(url, ".go#L") {
				t.Errorf("%s: %s leads to %q", name, why.Upstream, url)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("the lessons name only %d functions", len(seen))
	}
	if url := upstreamURL("pkg/nowhere.go:f"); url != "" {
		t.Errorf("a function that is not there leads to %s", url)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"1 more terminating (R-25).": "1 more terminating.", "a (D-53, R-9) b (25 %) c": "a b (25 %) c", "web (Deployment)": "web (Deployment)", "(": "(", "x (R-": "x (R-",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
