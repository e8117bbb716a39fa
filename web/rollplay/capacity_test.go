package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
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
		"deployment/web, with room for everything: 3.4s to 6.0s with 20 seeds, 12 pods at most.",
		"It needs 6 free slots of 500m cpu and 256Mi memory; you have 0: it stalls 0.0s after the update: 2 pods of revision 2 fit no node: 0/3 nodes are available: 3 Insufficient cpu.",
		"A quota that holds none of them up has pods 12, requests.cpu 6, requests.memory 3Gi: terminating pods count.",
		"2 nodes of cpu=2,memory=8Gi are enough",
	} {
		if code != 0 || stderr != "" || !strings.Contains(out, want) {
			t.Errorf("exit %d, %s\n%s\nwant %s", code, stderr, out, want)
		}
	}
	_, out, _ = command(crowded, "capacity", "-", "-node", "cpu=2,memory=8Gi", "-o", "json")
	var line capacityLine
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Needs != 6 || line.Seeds != 20 || line.Pods != 12 || line.Free.PeakPods != 12 || line.Waiting != 20 || line.Failed != 20 || line.Slots != 0 || line.WaitsAt < 5000 || line.WaitsAt > 5100 || line.Nodes != 2 || line.Problem != "no room" {
		t.Errorf("%v %+v", err, line)
	}
	if _, out, _ = command(crowded, "capacity", "-", "--seeds", "1"); !strings.Contains(out, "3.4s with 1 seed, 11 pods at most.") {
		t.Error(out)
	}
	for args, code := range map[string]int{"capacity": 2, "capacity first-rollout -node big": 2, "capacity first-rollout -o xml": 2, "capacity ds-on-delete": 1, "capacity first-rollout": 0} {
		if got, _, stderr := command("", strings.Fields(args)...); got != code {
			t.Errorf("%s: exit %d, want %d: %s", args, got, code, stderr)
		}
	}
}

// TestApart: pods that must not share a node need nodes, whatever room those have; nodes that the text does not describe are assumed.
func TestApart(t *testing.T) {
	const stays = "1 pod of revision 2 fits no node: 0/3 nodes are available: "
	for _, tt := range []struct {
		template, nodes string
		want            []string
	}{
		{"hostname", "", []string{"It needs 2 free slots. On 3 nodes, which are assumed, it does not finish: " + stays, "4 nodes of cpu=4 are enough"}},
		{"hostname", "{count: 3}", []string{"It needs 2 free slots. On your nodes, it does not finish: " + stays, "4 nodes of cpu=4 are enough"}},
		{"hostname", "{count: 5}", []string{"It needs 2 free slots; the nodes have no limits.", "4 nodes of cpu=4 are enough"}},
		{"hostPort", "", []string{"On 3 nodes, which are assumed, it does not finish: " + stays, "4 nodes of cpu=4 are enough"}},
	} {
		affinity, port := "", "hostPort: 80"
		if tt.template == "hostname" {
			port = "name: http"
			affinity = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}, "
		}
		text := texts.Deployment("replicas: 3", "image: web:1, ports: [{containerPort: 80, "+port+"}]")
		text = strings.Replace(text, "    spec:\n", "    spec:\n      "+strings.TrimSuffix(affinity, ", ")+"\n", 1)
		if tt.nodes != "" {
			text = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {nodes: " + tt.nodes + "}\n" + text
		}
		code, out, stderr := command(text, "capacity", "-", "--node", "cpu=4", "--seeds", "3")
		for _, want := range tt.want {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%s on %q: exit %d, %s\n%s\nwant %s", tt.template, tt.nodes, code, stderr, out, want)
			}
		}
	}
}

// TestNoNodeIsEnough: where no number of nodes of a size is enough, the answer is no.
func TestNoNodeIsEnough(t *testing.T) {
	text := texts.Deployment("replicas: 3", "image: web:1, resources: {requests: {cpu: 500m}}")
	for size, want := range map[string]int{"cpu=400m": 1, "cpu=2": 0} {
		for _, output := range []string{"text", "json"} {
			code, out, stderr := command(text, "capacity", "-", "--node", size, "--seeds", "2", "-o", output)
			if code != want || output == "text" && strings.Contains(out, "No number of nodes of "+size+" is enough: ") != (want == 1) {
				t.Errorf("%s as %s: exit %d, %s\n%s", size, output, code, stderr, out)
			}
		}
	}
}

// TestSomeSeeds: what happens with some seeds only says with how many.
func TestSomeSeeds(t *testing.T) {
	ends := func(end int64, p sweep.Problem) sweep.Outcome {
		return sweep.Outcome{Rollout: forecast.Rollout{End: end}, Problem: p, Reason: "of something."}
	}
	free := &sweep.Seeds{Outcomes: []sweep.Outcome{ends(4000, ""), ends(5000, ""), ends(6000, "")}}
	waits := sweep.Wait{At: 9000, After: 2000, For: "nodes are full"}
	for _, tt := range []struct {
		own   []sweep.Outcome
		worst int
		waits []sweep.Wait
		want  string
	}{
		{[]sweep.Outcome{ends(4000, ""), ends(5000, ""), ends(9000, "")}, 2, []sweep.Wait{waits, {}, waits},
			": pods wait from 2.0s after the update on with 2 of 3 seeds, and it takes up to 9.0s instead of 6.0s."},
		{[]sweep.Outcome{ends(4000, ""), ends(5000, ""), ends(6000, "")}, 2, []sweep.Wait{{}, waits, {}}, ": a pod waits 2.0s after the update with 1 of 3 seeds, but it takes no longer."},
		{[]sweep.Outcome{ends(4000, ""), ends(5000, ""), ends(6000, "")}, 2, make([]sweep.Wait, 3), ": no pod waits."},
		{[]sweep.Outcome{ends(4000, ""), ends(0, sweep.NoRoom), ends(6000, "")}, 1, []sweep.Wait{{}, waits, {}}, ": it stalls 2.0s after the update with 1 of 3 seeds: of something."},
		{[]sweep.Outcome{ends(4000, ""), ends(0, sweep.Stalls), ends(6000, "")}, 1, make([]sweep.Wait, 3), ". It does not finish with 1 of 3 seeds: of something."},
	} {
		need := &sweep.Capacity{Free: free, Own: &sweep.Seeds{Outcomes: tt.own}, Waits: tt.waits}
		if got := consequence(need); got != tt.want || need.Own.Worst() != tt.worst {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
