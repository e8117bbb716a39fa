package stage

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/scenarios"
)

// TestScoreEndsAsTheForecastSays: the figures of a rollout under way end as those of the whole, in every lesson.
func TestScoreEndsAsTheForecastSays(t *testing.T) {
	checked := 0
	for _, name := range scenarios.Names() {
		s := apptest.Session(t)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		run := s.Run()
		for _, workload := range run.Workloads() {
			frames := run.Frames(workload)
			of := forecast.New(run.Past())
			for _, r := range slices.Clone(of.Rollouts(workload)) {
				if !r.Done() || r.End == r.Start {
					continue
				}
				whole := r
				r.End = r.End + 1 // still under way one moment before
				here := -1
				for i := range frames {
					if frames[i].T < whole.End {
						here = i
					}
				}
				if here < 0 {
					continue
				}
				got := scoreOf(&r, of.Until(&r, here, whole.End), &frames[here], whole.End)
				if got.Done || got.Took != whole.Duration() || got.Outage != whole.AtZero || got.Lowest != whole.LowestPercent() {
					t.Errorf("%s, %s from %d ms: %+v, the forecast has lowest %d %%, outage %d ms, %d ms", name, workload, r.Start, got, whole.LowestPercent(), whole.AtZero, whole.Duration())
				}
				checked++
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d rollouts", checked)
	}
}

// TestScoreOfAnOutage: a Recreate has no pod for a while, and says so while it lasts.
func TestScoreOfAnOutage(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("recreate")
	apptest.Compute(t, s)
	p := New(s, false)
	seen := false
	for at := int64(0); at < s.End(); at += 100 {
		s.Cursor.SeekTo(at)
		if got := p.score(); got.Down {
			seen = true
			if l := p.statusLine(); l.state != "down" || l.alarm == "" || got.Outage <= 0 && at > 0 && got.Serving != 0 {
				t.Fatalf("at %d ms: %+v, %+v", at, got, l)
			}
		}
	}
	if s.Cursor.SeekTo(s.End()); !seen || p.score().Outage == 0 || p.score().Down {
		t.Errorf("at the end: %+v", p.score())
	}
}
