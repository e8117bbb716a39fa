package stage

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine/past"
)

// TestLaneRevisions: after an undo a revision has another number, and still its colour; what was before is called as it was.
func TestLaneRevisions(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("sts-stuck")
	apptest.Compute(t, s)
	p := New(s, false)
	rows := p.lanes(s.Workload())
	if len(rows) != 3 || rows[0].Name != "db-2" {
		t.Fatalf("rows %+v", rows)
	}
	var revisions []string
	for _, seg := range rows[0].Segments {
		rev, _, _ := strings.Cut(seg.Text, " · ")
		if color := map[string]int{"rev 1": 1, "rev 2": 2, "rev 3": 1}[rev]; seg.Color != color {
			t.Errorf("%q has the colour %d, want %d", seg.Text, seg.Color, color)
		}
		revisions = append(revisions, rev)
	}
	if got := strings.Join(slices.Compact(revisions), ", "); got != "rev 1, rev 2, rev 3" {
		t.Errorf("db-2 is of %s", got)
	}
}

// TestDaemonSetHasNoScale: a control that could do nothing is not there.
func TestDaemonSetHasNoScale(t *testing.T) {
	for workload, replicas := range map[string]int{"DaemonSet/default/agent": -1, "StatefulSet/default/db": 3} {
		c := &controls{Workload: workload, Row: past.WorkloadRow{Replicas: replicas, Containers: "a", Images: "a:1"}}
		if got, want := strings.Contains(app.HTMLString(c.stepper("scale", "scale-value", "scale-is")), "scale-input"), replicas >= 0; got != want {
			t.Errorf("%s can be scaled: %v", workload, got)
		}
	}
}
