package sweep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

func planOf(t testing.TB, text, workload string) *sweep.Plan {
	t.Helper()
	plan, diagnostics, err := sweep.NewPlan(new(scenario.Library), engine.Recording{Scenario: text}, workload)
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	return plan
}

func gridOf(t testing.TB, text, x, y string) *sweep.Grid {
	t.Helper()
	ax, errX := sweep.ParseAxis(x)
	ay, errY := sweep.ParseAxis(y)
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	g, err := planOf(t, text, "").NewGrid(new(scenario.Library), ax, ay)
	if err != nil {
		t.Fatal(err)
	}
	library := new(scenario.Library)
	for i := range g.Cells {
		if g.Cells[i].Text == "" {
			t.Errorf("cell %d of %s and %s has no text before it is run", i, x, y)
		}
		g.Run(i, library)
	}
	g.Rank()
	return g
}

// TestPair: with keyed draws, a setting of another workload does not change how long a rollout takes; in the order of the seed, it does.
func TestPair(t *testing.T) {
	text := `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  images: [{match: "*", pull: 1s..9s, start: 1s..9s}]
  timeline: [{at: 60s, run: kubectl set image deployment/web web=web:2}, {at: 60s, run: kubectl rollout restart deployment/other}]
---
` + strings.ReplaceAll(sixOf, "NAME", "other") + "---\n" + strings.ReplaceAll(sixOf, "NAME", "web")
	spread := func(pair bool) (list []int64) {
		plan := planOf(t, text, "web")
		if pair {
			if err := plan.Pair(); err != nil {
				t.Fatal(err)
			}
		}
		for _, surge := range []string{"1", "4"} { // of another workload, which changes when its pods are replaced
			changed, err := sweep.SetField(plan.Recording.Scenario, api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "other"}, []string{"strategy", "rollingUpdate", "maxSurge"}, surge)
			if err != nil {
				t.Fatal(err)
			}
			o := plan.Measure(new(scenario.Library), changed)
			list = append(list, o.Rollout.Duration())
		}
		return list
	}
	if d := spread(true); d[0] != d[1] {
		t.Errorf("%d ms, not %d", d[1], d[0])
	}
	if d := spread(false); d[0] == d[1] {
		t.Errorf("%d ms in both worlds without pairs", d[0])
	}
}

const sixOf = `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  replicas: 6
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec: {containers: [{name: NAME, image: "NAME:1"}]}
`

// TestGrid: with ten replicas 25% and 3 are one cell, 0/0 is refused, the present choice is marked, and every cell shows what
// its own recording does.
func TestGrid(t *testing.T) {
	g := gridOf(t, scenarios.Text("first-rollout"), "maxSurge=0,1,25%,3", "maxUnavailable=0,25%,2,30%,100%")
	if x, y := strings.Join(g.X.Values, "; "), strings.Join(g.Y.Values, "; "); x != "0; 1; 3 (25%)" || y != "0; 2 (25%); 3 (30%); 10 (100%)" {
		t.Errorf("columns %s, rows %s", x, y)
	}
	current, front := 0, 0
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Current {
			current++
		}
		if c.Front {
			front++
		}
		if i == 0 {
			if c.Problem != sweep.Invalid || !strings.Contains(c.Reason, "may not be 0 when `maxSurge` is 0") {
				t.Errorf("0/0: %q %s", c.Problem, c.Reason)
			}
			continue
		}
		r, _ := engine.Start(c.Recording)
		list := forecast.New(r.Finish().Past()).Rollouts(g.Plan.Workload)
		if c.Problem != sweep.Fine || len(list) != 2 || list[1] != c.Rollout {
			t.Errorf("%s/%s: %q\n%+v\nits recording gives %+v", c.X, c.Y, c.Problem, c.Rollout, list)
		}
		f := r.Frames(g.Plan.Workload)
		if f[0].Upper != 10+c.Surge || f[0].Lower != 10-c.Down || c.Other {
			t.Errorf("%s/%s resolves to %d/%d, the run has %d, %d", c.X, c.Y, c.Surge, c.Down, f[0].Upper, f[0].Lower)
		}
	}
	if current != 1 || front == 0 || front == len(g.Cells)-1 {
		t.Errorf("%d are the present choice, %d on the front", current, front)
	}
	for i := range g.Cells {
		for k := range g.Cells {
			a, b := &g.Cells[i].Rollout, &g.Cells[k].Rollout
			if g.Cells[i].Front && k > 0 && b.Duration() < a.Duration()-100 && b.Lowest >= a.Lowest && b.PeakPods <= a.PeakPods {
				t.Errorf("%s/%s is on the front, but %s/%s is better", g.Cells[i].X, g.Cells[i].Y, g.Cells[k].X, g.Cells[k].Y)
			}
		}
	}
}

