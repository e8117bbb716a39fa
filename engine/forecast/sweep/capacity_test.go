package sweep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
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

// alone is a pool without workers.
func alone(n int, run func(i int, library *scenario.Library)) {
	library := new(scenario.Library)
	for i := range n {
		run(i, library)
	}
}

// seedsTried is how many seeds the tests measure.
const seedsTried = 20

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
		c, err := planOf(t, tt.text, "").Capacity(alone, 3)
		if err != nil {
			t.Fatal(err)
		}
		own, wait := c.Own.Outcomes[c.Own.Worst()], c.Wait()
		if c.Slots != tt.slots || (wait.For != "") != tt.waits || own.Problem != tt.problem || c.Extra < 2 || tt.waits && !strings.Contains(wait.For, "Insufficient cpu") {
			t.Errorf("%s\n%+v", tt.text, c)
		}
		if tt.slots < 2 && tt.waits && tt.problem == sweep.Fine && own.Rollout.Duration() <= c.Free.Outcomes[c.Own.Worst()].Rollout.Duration() {
			t.Errorf("it waits and is as fast: %+v", c)
		}
	}
}

// slow is a Deployment whose pods stop while others start, so that the number of pods at once depends on the seed.
const slow = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 7
  selector: {matchLabels: {app: shop}}
  strategy: {rollingUpdate: {maxSurge: 10%, maxUnavailable: 20%}}
  minReadySeconds: 5
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers: [{name: c, image: "shop:1", readinessProbe: {httpGet: {port: 80}, periodSeconds: 5, initialDelaySeconds: 3}}]
`

// TestQuotaNeeded: with a quota of the most pods of all seeds, terminating ones included, none of them has a refusal; with one pod less, one
// has. What the first seed needs is not enough for all.
func TestQuotaNeeded(t *testing.T) {
	for _, tt := range []struct {
		text   string
		varies bool
	}{{scenarios.Text("first-rollout"), false}, {slow, true}} {
		c, err := planOf(t, tt.text, "").Capacity(alone, seedsTried)
		if err != nil {
			t.Fatal(err)
		}
		refused := func(pods int) (n int) {
			limited := tt.text + fmt.Sprintf("---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: %d}}\n", pods)
			for i := range seedsTried {
				seeded, err := sweep.SetSeed(limited, c.Own.Seed(i))
				if err != nil {
					t.Fatal(err)
				}
				rec, _ := planOf(t, seeded, "").Updating(new(scenario.Library), seeded)
				r, _ := engine.Start(rec)
				if slices.ContainsFunc(r.Finish().Past().Records(), func(rec *past.Record) bool { return rec.Reason == "FailedCreate" }) {
					n++
				}
			}
			return n
		}
		first := c.Free.Outcomes[0].Rollout.PeakPods
		if refused(c.Pods) != 0 || refused(c.Pods-1) == 0 || (first < c.Pods) != tt.varies || tt.varies && refused(first) == 0 {
			t.Errorf("a quota of %d pods is refused with %d seeds, one less with %d; the first seed needs %d", c.Pods, refused(c.Pods), refused(c.Pods-1), first)
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
	c, err := plan.Capacity(alone, 1)
	if err != nil {
		t.Fatal(err)
	}
	f, err := plan.Fleet(alone, size, c.Free)
	if err != nil || f.Fewest != 4 || f.Fast <= f.Fewest || !strings.Contains(f.Reason, "0/3 nodes") || f.Seeds.Outcomes[0].Problem != sweep.Fine {
		t.Fatalf("%v %+v", err, f)
	}
	for slower, fast := range map[int64]bool{1500: true, 1501: false} { // other nodes pull images at other moments
		free := &sweep.Seeds{Outcomes: []sweep.Outcome{{Rollout: forecast.Rollout{End: f.Seeds.Outcomes[0].Rollout.Duration() - slower}}}}
		if g, err := plan.Fleet(alone, size, free); err != nil || (g.Fast == g.Fewest) != fast {
			t.Errorf("%d ms slower: %v %+v", slower, err, g)
		}
	}
	r := finished(t, f.Seeds.Outcomes[0].Recording.Scenario)
	if nodes := r.Past().Objects(api.KindNode, r.Len()-1); len(nodes) != 4 || nodes[0].(*api.Node).Status.Allocatable["cpu"].String() != "1" {
		t.Errorf("%d nodes", len(nodes))
	}
	selective := planOf(t, strings.Replace(crowded(6), "  nodes:\n    count: 3\n    cpu: 1\n", "", 1), "")
	if f, err = selective.Fleet(alone, size, c.Free); err != nil || f.Fewest != 4 {
		t.Errorf("with a nodeSelector: %v %+v", err, f)
	}
	if small, _ := sweep.ParseSize("cpu=250m"); true {
		if f, err = plan.Fleet(alone, small, c.Free); err != nil || f.Fewest != 0 || !strings.Contains(f.Reason, "Insufficient cpu") {
			t.Errorf("pods larger than a node: %v %+v", err, f)
		}
	}
	for _, s := range []string{"cpu", "gpu=1", "cpu=x", "cpu=0"} {
		if _, err := sweep.ParseSize(s); err == nil {
			t.Errorf("%s is a size", s)
		}
	}
}

// zoned is a Deployment of three pods, each in a zone of its own if pods are where they must be.
const zoned = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      WHERE
      containers: [{name: web, image: "web:1", resources: {requests: {cpu: 500m}}}]
`

// TestZones: equal nodes are in the zones that the text has or, if it has none, in those over which its pods spread.
func TestZones(t *testing.T) {
	const spread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3, labelSelector: {matchLabels: {app: web}}}]"
	const apart = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}}]}}"
	fourCPU, _ := sweep.ParseSize("cpu=4")
	const nodes = "---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {nodes: [{name: a, zone: a}, {name: b, zone: b}, {name: c, zone: c}]}\n"
	for name, text := range map[string]string{
		"spread": strings.Replace(zoned, "WHERE", spread, 1),
		"apart":  strings.Replace(zoned, "WHERE", apart, 1) + nodes,
	} {
		plan := planOf(t, text, "")
		c, err := plan.Capacity(alone, 2)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f, err := plan.Fleet(alone, fourCPU, c.Free)
		if err != nil || f.Fewest != 3 || !strings.HasPrefix(f.Reason, "1 pod") {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
}

// TestNotForThePods: a node whose taint the pods do not tolerate has no slots for them.
func TestNotForThePods(t *testing.T) {
	const tainted = `---
apiVersion: v1
kind: Node
metadata: {name: a}
spec: {taints: [{key: only, value: others, effect: NoSchedule}]}
status: {allocatable: {cpu: "4"}, capacity: {cpu: "4"}}
`
	text := strings.Replace(zoned, "WHERE", "", 1)
	c, err := planOf(t, text+tainted+strings.Replace(tainted, "name: a", "name: b", 1), "").Capacity(alone, 2)
	if err != nil || c.Slots != 0 {
		t.Errorf("%v %+v", err, c)
	}
}
