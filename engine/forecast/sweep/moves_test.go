package sweep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestMovesForAWhile: a workload without a known cause moves until nothing is due within half an hour of the last change of its pods. Here a quota,
// of which only events of a StatefulSet tell, keeps the third pod from coming back.
func TestMovesForAWhile(t *testing.T) {
	const text = `kind: Scenario
apiVersion: rollplay/v1alpha1
spec:
  duration: 2h
  timeline: [{at: 60s, run: set image statefulset/db db=db:2}]
---
kind: ResourceQuota
apiVersion: v1
metadata: {name: small}
spec: {hard: {pods: "3"}}
---
kind: StatefulSet
apiVersion: apps/v1
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
`
	const db, changed = "StatefulSet/default/db", 61_002
	commands := []engine.Command{{At: 50_000, Run: `kubectl patch quota small -p '{"spec":{"hard":{"pods":"2"}}}'`}}
	moments := []struct {
		at    int64
		moves bool
	}{{120_000, true}, {changed + sweep.Patience - 2, true}, {changed + sweep.Patience - 1, false}, {changed + sweep.Patience, false}}
	for _, m := range moments {
		commands = append(commands, engine.Command{At: m.at, Run: "kubectl get pods"}) // so that the run has this moment
	}
	r, diagnostics := engine.Start(engine.Recording{Scenario: text, Commands: commands})
	if r == nil {
		t.Fatal(diagnostics)
	}
	for _, m := range moments {
		r.AdvancePast(m.at-1, 1<<20)
		if list := r.Frames(db); r.Now() != m.at || list[len(list)-1].T != changed {
			t.Fatalf("at %d ms the last change was at %d ms", r.Now(), list[len(list)-1].T)
		}
		if got := sweep.Moves(r, db); got != m.moves {
			t.Errorf("%d ms after the last change: moves %t", m.at-changed, got)
		}
	}
}

// TestLooksEachHalfHour: whether the workloads still move is looked at each half hour, and a run that does not move is over then. A command
// each two seconds makes 17 minutes of the events that are computed between two looks at the clock.
func TestLooksEachHalfHour(t *testing.T) {
	var commands []engine.Command
	for at := int64(10_000); at < 110*60_000; at += 2000 {
		commands = append(commands, engine.Command{At: at, Run: "kubectl get pods"})
	}
	for pull, tt := range map[string]struct{ looks, minutes int64 }{"109m": {3, 110}, "fails": {1, 46}} {
		text := texts.World("{match: \"*\", pull: "+pull+"}", "replicas: 1\n  progressDeadlineSeconds: 100000", "image: web:1")
		r, diagnostics := engine.Start(engine.Recording{Scenario: strings.Replace(text, "spec:\n", "spec:\n  duration: 110m\n", 1), Commands: commands})
		if r == nil {
			t.Fatal(diagnostics)
		}
		looks := int64(0)
		sweep.Play(r, func() bool { return false }, func() bool { looks++; return sweep.Moves(r, texts.Web) })
		if minutes := (r.Now() + 30_000) / 60_000; looks != tt.looks || minutes != tt.minutes {
			t.Errorf("pull %s: %d looks in %d minutes, want %d in %d", pull, looks, minutes, tt.looks, tt.minutes)
		}
	}
}

// TestLate: a rollout that is slow gets the time that it needs, up to a day; one that stays stuck gets half an hour, and its text may say more.
func TestLate(t *testing.T) {
	slow := func(duration, spec string) string {
		text := texts.World(texts.Quick, "replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n  "+spec, "image: web:1")
		return strings.Replace(text, "spec:\n", "spec:\n"+duration, 1)
	}
	const ten = "progressDeadlineSeconds: 900\n  minReadySeconds: 580"
	quota := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: %d}}\n"
	for name, tt := range map[string]struct {
		text     string
		problem  sweep.Problem
		duration string
	}{
		"slow":                {slow("", ten), sweep.Fine, "24h"},
		"in a short run":      {slow("  duration: 50s\n", ten), sweep.Fine, "24h"},
		"in a long run":       {slow("  duration: 3h\n", ten), sweep.Fine, "3h"},
		"after its deadline":  {slow("", "minReadySeconds: 590\n  progressDeadlineSeconds: 600"), sweep.Fine, "24h"},
		"a day is too short":  {slow("", "progressDeadlineSeconds: 40000\n  minReadySeconds: 30000"), sweep.Late, "24h"},
		"a quota leaves one":  {slow("", "minReadySeconds: 0") + fmt.Sprintf(quota, 5), sweep.Fine, ""},
		"a quota leaves none": {slow("", "minReadySeconds: 0") + fmt.Sprintf(quota, 4), sweep.Quota, ""},
		"no more time helps":  {slow("  duration: 50s\n", "minReadySeconds: 0") + fmt.Sprintf(quota, 4), sweep.Quota, "30m"},
	} {
		o := planOf(t, tt.text, "").Measure(new(scenario.Library), tt.text)
		if o.Problem != tt.problem || tt.duration != "" && !strings.Contains(o.Recording.Scenario, "duration: "+tt.duration) ||
			tt.duration == "" && strings.Contains(o.Recording.Scenario, "duration:") {
			t.Errorf("%s: %q %s, %d to %d ms\n%s", name, o.Problem, o.Reason, o.Rollout.Start, o.Rollout.End, o.Recording.Scenario[:200])
		}
	}
}
