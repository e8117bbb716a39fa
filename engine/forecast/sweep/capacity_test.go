package sweep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// crowded is a Deployment on three nodes of one cpu, each of which has room for two pods.
func crowded(replicas int) string {
	return fmt.Sprintf(`
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: 4
  nodes:
    count: 3
    cpu: 1
  images: []
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {disk: ssd}
      containers: [{name: web, image: "web:1", resources: {requests: {cpu: 500m, memory: 256Mi}}}]
`, replicas)
}

// TestCapacity: what a rollout needs, what it has, and what that means.
func TestCapacity(t *testing.T) {
	node := "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {disk: ssd}}\nstatus: {allocatable: {cpu: \"1\"}, capacity: {cpu: \"1\"}}\n"
	nodes := fmt.Sprintf(node, "a") + fmt.Sprintf(node, "b") + fmt.Sprintf(node, "c")
	withNodes := func(replicas int) string {
		return strings.Replace(crowded(replicas), "  nodes:\n    count: 3\n    cpu: 1\n", "", 1) + nodes
	}
	for _, tt := range []struct {
		text    string
		slots   int
		waits   bool
		problem sweep.Problem
	}{
		{withNodes(4), 2, true, sweep.Fine},
		{withNodes(5), 1, true, sweep.Fine},
		{withNodes(6), 0, true, sweep.NoRoom},
		{scenarios.Text("first-rollout"), -1, false, sweep.Fine},
		{scenarios.Text("no-room"), 0, true, sweep.Fine}, // a node is added later
	} {
		c, err := planOf(t, tt.text, "").Capacity(new(scenario.Library))
		if err != nil {
			t.Fatal(err)
		}
		if c.Slots != tt.slots || c.Waits != tt.waits || c.Own.Problem != tt.problem || c.Extra < 2 || tt.waits && !strings.Contains(c.WaitsFor, "Insufficient cpu") {
			t.Errorf("%s\n%+v", tt.text, c)
		}
		if tt.slots < 2 && tt.waits && tt.problem == sweep.Fine && c.Own.Rollout.Duration() <= c.Free.Rollout.Duration() {
			t.Errorf("it waits and is as fast: %+v", c)
		}
	}
}

// TestQuotaNeeded: with a quota of the peak, terminating pods included, nothing is refused; with one pod less, something is.
func TestQuotaNeeded(t *testing.T) {
	text := scenarios.Text("first-rollout")
	c, err := planOf(t, text, "").Capacity(new(scenario.Library))
	if err != nil {
		t.Fatal(err)
	}
	for less := range 2 {
		limited := text + fmt.Sprintf("---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: %d}}\n", c.Free.Rollout.PeakPods-less)
		refused := false
		for _, rec := range finished(t, limited).Past().Records() {
			refused = refused || rec.Reason == "FailedCreate"
		}
		if refused != (less == 1) {
			t.Errorf("a quota of %d pods: refused %v", c.Free.Rollout.PeakPods-less, refused)
		}
	}
}

// TestFleet: one node less than the fewest is not enough, and the labels that the pods ask for are there.
func TestFleet(t *testing.T) {
	size, err := sweep.ParseSize("cpu=1,memory=1Gi")
	if err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, strings.Replace(crowded(6), "nodeSelector: {disk: ssd}", "", 1), "")
	library := new(scenario.Library)
	c, err := plan.Capacity(library)
	if err != nil {
		t.Fatal(err)
	}
	f, err := plan.Fleet(library, size, &c.Free.Rollout)
	if err != nil || f.Fewest != 4 || f.Fast <= f.Fewest || !strings.Contains(f.Reason, "0/3 nodes") || f.Outcome.Problem != sweep.Fine {
		t.Fatalf("%v %+v", err, f)
	}
	for slower, fast := range map[int64]bool{1500: true, 1501: false} { // other nodes pull images at other moments
		free := forecast.Rollout{End: f.Outcome.Rollout.Duration() - slower}
		if g, err := plan.Fleet(library, size, &free); err != nil || (g.Fast == g.Fewest) != fast {
			t.Errorf("%d ms slower: %v %+v", slower, err, g)
		}
	}
	r := finished(t, f.Outcome.Recording.Scenario)
	if nodes := r.Past().Objects(api.KindNode, r.Len()-1); len(nodes) != 4 || nodes[0].(*api.Node).Status.Allocatable["cpu"].String() != "1" {
		t.Errorf("%d nodes", len(nodes))
	}
	selective := planOf(t, strings.Replace(crowded(6), "  nodes:\n    count: 3\n    cpu: 1\n", "", 1), "")
	if f, err = selective.Fleet(library, size, &c.Free.Rollout); err != nil || f.Fewest != 4 {
		t.Errorf("with a nodeSelector: %v %+v", err, f)
	}
	if small, _ := sweep.ParseSize("cpu=250m"); true {
		if f, err = plan.Fleet(library, small, &c.Free.Rollout); err != nil || f.Fewest != 0 || !strings.Contains(f.Reason, "Insufficient cpu") {
			t.Errorf("pods larger than a node: %v %+v", err, f)
		}
	}
	for _, s := range []string{"cpu", "gpu=1", "cpu=x", "cpu=0"} {
		if _, err := sweep.ParseSize(s); err == nil {
			t.Errorf("%s is a size", s)
		}
	}
}
