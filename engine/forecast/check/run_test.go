package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestOverWhenScaled: an update that only scales down is over when no pod is left over, and none terminates.
func TestOverWhenScaled(t *testing.T) {
	web := func(replicas int) string {
		return strings.TrimPrefix(texts.Deployment(fmt.Sprintf("replicas: %d", replicas), "image: web:1"), "---\n")
	}
	slow := Policy{Images: []map[string]string{{"match": "*", "pull": "1s", "start": "1s", "stop": "20s"}}}
	c, diagnostics, err := New(new(scenario.Library), Input{Old: web(280), New: web(2), Policy: slow, Seeds: 1})
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	c.Run(0, new(scenario.Library))
	if took := c.settings[0].runs[0].End - c.settings[0].at; took < 20_000 || took > 60_000 {
		t.Errorf("over after %d ms", took)
	}
}

// TestRoughly: the time that a run had is a day, or whole hours if what is deployed took some itself.
func TestRoughly(t *testing.T) {
	const hour = 60 * 60_000
	for ms, want := range map[int64]string{24 * hour: "a day", 23*hour + 1: "a day", 23 * hour: "23 hours", 2*hour - 1: "1 hour"} {
		if got := roughly(ms); got != want {
			t.Errorf("%d ms: %s, want %s", ms, got, want)
		}
	}
}

// TestAskPlaysOn: the requests are counted until the proxies know of the last pod, wherever the run was when its update was over.
func TestAskPlaysOn(t *testing.T) {
	const at = 20_000
	text := texts.World(texts.Quick, "replicas: 3\n  strategy: {type: Recreate}", "image: web:1", "{at: 20s, run: set image deployment/web web=web:2}") +
		"---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	played := func(until int64) *engine.Run {
		r, diagnostics := engine.Start(engine.Recording{Scenario: text})
		if r == nil {
			t.Fatal(diagnostics)
		}
		for !r.Done() && r.Now() < until {
			r.Advance(1)
		}
		return r
	}
	asked := func(r *engine.Run) requests {
		s, o := &setting{Check: &Check{updated: []api.Key{past.ParseKey(texts.Web)}}, at: at}, outcome{}
		s.ask(r, &o)
		return o.Requests[texts.Web]
	}
	whole := played(math.MaxInt64)
	frames := whole.Frames(texts.Web)
	over := frames[len(frames)-1].T
	if got, want := asked(played(over)), asked(whole); got != want || got.Failed == 0 || got.Failed == got.All {
		t.Errorf("when the last pod is ready: %+v, at the end: %+v", got, want)
	}
}

