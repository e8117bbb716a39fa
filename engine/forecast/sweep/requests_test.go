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

// asked is an update of four pods behind a Service; the pods end at once on SIGTERM.
func asked(traffic, container string) string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  %s
  timeline: [{at: 20s, run: kubectl set image deployment/web web=web:2}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 25
      containers:
      - {name: web, image: "web:1", readinessProbe: {httpGet: {port: 80}}%s}
      - {name: side, image: "side:1"}
`, traffic, container)
}

// TestPreStop: the longer the hook, the fewer requests fail, until none does. The grace period stays, so a hook that does not fit is refused.
func TestPreStop(t *testing.T) {
	for traffic, enough := range map[string]string{"": "3", "traffic: [{service: web, rate: 500, via: load-balancer, onTerm: drain, drain: 5s}]": "12"} {
		g := gridOf(t, asked(traffic, ""), "preStop=0,1,2,3,8,12,26", "maxSurge=1")
		last, none := int64(1<<40), false
		for i := range g.Cells {
			c := &g.Cells[i]
			if c.X == "26" {
				if c.Problem != sweep.Invalid || !strings.Contains(c.Reason, "terminationGracePeriodSeconds (25)") {
					t.Errorf("26 s of 25: %q %s", c.Problem, c.Reason)
				}
				continue
			}
			n := c.Rollout.Requests
			none = none || c.X == enough
			if c.Problem != sweep.Fine || n.All < 1000 || n.Failed > last || (n.Failed == 0) != none && !(n.Failed == 0 && c.X == "2") {
				t.Errorf("%s: preStop %s: %q %+v after %d", traffic, c.X, c.Problem, n, last)
			}
			if last = n.Failed; c.Current != (c.X == "0") {
				t.Errorf("preStop %s is current: %t", c.X, c.Current)
			}
			s, _ := scenario.Parse(c.Text)
			spec := api.TemplateOf(s.Object(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"})).Spec
			for k := range spec.Containers {
				l := spec.Containers[k].Lifecycle
				if slept := l != nil && l.PreStop != nil && fmt.Sprint(l.PreStop.SleepSeconds) == c.X; slept == (c.X == "0") || spec.TerminationGracePeriodSeconds != 25 {
					t.Errorf("preStop %s: %+v, grace %d", c.X, l, spec.TerminationGracePeriodSeconds)
				}
			}
		}
		if !none || g.Cells[0].Rollout.Requests.Failed == 0 {
			t.Errorf("%s: the first cell has %+v", traffic, g.Cells[0].Rollout.Requests)
		}
	}
}

// TestPreStopIsTakenAway: 0 is no hook, whatever the text has, and what stands beside it stays.
func TestPreStopIsTakenAway(t *testing.T) {
	for hook, current := range map[string]string{
		`, lifecycle: {preStop: {sleep: {seconds: 5}}}`:                                                 "5",
		`, lifecycle: {preStop: {exec: {command: [sleep, "5"]}}, postStart: {exec: {command: [date]}}}`: "5",
		`, lifecycle: {preStop: {httpGet: {port: 80}}}`:                                                 "",
	} {
		g := gridOf(t, asked("", hook), "preStop=0,5", "maxSurge=1")
		for i := range g.Cells {
			c := &g.Cells[i]
			hooked := strings.Contains(c.Text, "preStop") && strings.Count(c.Text, "sleep: {seconds: 5}") == 2
			if hooked != (c.X == "5") || strings.Contains(c.Text, "[date]") != strings.Contains(hook, "[date]") || (c.Rollout.Requests.Failed == 0) != hooked {
				t.Errorf("%s: preStop %s: %+v\n%s", hook, c.X, c.Rollout.Requests, c.Text)
			}
			if c.Current && c.X != current {
				t.Errorf("%s: %s is current", hook, c.X)
			}
		}
	}
}

// TestRequestsOfACell are those of its recording, played to its end.
func TestRequestsOfACell(t *testing.T) {
	const traffic = "traffic: [{service: web, rate: 130, via: %s, takes: 70ms, delay: %s}]"
	for _, text := range []string{asked("", ""), asked(fmt.Sprintf(traffic, "kube-proxy", "15s"), ""), asked(fmt.Sprintf(traffic, "load-balancer", "0s"), ""),
		asked("traffic: [{service: web, users: 20}]", ""), strings.Replace(asked(`images: [{match: "web:2", crash: 14s}]`, ""), "replicas: 4", "replicas: 40", 1), scenarios.Text("stops-too-early")} {
		g := gridOf(t, text, "maxSurge=1,50%", "maxUnavailable=0,1,100%")
		for i := range g.Cells {
			c := &g.Cells[i]
			r, _ := engine.Start(c.Recording)
			x := sweep.Update(forecast.Ask(r.Past(), forecast.New(r.Finish().Past()).Rollouts(g.Plan.Workload)))
			if *x != c.Rollout || x.Requests.Failed == 0 {
				t.Errorf("%s/%s: %q\n%+v\nits recording gives %+v", c.X, c.Y, c.Problem, c.Rollout, *x)
			}
		}
	}
}

// TestRequestsDecide: no cell of the front loses twice as many requests as another one that is as good in all the rest, and the worst seed
// is the one that loses most.
func TestRequestsDecide(t *testing.T) {
	g := gridOf(t, asked("", ""), "preStop=0,5", "maxUnavailable=1,100%")
	for i := range g.Cells {
		if c := &g.Cells[i]; c.Front != (c.X == "5" || c.Rollout.PeakPods < g.Cells[i+1].Rollout.PeakPods) {
			t.Errorf("preStop %s, maxUnavailable %s: front %t, %+v", c.X, c.Y, c.Front, c.Rollout)
		}
	}
	s := seedsOf(t, asked("", ""), 20)
	worst, most := s.Outcomes[s.Worst()].Rollout.Requests, s.SpreadOf(forecast.MeasureOf("failedRequests"))
	if worst.Failed != most.Max || most.Min == most.Max {
		t.Errorf("the worst seed loses %+v, %+v", worst, most)
	}
	if s := seedsOf(t, scenarios.Text("first-rollout"), 1); s.Outcomes[0].Rollout.Requests != (forecast.Requests{}) {
		t.Errorf("without a Service there are %+v", s.Outcomes[0].Rollout.Requests)
	}
}