// TestShareOfNone: a share of which no pod is left is a row of its own: beside maxSurge 0 it means one pod, and 0 is refused. So is more than all.
func TestShareOfNone(t *testing.T) {
	three := strings.NewReplacer("NAME", "web", "replicas: 6", "replicas: 3").Replace(sixOf)
	g := gridOf(t, three, "maxSurge=0,10%", "maxUnavailable=0,0%,25%,30%,34%,1,4,133%")
	if x, y := strings.Join(g.X.Values, "; "), strings.Join(g.Y.Values, "; "); x != "0; 1 (10%)" || y != "0 (0%); 25% (30%); 1 (34%); 4; 133%" {
		t.Errorf("columns %s, rows %s", x, y)
	}
	for i, problem := range []sweep.Problem{sweep.Invalid, "", "", "", "", "", "", "", sweep.Invalid, sweep.Invalid} {
		if c := &g.Cells[i]; c.Problem != problem || c.Current != (i == 3) { // the text's own are 25% and 25%
			t.Errorf("maxSurge %s, maxUnavailable %s: %q %s, current %t", c.X, c.Y, c.Problem, c.Reason, c.Current)
		}
	}
	if none, one := &g.Cells[2], &g.Cells[4]; none.Down != 1 || none.Rollout.Figures != one.Rollout.Figures {
		t.Errorf("25%% of three is %d, %+v, want the figures of 1: %+v", none.Down, none.Rollout, one.Rollout)
	}
}

// TestProblems: why a cell is impossible.
func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		scenario, x, y string
		cell           int
		problem        sweep.Problem
		reason         string
	}{
		{"quota", "maxSurge=1", "replicas=4,10", 1, sweep.Quota, "exceeded quota"},
		{"no-room", "maxSurge=1", "nodes=1,3", 0, sweep.NoRoom, "Insufficient cpu"},
		{"first-rollout", "maxSurge=0,1", "start=1s,24h", 3, sweep.Late, "progress"},
		{"recreate", "maxSurge=1", "maxUnavailable=1", 0, sweep.Invalid, "Recreate"},
		{"rollover", "start=1s,60s", "maxSurge=1", 1, sweep.Stalls, "superseded"},
	} {
		g := gridOf(t, scenarios.Text(tt.scenario), tt.x, tt.y)
		if c := &g.Cells[tt.cell]; c.Problem != tt.problem || !strings.Contains(c.Reason, tt.reason) {
			t.Errorf("%s: %q: %s, want %q: %s", tt.scenario, c.Problem, c.Reason, tt.problem, tt.reason)
		}
	}
}

// TestAddedUpdate: a text that updates nothing gets an update when its pods are up, whatever their start takes.
func TestAddedUpdate(t *testing.T) {
	const text = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  images:
  - {match: "*", ready: 3s}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: a, image: "registry:5000/a/web:1.2"}
      - {name: b, image: "b@sha256:0123456789012345678901234567890123456789012345678901234567890123", readinessProbe: {tcpSocket: {port: 1}}}
