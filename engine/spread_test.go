package engine

import (
	"strings"
	"testing"
)

// spreading is a Deployment that spreads over three zones, the third of which has room for one pod; its image changes at 10 s.
func spreading(constraint, expects string) string {
	node := func(name, zone, pods string) string {
		return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {topology.kubernetes.io/zone: " + zone +
			"}}\nstatus: {allocatable: {pods: " + pods + "}}\n"
	}
	return `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 60s
  images: [{match: "*", pull: 0s, start: 1s, stop: 1s}]
  timeline:
  - {at: 10s, run: kubectl set image deployment/web web=web:2}
  expect:
` + expects + node("a", "a", "9") + node("b", "b", "9") + node("c", "c", "1") + `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}, ` + constraint + `}
      containers: [{name: web, image: "web:1"}]
`
}

// TestSpreadScenario: the surge of a rollout fits while the skew allows it (G-31, G-32, G-34). With matchLabelKeys each revision spreads
// by itself, so the last new pod must go to zone c, where the last old pod is, and that one may not be deleted before: the rollout
// stands still. With minDomains 4 three zones may have one pod each.
func TestSpreadScenario(t *testing.T) {
	describe := `topology.kubernetes.io/zone:DoNotSchedule when max skew 1 is exceeded for selector app=web`
	for constraint, expects := range map[string]string{
		"whenUnsatisfiable: DoNotSchedule": `  - {at: 9s, available: 3}
  - {at: 59s, updated: 3, available: 3, total: 3}
  - {at: 9s, run: "kubectl describe deployment web", contains: "` + describe + `"}
`,
		"whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [pod-template-hash]": `  - {at: 59s, updated: 3, available: 3, total: 4}
`,
		"whenUnsatisfiable: DoNotSchedule, minDomains: 4": `  - {at: 9s, available: 3}
  - {at: 59s, updated: 1, available: 3, total: 4}
  - {at: 30s, run: kubectl events, contains: "0/3 nodes are available: 1 Too many pods, 2 node(s) didn't match pod topology spread constraints. preemption:"}
`,
		"whenUnsatisfiable: ScheduleAnyway": `  - {at: 59s, updated: 3, available: 3, total: 3}
`,
	} {
		run := mustRun(t, spreading(constraint, expects))
		for _, d := range run.Check() {
			t.Errorf("%s: %v", constraint, d)
		}
	}
}

// TestSpreadDefaultNodes: the nodes of the default cluster have a value each for a label over which pods spread.
func TestSpreadDefaultNodes(t *testing.T) {
	text := spreading("whenUnsatisfiable: DoNotSchedule", "  - {at: 9s, available: 3}\n"+
		"  - {at: 9s, run: kubectl get nodes --show-labels, contains: topology.kubernetes.io/zone=zone-3}\n")
	text, rest, _ := strings.Cut(text, "---\napiVersion: v1\nkind: Node")
	_, deployment, _ := strings.Cut(rest, "---\napiVersion: apps/v1")
	for _, d := range mustRun(t, text+"---\napiVersion: apps/v1"+deployment).Check() {
		t.Error(d)
	}
}
