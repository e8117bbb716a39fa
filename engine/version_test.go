package engine

import (
	"strings"
	"testing"
)

// TestVersions: what was different in earlier versions of Kubernetes is so in a scenario that asks for one (S-2, R-16, G-4).
func TestVersions(t *testing.T) {
	const scenario = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  version: "1.VERSION"
  images: [{match: "*", pull: 1s, start: 300ms, stop: 3s}]
  timeline:
  - {at: 30s, run: kubectl set image statefulset/db db=v2}
  - {at: 30s, run: kubectl set image deployment/web web=v2}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 4
  podManagementPolicy: Parallel
  updateStrategy: {rollingUpdate: {maxUnavailable: 2}}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: v1}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: v1}]}
`
	for _, tt := range []struct {
		version, created string
		lower            int // of the StatefulSet
		terminating      bool
	}{
		{"37", "Container created", 2, true},
		{"36", "Created container: db", 3, true},
		{"35", "Created container: db", 3, true},
		{"34", "Created container: db", 3, false},
		{"33", "Created container: db", 3, false},
	} {
		run := mustRun(t, strings.Replace(scenario, "VERSION", tt.version, 1))
		frames := run.Frames("StatefulSet/default/db")
		if f := frames[len(frames)-1]; f.Lower != tt.lower || f.Updated != 4 {
			t.Errorf("1.%s: it ends with %+v, want the lower bound %d", tt.version, f, tt.lower)
		}
		least := 4
		for _, f := range frames {
			if f.T > 29_000 {
				least = min(least, f.Available)
			}
		}
		if least != tt.lower {
			t.Errorf("1.%s: no fewer than %d were available, want %d", tt.version, least, tt.lower)
		}
		created, terminating := false, false
		for i := range run.Len() {
			r := run.Record(i)
			created = created || r.Reason == "Created" && r.Object == "Pod/default/db-0" && r.What == tt.created
			terminating = terminating || strings.HasPrefix(r.Object, "ReplicaSet/") && strings.Contains(r.What, "terminating 1")
		}
		if !created {
			t.Errorf("1.%s: there is no event %q", tt.version, tt.created)
		}
		if terminating != tt.terminating {
			t.Errorf("1.%s: terminatingReplicas is counted: %v", tt.version, terminating)
		}
	}
}
