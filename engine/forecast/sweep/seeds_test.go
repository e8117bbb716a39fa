package sweep_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

func seedsOf(t testing.TB, text string, n int) *sweep.Seeds {
	t.Helper()
	s, err := planOf(t, text, "").NewSeeds(n)
	if err != nil {
		t.Fatal(err)
	}
	library := new(scenario.Library)
	for i := range n {
		s.Run(i, library)
	}
	return s
}

// TestSeeds: the first seed is the text's own, every outcome is what its recording gives, and the percentiles are in order.
func TestSeeds(t *testing.T) {
	s := seedsOf(t, scenarios.Text("first-rollout"), 40)
	own := forecast.New(finished(t, scenarios.Text("first-rollout")).Past()).Rollouts(s.Plan.Workload)[1]
	if s.Outcomes[0].Rollout != own {
		t.Errorf("the first seed gives %+v, the text %+v", s.Outcomes[0].Rollout, own)
	}
	durations := map[int64]bool{}
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		list := forecast.New(finished(t, o.Recording.Scenario).Past()).Rollouts(s.Plan.Workload)
		if list[1] != o.Rollout || o.Rollout.Lowest < 8 || o.Problem != sweep.Fine {
			t.Errorf("seed %d: %+v\nits recording gives %+v", s.Seed(i), o.Rollout, list[1])
		}
		durations[o.Rollout.Duration()] = true
	}
	if len(durations) < 20 {
		t.Errorf("40 seeds have only %d durations", len(durations))
	}
	d := s.Durations()
	if !(d.Min <= d.P5 && d.P5 < d.P50 && d.P50 < d.P95 && d.P95 <= d.Max) || !durations[d.P50] {
		t.Errorf("%+v", d)
	}
	if worst := &s.Outcomes[s.Worst()].Rollout; worst.Duration() != d.Max || s.Failed() != 0 {
		t.Errorf("the worst is %+v, %d failed", worst, s.Failed())
	}
}

// TestSeedsFail: a rollout that cannot finish is the worst seed.
func TestSeedsFail(t *testing.T) {
	s := seedsOf(t, scenarios.Text("ds-on-delete"), 3)
	if s.Failed() != 3 || s.Outcomes[s.Worst()].Problem != sweep.Stalls {
		t.Errorf("%d failed, the worst: %+v", s.Failed(), s.Outcomes[s.Worst()])
	}
	if d := s.Durations(); d != (sweep.Spread{}) {
		t.Errorf("%+v", d)
	}
	for i := range forecast.Measures { // the lowest and the highest are known, what a whole rollout costs is not
		m := &forecast.Measures[i]
		if x := s.SpreadOf(m); (x != nil) != m.Extreme || m.Name == "lowestPercent" && x.Min != 66 || m.Name == "peakPods" && x.Max != 4 {
			t.Errorf("%s: %+v", m.Name, x)
		}
	}
	never := &sweep.Seeds{Outcomes: []sweep.Outcome{{Problem: sweep.Stalls}}}
	if x := never.SpreadOf(forecast.MeasureOf("lowestPercent")); x != nil {
		t.Errorf("a rollout that does not begin has a lowest availability: %+v", x)
	}
}

// TestSeeded: the first seed is the text's own, and 1 without one.
func TestSeeded(t *testing.T) {
	for text, want := range map[string]string{"spec: {seed: 42}": "seed: 43", "spec: {duration: 1m}": "seed: 2", "spec: [": "seed: 2"} {
		s, err := sweep.NewSeeded("apiVersion: rollplay/v1alpha1\nkind: Scenario\n" + text + "\n" + texts.Deployment("replicas: 1", "image: web:1"))
		if err != nil || !strings.Contains(s.Text(1), want) {
			t.Errorf("%s: the second seed has %q (%v)", text, s.Text(1), err)
		}
	}
}

// TestNothingToUpdate: an update of a workload that never exists does not begin.
func TestNothingToUpdate(t *testing.T) {
	text := texts.World(texts.Quick, "replicas: 2", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}")
	plan := planOf(t, text, "")
	without, _, _ := strings.Cut(text, "---\napiVersion: apps/v1")
	if o := plan.Measure(new(scenario.Library), without+"---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n"); o.Problem != sweep.Stalls || o.Reason != "the update does not begin" {
		t.Errorf("%s: %s", o.Problem, o.Reason)
	}
}

func finished(t testing.TB, text string) *engine.Run {
	t.Helper()
	r, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if r == nil {
		t.Fatal(diagnostics)
	}
	return r.Finish()
}

// BenchmarkSeeds measures one seed of the first lesson.
func BenchmarkSeeds(b *testing.B) {
	s, err := planOf(b, scenarios.Text("first-rollout"), "").NewSeeds(1000)
	if err != nil {
		b.Fatal(err)
	}
	library := new(scenario.Library)
	i := 0
	for b.Loop() {
		s.Run(i%1000, library)
		i++
	}
}
