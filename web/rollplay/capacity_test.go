package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const crowded = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  nodes: {count: 3, cpu: 1}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 6
  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", resources: {requests: {cpu: 500m, memory: 256Mi}}}]}
`

// TestCapacity: slots, the moment of the stall, the quota and the fewest nodes, in words and as JSON.
func TestCapacity(t *testing.T) {
	code, out, stderr := command(crowded, "capacity", "-", "-node", "cpu=2,memory=8Gi")
	for _, want := range []string{
		"deployment/web, with room for everything: 3.4s, 11 pods at most.",
		"It needs 5 free slots of 500m cpu and 256Mi memory; you have 0: it stalls at 5.0s: 2 pods of revision 2 fit no node: 0/3 nodes are available: 3 Insufficient cpu.",
		"A quota that never holds it up has pods 11, requests.cpu 5500m, requests.memory 2816Mi: terminating pods count.",
		"2 nodes of cpu=2,memory=8Gi are enough",
	} {
		if code != 0 || stderr != "" || !strings.Contains(out, want) {
			t.Errorf("exit %d, %s\n%s\nwant %s", code, stderr, out, want)
		}
	}
	_, out, _ = command(crowded, "capacity", "-", "-node", "cpu=2,memory=8Gi", "-o", "json")
	var line capacityLine
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Needs != 5 || line.Slots != 0 || line.WaitsAt < 5000 || line.WaitsAt > 5100 || line.Nodes != 2 || line.Problem != "no room" {
		t.Errorf("%v %+v", err, line)
	}
	for args, code := range map[string]int{"capacity": 2, "capacity first-rollout -node big": 2, "capacity first-rollout -o xml": 2, "capacity ds-on-delete": 1, "capacity first-rollout": 0} {
		if got, _, stderr := command("", strings.Fields(args)...); got != code {
			t.Errorf("%s: exit %d, want %d: %s", args, got, code, stderr)
		}
	}
}
