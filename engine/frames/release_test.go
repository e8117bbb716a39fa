package frames_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// TestOrphanedRevision: a StatefulSet that adopts the pods and the revision of its predecessor counts each of them once.
func TestOrphanedRevision(t *testing.T) {
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, replicas: 3, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: "app:1"}]}}}
`
	r, diagnostics := engine.Start(engine.Recording{Scenario: set, Commands: []engine.Command{
		{At: 10_000, Run: "kubectl delete statefulset db --cascade=orphan"}, {At: 20_000, Apply: set}}})
	if r == nil {
		t.Fatal(diagnostics)
	}
	frames := r.Finish().Frames("StatefulSet/default/db")
	last := &frames[len(frames)-1]
	if last.Updated != 3 || last.Total != 3 || last.Available != 3 || len(last.ReplicaSets) != 1 || last.ReplicaSets[0].Replicas != 3 {
		t.Errorf("%+v", last)
	}
}
