package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestMovesForAWhile: a workload without a known cause moves as long as its pods have changed within the last half hour. Here a quota,
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
	}{{120_000, true}, {changed + patience - 1, true}, {changed + patience, false}}
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
		if got := moves(r, []string{db}); got != m.moves {
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
	for pull, tt := range map[string]struct{ looks, minutes int64 }{"109m": {3, 110}, "fails": {1, 30}} {
		text := texts.World("{match: \"*\", pull: "+pull+"}", "replicas: 1\n  progressDeadlineSeconds: 100000", "image: web:1")
		r, diagnostics := engine.Start(engine.Recording{Scenario: strings.Replace(text, "spec:\n", "spec:\n  duration: 110m\n", 1), Commands: commands})
		if r == nil {
			t.Fatal(diagnostics)
		}
		looks := int64(0)
		play(r, func() bool { return false }, func() []string { looks++; return []string{texts.Web} })
		if minutes := (r.Now() + 30_000) / 60_000; looks != tt.looks || minutes != tt.minutes {
			t.Errorf("pull %s: %d looks in %d minutes, want %d in %d", pull, looks, minutes, tt.looks, tt.minutes)
		}
	}
}

// TestOverWhenScaled: an update that only scales down is over when no pod is left over, and none terminates.
func TestOverWhenScaled(t *testing.T) {
	web := func(replicas int) string {
		return strings.TrimPrefix(texts.Deployment(fmt.Sprintf("replicas: %d", replicas), "image: web:1"), "---\n")
	}
	slow := Policy{Images: []map[string]string{{"match": "*", "pull": "1s", "start": "1s", "stop": "20s"}}}
	c, diagnostics, err := New(new(scenario.Library), Input{Old: web(280), New: web(2), Policy: slow, Seeds: 1})
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	c.Run(0, new(scenario.Library))
	if took := c.settings[0].runs[0].End - c.settings[0].at; took < 20_000 || took > 60_000 {
		t.Errorf("over after %d ms", took)
	}
}