`
	g := gridOf(t, text, "start=1s,20s", "readinessPeriod=1,10")
	for i := range g.Cells {
		c := &g.Cells[i]
		commands := c.Recording.Commands
		if c.Problem != sweep.Fine || len(commands) != 1 || c.Rollout.Created != 4 || c.Rollout.LowestPercent() < 75 {
			t.Fatalf("%s/%s: %q %s %+v %+v", c.X, c.Y, c.Problem, c.Reason, commands, c.Rollout)
		}
		if want := "kubectl set image deployment/web a=registry:5000/a/web:next b=b:next -n shop"; commands[0].Run != want || commands[0].At%1000 != 0 {
			t.Errorf("%+v, want %s", commands[0], want)
		}
	}
	if g.Cells[1].Rollout.Duration() < g.Cells[0].Rollout.Duration()+15_000 || g.Cells[2].Rollout.Duration() <= g.Cells[0].Rollout.Duration() {
		t.Errorf("start and readiness period change nothing: %+v %+v %+v", g.Cells[0].Rollout, g.Cells[1].Rollout, g.Cells[2].Rollout)
	}
}

// TestAxes: what cannot vary says why.
func TestAxes(t *testing.T) {
	const spec = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {%s}\n---\n"
	web := strings.ReplaceAll(sixOf, "NAME", "web")
	for text, want := range map[string]string{
		web: "", fmt.Sprintf(spec, "seed: 1") + web: "",
		fmt.Sprintf(spec, "nodes: [], nodeGroups: [{name: pool, min: 1, max: 2}]") + web: "the scenario has nodeGroups",
		"kind: Node\napiVersion: v1\nmetadata: {name: a}\n---\n" + web:                   "the text has Node objects",
	} {
		x, _ := sweep.ParseAxis("nodes=0,1")
		y, _ := sweep.ParseAxis("replicas=1")
		if _, err := planOf(t, text, "").NewGrid(new(scenario.Library), x, y); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, tt := range []struct{ scenario, x, y, want string }{
		{"sts-rolling", "maxSurge", "replicas", "a StatefulSet has no maxSurge"},
		{"ds-rolling", "replicas", "maxUnavailable", "a DaemonSet has no replicas"},
		{"first-rollout", "partition", "replicas", "only a StatefulSet has a partition"},
	} {
		x, _ := sweep.ParseAxis(tt.x)
		y, _ := sweep.ParseAxis(tt.y)
		if _, err := planOf(t, scenarios.Text(tt.scenario), "").NewGrid(new(scenario.Library), x, y); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.scenario, err, tt.want)
		}
	}
	for _, s := range []string{"speed", "maxSurge=1,,2", "maxSurge=x,1", ""} {
		if _, err := sweep.ParseAxis(s); err == nil {
			t.Errorf("%q is an axis", s)
		}
	}
	if _, _, err := sweep.NewPlan(new(scenario.Library), engine.Recording{Scenario: scenarios.Text("surge-100")}, "other"); err == nil || !strings.Contains(err.Error(), "Deployment/default/lean") {
		t.Error(err)
	}
	if plan := planOf(t, scenarios.Text("surge-100"), "deployment/lean"); plan.Workload != "Deployment/default/lean" || plan.Added {
		t.Errorf("%+v", plan)
	}
}

// TestEarlierCommands: a timeline that sets the bounds itself is noticed.
func TestEarlierCommands(t *testing.T) {
	if g := gridOf(t, scenarios.Text("invalid-0-0"), "maxSurge=3", "maxUnavailable=1"); !g.Cells[0].Other {
		t.Errorf("it is not noticed: %+v", g.Cells[0])
	}
}

func BenchmarkSweep60(b *testing.B) {
	x, _ := sweep.ParseAxis("maxSurge=0,1,2,3,4,5,6,7,8,10")
	y, _ := sweep.ParseAxis("maxUnavailable=0,1,2,3,5,10")
	plan := planOf(b, scenarios.Text("first-rollout"), "")
	for b.Loop() {
		g, err := plan.NewGrid(new(scenario.Library), x, y)
		if err != nil || len(g.Cells) != 60 {
			b.Fatal(err, len(g.Cells))
		}
		library := new(scenario.Library)
		for i := range g.Cells {
			g.Run(i, library)
		}
		g.Rank()
	}
}
