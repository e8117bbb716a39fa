package forecast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
)

// withRequests has a Deployment and a StatefulSet of two pods each, which request CPU and memory and take their time to stop.
const withRequests = `kind: Scenario
apiVersion: rollplay/v1alpha1
metadata: {name: hands}
spec:
  duration: 90s
  images: [{match: "*", pull: 1s, start: 1s, stop: 9s}]
---
kind: Deployment
apiVersion: apps/v1
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "app:1", resources: {requests: {cpu: 300m, memory: 64Mi}}}]}
---
kind: StatefulSet
apiVersion: apps/v1
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  podManagementPolicy: Parallel
  updateStrategy: {type: OnDelete}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: "app:1", resources: {requests: {cpu: 300m, memory: 64Mi}}}]}
`

// TestChangingHands counts again what is rare in random scenarios: pods whose owner goes, comes back or is another one.
func TestChangingHands(t *testing.T) {
	run := func(at int64, line string) engine.Command { return engine.Command{At: at, Run: "kubectl " + line} }
	again := func(at int64) engine.Command { return engine.Command{At: at, Apply: withRequests} }
	smaller := engine.Command{At: 20_000, Apply: strings.Replace(withRequests, "replicas: 2\n  serviceName", "replicas: 1\n  serviceName", 1)}
	for name, commands := range map[string][]engine.Command{
		"its ReplicaSet is orphaned, and adopted by its successor": {run(20_000, "delete deployment web --cascade=orphan"), again(30_000),
			run(40_000, "set image deployment/web c=app:2")},
		"its ReplicaSet is gone when its successor comes":       {run(20_000, "delete deployment web"), again(20_010)},
		"its successor comes in the same millisecond":           {run(20_000, "delete deployment web"), again(20_000)},
		"a StatefulSet has a successor in the same millisecond": {run(20_000, "delete statefulset db"), smaller},
		"pods of a StatefulSet are orphaned, and adopted":       {run(20_000, "delete statefulset db --cascade=orphan"), again(30_000)},
		"a ReplicaSet goes while pods are created for it": {run(20_000, "scale deployment web --replicas=0"),
			run(40_000, "scale deployment web --replicas=2"), run(40_002, "delete rs --all")},
		"a partition completes a rollout": {run(20_000, "set image statefulset db c=app:2"),
			run(30_000, `patch statefulset db -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":2}}}}'`)},
	} {
		compare(t, name, finished(t, withRequests, commands...))
	}
}

// TestQuiet: nothing changes on its own once a rollout is over and its last pod is gone.
func TestQuiet(t *testing.T) {
	r, diagnostics := engine.Start(engine.Recording{Scenario: withRequests, Commands: []engine.Command{{At: 20_000, Run: "kubectl set image deployment/web c=app:2"}}})
	if r == nil {
		t.Fatal(diagnostics)
	}
	f := forecast.New(r.Past())
	seen := map[string]int64{} // when each state came first
	for done := false; !done; {
		done = r.Advance(1)
		list := f.Rollouts("Deployment/default/web")
		if len(list) < 2 {
			continue
		}
		state := fmt.Sprintf("done %v, quiet %v", list[1].Done(), f.Quiet("Deployment/default/web"))
		if _, ok := seen[state]; !ok {
			seen[state] = r.Now()
		}
	}
	// The last old pod takes 9 s to stop, and is removed at the next look of its kubelet.
	open, tail, quiet := seen["done false, quiet false"], seen["done true, quiet false"], seen["done true, quiet true"]
	if len(seen) != 3 || open != 20_000 || tail <= open || quiet < tail+8_000 {
		t.Errorf("the states came at %v", seen)
	}
	if f.Quiet("Deployment/default/none") {
		t.Error("a workload that never existed is quiet")
	}
}
