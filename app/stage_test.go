package app

import (
	"strings"
	"testing"
)

// TestBoundsAreSums: the bounds beside the legend say how they come about.
func TestBoundsAreSums(t *testing.T) {
	r := readout{Known: true, Desired: 4, Upper: 5, Lower: 3}
	if got := atMost(english, r) + ", " + atLeast(english, r); got != "at most 5 = 4 + 1, at least 3 = 4 − 1" {
		t.Errorf("got %q", got)
	}
}

// TestWhyPanelShowsItsReason: the sums, the fields and the version whose rules they are.
func TestWhyPanelShowsItsReason(t *testing.T) {
	p := newStage(newTestSession(t), false)
	p.s.LookAt(find(t, p.s.run, 10_000, whatBegins("Scaled down")))
	html := htmlOf(p.whyPanel())
	for _, want := range []string{`data-act="why-diff"`, "− 10", "+ 8", "Kubernetes v1.37.1", "kubectl set image"} {
		if !strings.Contains(html, want) {
			t.Errorf("the panel does not show %q", want)
		}
	}
}

// TestChartTitle: the chart has the scenario's title in the playground, and in an embed the sentence of the moment.
func TestChartTitle(t *testing.T) {
	s := newTestSession(t)
	sc := s.run.Scenario()
	s.LessonNext()
	for tag, want := range map[string][2]string{"en": {sc.Title.En, sc.Captions[0].Text.En}, "zh": {sc.Title.Zh, sc.Captions[0].Text.Zh}} {
		s.SetLang(tag)
		for i, embedded := range []bool{false, true} {
			if got := newStage(s, embedded).chartTitle(); got != want[i] || got == "" {
				t.Errorf("%s, embedded %v: got %q, want %q", tag, embedded, got, want[i])
			}
		}
	}
}
