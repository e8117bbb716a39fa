package stage

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/session"
)

// TestMetrics: beside a workload with an autoscaler are its load, its metric and the target, as kubectl get hpa prints them.
func TestMetrics(t *testing.T) {
	s := session.New(false)
	s.LoadScenario("hpa-rollout")
	apptest.Compute(t, s)
	p := New(s, false)
	for at, want := range map[int64]string{61_000: "load 700m; HPA cpu: 58%/80%", 105_010: "load 1600m; HPA cpu: 160%/80%", 151_000: "load 1600m; HPA cpu: 80%/80%"} {
		s.Cursor.SeekTo(at)
		if got := strings.Join(p.verdict().parts, "; "); !strings.Contains(got, want) {
			t.Errorf("at %d ms: %s", at, got)
		}
	}
	if s.LoadScenario("first-rollout"); strings.Contains(strings.Join(p.verdict().parts, " "), "HPA") {
		t.Error("a workload without an autoscaler has a metric")
	}
}
