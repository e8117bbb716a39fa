package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

// TestRefusedBesideAnother: what another object of the manifests makes the API server refuse is found with what is deployed and without.
func TestRefusedBesideAnother(t *testing.T) {
	port := func(name string) string {
		return "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\n" +
			"spec: {type: NodePort, selector: {app: web}, ports: [{port: 80, nodePort: 30080}]}\n"
	}
	good := web("replicas: 2", "")
	for _, in := range []check.Input{{New: good + port("a") + port("b")}, {New: good + port("a") + port("b"), Old: good + port("a")}} {
		in.Seeds = 1
		if f := find(t, reportOf(t, in), "accepted", "service/b"); f.Verdict != check.Fail || !strings.Contains(f.Text, "already allocated") {
			t.Errorf("with %q deployed: %+v", in.Old, f)
		}
	}
}

// TestRefusedWorkloadKeepsItsPods: what is deployed keeps running while its update is refused, so nothing is said of a Service or a budget
// that loses its pods.
func TestRefusedWorkloadKeepsItsPods(t *testing.T) {
	const guards = `
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
`
	good := web("replicas: 2", "")
	other := "\n---\n" + strings.ReplaceAll(good, "web", "other")
	bad := strings.Replace(good, "replicas: 2", "replicas: -2", 1)
	for _, in := range []check.Input{
		{New: bad + guards},
		{New: bad + guards, Old: good + guards},
		{New: bad + guards + other},
	} {
		in.Seeds = 1
		r := reportOf(t, in)
		if f := find(t, r, "accepted", "deployment/web"); f.Verdict != check.Fail {
			t.Errorf("the workload is not refused: %+v", r.Findings)
		}
		if i := slices.IndexFunc(r.Findings, func(f check.Finding) bool {
			return strings.Contains(f.Text, "no pod") || strings.Contains(f.Text, "none after")
		}); i >= 0 {
			t.Errorf("it is said that pods are lost: %+v", r.Findings[i])
		}
	}
}