// TestEndedWithin: a run that was cut just after the limit may have kept it; a complete one did keep it.
func TestEndedWithin(t *testing.T) {
	for _, tt := range []struct {
		cut    string
		result forecast.Result
		end    int64
		want   bool
	}{{"cut", forecast.Unfinished, 15_000, true}, {"cut", forecast.Unfinished, 15_001, false}, {"cut", forecast.Complete, 15_000, false},
		{"", forecast.Unfinished, 15_000, false}} {
		s := &setting{at: 10_000, runs: []outcome{{Cut: tt.cut, End: tt.end, Rollouts: map[string]forecast.Rollout{texts.Web: {Result: tt.result}}}}}
		if got := s.read(past.ParseKey(texts.Web)).soon <= 5000; got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// TestDrainAfterUpdate: a drain begins some seconds after the update, so that no pod is missing.
func TestDrainAfterUpdate(t *testing.T) {
	text := strings.TrimPrefix(texts.Deployment("replicas: 3\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", "image: web:1, resources: {requests: {cpu: 500m}}"), "---\n") +
		"---\nkind: PodDisruptionBudget\napiVersion: policy/v1\nmetadata: {name: web}\nspec: {minAvailable: 2, selector: {matchLabels: {app: web}}}\n"
	slow := Policy{Images: []map[string]string{{"match": "*", "pull": "1s", "start": "9s"}}}
	c, diagnostics, err := New(new(scenario.Library), Input{New: text, Nodes: "nodes: {count: 4, cpu: 500m}", Seeds: 1, Policy: slow})
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	c.Run(0, new(scenario.Library))
	s := c.settings[0]
	s.runs[0].End = s.runs[0].Rollouts[texts.Web].End
	c.RunBudget(0, new(scenario.Library))
	if d := s.drains[0]; !d.Done || d.Refused > 0 {
		t.Errorf("%+v", d)
	}
}

// TestShown: what is shown of an update begins a twentieth of its time, or a second, before it, and ends as long after its last rollout.
func TestShown(t *testing.T) {
	for _, tt := range []struct{ at, end, from, to int64 }{{50_000, 90_000, 48_000, 92_000}, {50_000, 50_500, 49_000, 52_000}, {500, 600, 0, 2500}} {
		c := &Check{settings: []*setting{{at: tt.at, runs: []outcome{{Rollouts: map[string]forecast.Rollout{texts.Web: {End: tt.end}}}}}}}
		if from, to := c.Shown(); from != tt.from || to != tt.to {
			t.Errorf("%d to %d ms: shown from %d to %d, want %d to %d", tt.at, tt.end, from, to, tt.from, tt.to)
		}
	}
}

// TestChanged: without a run nothing is known to be rolled out.
func TestChanged(t *testing.T) {
	played := []outcome{{Rollouts: map[string]forecast.Rollout{texts.Web: {}}}}
	for runs, want := range map[*setting]string{{}: "[]", {runs: played}: "[" + texts.Web + "]"} {
		c := &Check{updated: []api.Key{past.ParseKey(texts.Set), past.ParseKey(texts.Web)}, settings: []*setting{runs}}
		if got := fmt.Sprint(c.Changed()); got != want {
			t.Errorf("%d runs: %s, want %s", len(runs.runs), got, want)
		}
	}
}

// TestFirstOf: a drain follows the first seed of its setting; where the next update is played nothing is drained.
func TestFirstOf(t *testing.T) {
	c := &Check{input: Input{Seeds: 5}, budgets: make([]api.Key, 2), settings: []*setting{{}, {variant: variant{next: true}}, {}}}
	for drain, want := range []int{0, 0, 10, 10} {
		if got := c.FirstOf(drain); got != want {
			t.Errorf("drain %d follows run %d, want %d", drain, got, want)
		}
	}
}

// TestReplicasOfAutoscalers: a text gets the replicas that an autoscaler may choose, also in Lists, and loses the autoscaler.
func TestReplicasOfAutoscalers(t *testing.T) {
	const web, other = "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n", "kind: Deployment\nmetadata: {name: other}\nspec: {replicas: 2}\n"
	const list = "kind: List\nitems: [{kind: Deployment, metadata: {name: web}, spec: {replicas: %d}}, {kind: Service, metadata: {name: web}}]\n"
	n := map[api.Key]int64{past.ParseKey(texts.Web): 9}
	for text, want := range map[string]string{
		web + "---\n" + other: strings.Replace(web, "2", "9", 1) + "---\n" + other,
		"kind: HorizontalPodAutoscaler\nmetadata: {name: web}\n---\n" + web: strings.Replace(web, "2", "9", 1),
		fmt.Sprintf(list, 2): fmt.Sprintf(list, 9),
	} {
		if got := withReplicas(text, n); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestPausedBesideOthers: a paused workload, which has no rollout, is no workload that is up, however long the others take.
func TestPausedBesideOthers(t *testing.T) {
	paused := strings.TrimPrefix(texts.Deployment("paused: true", "image: web:1"), "---\n")
	many := strings.ReplaceAll(texts.Deployment("replicas: 100", "image: other:1"), "web", "other")
	c, diagnostics, err := New(new(scenario.Library), Input{New: paused + many, Seeds: 1})
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	c.Run(0, new(scenario.Library))
	r := c.Report()
	if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Check == "completes" && f.Verdict == Fail }); i < 0 || !strings.Contains(r.Findings[i].Text, "It is paused") {
		t.Errorf("%s: %+v", r.Verdict, r.Findings)
	}
}
