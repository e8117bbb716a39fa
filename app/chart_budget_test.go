package app

import (
	"strings"
	"testing"
)

// TestBudgetInTheChart: a budget has a line at what must be healthy, a number in the legend, and a click leads to where it
// came from.
func TestBudgetInTheChart(t *testing.T) {
	s := newTestSession(t)
	s.LoadScenario("drain")
	computeAll(t, s)
	p := newStage(s, false)
	s.SeekTo(28_000)
	v := p.chartView()
	line := v.Series[len(v.Series)-1]
	if line.ID != "pdb:zk" || line.Points[line.Points.len()*2-1] != 2 {
		t.Fatalf("the last line is %s: %v", line.ID, line.Points)
	}
	if !strings.Contains(v.Option, `"pdb:zk"`) {
		t.Error("the chart has no style for it")
	}
	items := p.legend(readoutAt(s.run.Frames(s.watched()), 0))
	if last := items[len(items)-1]; last.ID != "pdb:zk" || last.Value != "2" {
		t.Errorf("the legend ends with %+v", last)
	}
	s.LookAtSeries("pdb:zk")
	if r := s.run.Record(s.cursor.Record); r.Object != "PodDisruptionBudget/default/zk" {
		t.Errorf("a click leads to %+v", r)
	}
	strips := p.strips()
	found := false
	for _, row := range strips {
		found = found || row.Label == "PDB" && strings.Contains(row.Segments[len(row.Segments)-1].Text, "allowed")
	}
	if !found {
		t.Error("no row says what the budget allows")
	}
}
