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

// TestReplacedWhileTerminating: the pods of a deleted StatefulSet that still terminate do not count for its successor, and do not
// count permanently.
func TestReplacedWhileTerminating(t *testing.T) {
	const scenario = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {images: [{match: \"*\", stop: 40s}]}\n---\n"
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, replicas: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: "app:1"}]}}}
`
	r, diagnostics := engine.Start(engine.Recording{Scenario: scenario + set, Commands: []engine.Command{
		{At: 10_000, Run: "kubectl delete statefulset db"}, {At: 12_000, Apply: set}}})
	if r == nil {
		t.Fatal(diagnostics)
	}
	frames := r.Finish().Frames("StatefulSet/default/db")
	for _, f := range frames {
		if f.T > 12_000 && f.Total+f.Terminating > 1 {
			t.Errorf("one replica, and %+v", f)
		}
	}
	if last := &frames[len(frames)-1]; last.Available != 1 || last.Terminating != 0 || len(last.ReplicaSets) != 1 {
		t.Errorf("%+v", last)
	}
}

// TestReplacedDeployment is the same for a Deployment, whose ReplicaSet is gone by then.
func TestReplacedDeployment(t *testing.T) {
	const scenario = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {images: [{match: \"*\", stop: 20s}]}\n---\n"
	const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "app:1"}]}}}
`
	r, diagnostics := engine.Start(engine.Recording{Scenario: scenario + web, Commands: []engine.Command{
		{At: 10_000, Run: "kubectl delete deployment web"}, {At: 12_000, Apply: web}}})
	if r == nil {
		t.Fatal(diagnostics)
	}
	for _, f := range r.Finish().Frames("Deployment/default/web") {
		if f.T > 12_000 && f.Total+f.Terminating > 2 {
			t.Errorf("two replicas, and %+v", f)
		}
	}
}
