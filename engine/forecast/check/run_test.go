package check

import (
	"testing"

	"github.com/rollplay/rollplay/engine"
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
