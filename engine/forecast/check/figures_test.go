package check

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestWorseNumbers: of two settings each figure is the worse one; the lowest availability is the smaller share of the pods.
func TestWorseNumbers(t *testing.T) {
	done := Numbers{Lowest: 3, LowestOf: 4, P50: 10, P95: 20, PeakPods: 5, PeakCPU: 7, PeakMemory: 9, Result: forecast.Complete, Failed: 1, Requests: 100}
	for _, c := range []struct {
		name      string
		than      Numbers
		want      func(*Numbers)
		unchanged bool
	}{
		{"nothing", Numbers{Result: forecast.Complete}, func(*Numbers) {}, true},
		{"a smaller share", Numbers{Lowest: 7, LowestOf: 10, Result: forecast.Complete}, func(n *Numbers) { n.Lowest, n.LowestOf = 7, 10 }, false},
		{"a larger share of fewer", Numbers{Lowest: 2, LowestOf: 2, Result: forecast.Complete}, func(*Numbers) {}, true},
		{"the same share", Numbers{Lowest: 6, LowestOf: 8, Result: forecast.Complete}, func(*Numbers) {}, true},
		{"a longer one", Numbers{P50: 9, P95: 21, Result: forecast.Complete}, func(n *Numbers) { n.P50, n.P95 = 9, 21 }, false},
		{"a longer half of a shorter one", Numbers{P50: 11, P95: 19, Result: forecast.Complete}, func(*Numbers) {}, true},
		{"an unfinished one", Numbers{P50: -1, P95: -1, Result: forecast.DeadlineExceeded}, func(n *Numbers) { n.P50, n.P95, n.Result = -1, -1, forecast.DeadlineExceeded }, false},
		{"more at once", Numbers{PeakPods: 6, PeakCPU: 8, PeakMemory: 10, Outage: 3, Changed: true, Result: forecast.Complete},
			func(n *Numbers) { n.PeakPods, n.PeakCPU, n.PeakMemory, n.Outage, n.Changed = 6, 8, 10, 3, true }, false},
		{"more failed requests", Numbers{Failed: 2, Requests: 90, Result: forecast.Complete}, func(n *Numbers) { n.Failed, n.Requests = 2, 90 }, false},
		{"as large a share of the requests", Numbers{Failed: 2, Requests: 200, Result: forecast.Complete}, func(*Numbers) {}, true},
		{"more failed requests of many more", Numbers{Failed: 2, Requests: 300, Result: forecast.Complete}, func(*Numbers) {}, true},
	} {
		got, want := done, done
		got.add(&c.than)
		if c.want(&want); got != want || (got == done) != c.unchanged {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
	unasked, lost := Numbers{Result: forecast.Complete}, Numbers{Requests: 50, LowestOf: 4, Lowest: 4, Result: forecast.Complete}
	if unasked.add(&lost); unasked.Requests != 50 || unasked.LowestOf != 4 {
		t.Errorf("what only one setting knows is lost: %+v", unasked)
	}
	if longer(0, 5) != 5 || longer(5, -1) != -1 || longer(-1, 5) != -1 {
		t.Error("an unfinished rollout is not the longer one")
	}
}

// TestAsked: the seed counts in which the largest share of the requests fails.
func TestAsked(t *testing.T) {
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	of := func(failed, all int64) outcome {
		return outcome{Requests: map[string]requests{web.String(): {Failed: failed, All: all}}}
	}
	s := &setting{runs: []outcome{{}, of(2, 100), of(3, 200), of(3, 90), of(30, 900), of(4, 1000)}}
	if got := s.asked(web); got.Failed != 3 || got.All != 90 {
		t.Errorf("got %+v", got)
	}
}

// TestDurationPerNode: on nodes that are assumed a DaemonSet takes so long for each, or for each batch if its bound is a share of the nodes;
// where too few seeds finish there is no such time, and no time is shared by none.
func TestDurationPerNode(t *testing.T) {
	agent := api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"}
	of := func(result forecast.Result) outcome {
		return outcome{Rollouts: map[string]forecast.Rollout{agent.String(): {Start: 1000, End: 10_000, Result: result}}}
	}
	complete := of(forecast.Complete)
	for _, tt := range []struct {
		bound    string
		runs     []outcome
		p50, p95 int64
		per      string
	}{
		{"maxUnavailable: 1", []outcome{complete, complete}, 3000, 3000, "node"},
		{"maxUnavailable: 1", []outcome{complete, of(forecast.Unfinished)}, 3000, -1, "node"},
		{"maxUnavailable: 1", []outcome{of(forecast.Unfinished)}, -1, -1, ""},
		{"maxUnavailable: 1", []outcome{{Rollouts: map[string]forecast.Rollout{agent.String(): {Result: forecast.Complete}}}}, 0, 0, ""},
		{"maxUnavailable: 30%", []outcome{complete, of(forecast.Unfinished)}, 3000, -1, "batch"},
		{"maxUnavailable: 50%", []outcome{complete}, 4500, 4500, "batch"},
		{"maxUnavailable: 100%", []outcome{complete}, 9000, 9000, "batch"},
		{"maxUnavailable: 0, maxSurge: 67%", []outcome{complete}, 9000, 9000, "batch"},
	} {
		now, diagnostics := scenario.Parse("apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec:\n  selector: {matchLabels: {a: b}}\n" +
			"  updateStrategy: {rollingUpdate: {" + tt.bound + "}}\n" +
			"  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: \"a:1\"}]}}\n")
		if now == nil {
			t.Fatal(diagnostics)
		}
		s := &setting{Check: &Check{assumed: 3, now: now}, runs: tt.runs}
		if n := s.read(agent).n; n.P50 != tt.p50 || n.P95 != tt.p95 || n.Per != tt.per {
			t.Errorf("%s, %d seeds: %d and %d ms per %q, want %d and %d per %q", tt.bound, len(tt.runs), n.P50, n.P95, n.Per, tt.p50, tt.p95, tt.per)
		}
	}
}

// TestBadness: a figure grows as its finding gets worse; of requests it is the share that fails, and what has no figure has 0.
func TestBadness(t *testing.T) {
	r := &Report{Numbers: []Numbers{{Object: "deployment/web", Lowest: 3, LowestOf: 4, P95: -1, Failed: 5, Requests: 20}, {Object: "deployment/idle"}}}
	for _, tt := range []struct {
		rule, object string
		want         float64
	}{
		{"available", "deployment/web", 0.25}, {"available", "deployment/idle", 1}, {"duration", "deployment/web", math.MaxFloat64},
		{"duration", "deployment/idle", 0}, {"requests", "deployment/web", 0.25}, {"requests", "deployment/idle", 0},
		{"requests", "deployment/other", 0}, {"image", "deployment/web", 0},
	} {
		if got := r.badness(&Finding{Check: tt.rule, Object: tt.object}); got != tt.want {
			t.Errorf("%s of %s: %g, want %g", tt.rule, tt.object, got, tt.want)
		}
	}
}

// TestEqualBounds: an autoscaler that leaves no choice is played once, any other with the fewest and with the most replicas.
func TestEqualBounds(t *testing.T) {
	for _, tt := range []struct{ most, settings int }{{3, 1}, {4, 2}} {
		c, diagnostics, err := New(new(scenario.Library), Input{Seeds: 5, New: strings.TrimPrefix(texts.Deployment("replicas: 3", "image: web:1"), "---\n") +
			fmt.Sprintf("---\nkind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2\nmetadata: {name: web}\n"+
				"spec: {minReplicas: 3, maxReplicas: %d, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n", tt.most)})
		if err != nil {
			t.Fatal(err, diagnostics)
		}
		if n := c.Seeds(); n != 5*tt.settings {
			t.Errorf("3 to %d replicas: %d runs, want 5 of each of %d settings", tt.most, n, tt.settings)
		}
	}
}
