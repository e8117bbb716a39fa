package engine_test

import (
	"fmt"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// Images take 1 s to pull and 500 ms to start, and stop at once.
const shop = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  images: [{match: "*", pull: 1s, start: 500ms, stop: 0s}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`

// A recording goes in, and frames come out. With four replicas, 25% allows one pod more and one fewer.
func Example() {
	run, diagnostics := engine.Start(engine.Recording{
		Scenario: shop,
		Commands: []engine.Command{{At: 10_000, Run: "kubectl set image deployment/web web=web:2"}},
	})
	if run == nil {
		fmt.Println(diagnostics)
		return
	}
	run.Finish()
	total, available := 0, 4
	for _, f := range run.Frames("Deployment/default/web") {
		if f.T >= 10_000 {
			total, available = max(total, f.Total), min(available, f.Available)
		}
	}
	fmt.Printf("at most %d pods, at least %d available, over after %d ms\n", total, available, run.Now())
	// Output: at most 5 pods, at least 3 available, over after 15000 ms
}

// To act at a moment that is on the screen, start a run with one more command. Everything before it stays the same.
func ExampleRun_ActAt() {
	first, _ := engine.Start(engine.Recording{Scenario: shop})
	first.Finish()
	recording := first.Recording()
	recording.Commands = append(recording.Commands, engine.Command{At: first.ActAt(5_000), Run: "kubectl scale deployment/web --replicas=2"})
	second, _ := engine.Start(recording)
	second.Finish()

	for i := range second.Len() {
		if r := second.Record(i); r.Kind == engine.Input && r.T >= 5_000 {
			fmt.Printf("%d ms: %s\n%s\n", r.T, r.Command, r.What)
		}
	}
	fmt.Println("the same until then:", first.Past().Find(4_999) == second.Past().Find(4_999))
	// Output:
	// 5000 ms: kubectl scale deployment/web --replicas=2
	// deployment.apps/web scaled
	// the same until then: true
}

// The past answers reading commands at any moment.
func ExampleRun_Past() {
	run, _ := engine.Start(engine.Recording{Scenario: shop})
	p := run.Finish().Past()
	for _, t := range []int64{1_000, 3_000} {
		reading, _ := p.Read(past.Parse("kubectl get deployment web"), p.Find(t), t)
		fmt.Println(reading.Text())
	}
	// Output:
	// NAME   READY   UP-TO-DATE   AVAILABLE   AGE
	// web    0/4     4            0           1s
	// NAME   READY   UP-TO-DATE   AVAILABLE   AGE
	// web    4/4     4            4           3s
}
