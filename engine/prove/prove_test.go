package prove_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/prove"
	"github.com/rollplay/rollplay/engine/scenario"
)

// web is a Deployment with these fields, on nodes with room for so many pods each.
func web(replicas int, spec, nodes string) string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec: {images: [{match: "*", pull: 0s, start: 100ms, stop: 200ms}], nodes: %s}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
%s
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`, nodes, replicas, spec)
}

func bounds(surge, unavailable string) string {
	return "  strategy: {rollingUpdate: {maxSurge: " + surge + ", maxUnavailable: " + unavailable + "}}"
}

// bound is how many schedules a test enumerates at most.
const bound = 100_000

func proofOf(t testing.TB, text string, o prove.Options) *prove.Proof {
	t.Helper()
	plan, diagnostics, err := sweep.NewPlan(new(scenario.Library), engine.Recording{Scenario: text}, "")
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	p, err := prove.New(new(scenario.Library), plan, o)
	if err != nil {
		t.Fatal(err)
	}
	library := new(scenario.Library)
	for n := p.Pending(); n > 0; n = p.Pending() {
		for i := range n {
			p.Run(library, i)
		}
		if err := p.Collect(); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func all(o prove.Options) prove.Options {
	if o.Max == 0 {
		o.Max = bound
	}
	if o.MinAvailable == 0 {
		o.MinAvailable = -1
	}
	if o.MaxPods == 0 {
		o.MaxPods = -1
	}
	return o
}

// TestHolds: a rolling update keeps its bounds in every order of readiness, also with a crash or a lost node; and the number of orders is
// the one that can be counted by hand.
func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		replicas           int
		surge, unavailable string
		options            prove.Options
		schedules          int
	}{
		{1, "1", "0", prove.Options{}, 1},
		{3, "1", "0", prove.Options{}, 1},         // one new pod at a time
		{3, "3", "0", prove.Options{}, 6},         // three at once: 3!
		{4, "2", "0", prove.Options{}, 2 * 2 * 2}, // two at once; each that is Ready brings the next one, until one is left
		{4, "0", `"100%"`, prove.Options{}, 24},
		{1, "1", "0", prove.Options{Crash: true}, 3}, // none; or the old pod crashes, and it or the new one is Ready first
		{3, "1", "0", prove.Options{Node: true}, 0},  // not counted by hand
	} {
		p := proofOf(t, web(tt.replicas, bounds(tt.surge, tt.unavailable), "{count: 3}"), all(tt.options))
		if p.Counter != nil {
			t.Errorf("%+v: %+v", tt, p.Counter)
		}
		if tt.schedules > 0 && p.Schedules != tt.schedules || p.Cut {
			t.Errorf("%+v: %d schedules", tt, p.Schedules)
		}
	}
}

// TestBesideAutoscaler: the syncs of a HorizontalPodAutoscaler, every 15 s, do not keep pods from becoming Ready.
func TestBesideAutoscaler(t *testing.T) {
	const scaler = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 3, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`
	text := web(3, bounds("3", "0"), "{count: 3}")
	timed := strings.Replace(text, "spec: {", "spec: {timeline: [{at: 1m, run: kubectl set image deployment/web web=web:2}], ", 1)
	for _, text := range []string{text, timed} {
		if p := proofOf(t, text+scaler, all(prove.Options{})); p.Counter != nil || p.Schedules != 6 {
			t.Errorf("%d schedules, %+v", p.Schedules, p.Counter)
		}
	}
}

// TestDaemonSets: a new pod is no surge beside an old pod that has crashed or is on a lost node. Nobody probes on a lost node.
func TestDaemonSets(t *testing.T) {
	daemons := func(strategy string) string {
		text := strings.Replace(web(3, "  updateStrategy: {rollingUpdate: "+strategy+"}", "{count: 3}"), "kind: Deployment", "kind: DaemonSet", 1)
		return strings.Replace(text, "  replicas: 3\n", "", 1)
	}
	surge := daemons("{maxSurge: 1, maxUnavailable: 0}")
	if c := proofOf(t, surge, all(prove.Options{Crash: true})).Counter; c != nil {
		t.Errorf("a crash: %s after %q", c.Says, c.Steps)
	}
	if c := proofOf(t, surge, all(prove.Options{Node: true})).Counter; c != nil && strings.Contains(c.Says, "maxSurge") {
		t.Errorf("a lost node: %s after %q", c.Says, c.Steps)
	}
	if c := proofOf(t, daemons("{maxUnavailable: 1}"), all(prove.Options{Node: true})).Counter; c == nil || strings.Contains(c.Says, "probe") {
		t.Errorf("a pod on a lost node: %+v", c)
	}
}

// TestCounterexample: the shortest schedule in which something does not hold, as a recording that does the same again.
func TestCounterexample(t *testing.T) {
	for name, tt := range map[string]struct {
		text    string
		options prove.Options
		steps   int
		says    string
	}{
		"too few available": {web(4, bounds("0", "1"), "{count: 3}"), prove.Options{MinAvailable: 4}, 0, "3 pods available; at least 4 must be"},
		"a crash costs one more": {web(4, bounds("0", "1"), "{count: 3}"), prove.Options{MinAvailable: 3, Crash: true}, 1,
			"2 pods available; at least 3 must be"},
		"too many pods": {web(4, bounds("1", "0"), "{count: 3}"), prove.Options{MaxPods: 5}, 1, "6 pods, 1 of them terminating; at most 5 may be"},
		"no room":       {web(4, bounds("1", "0"), "{count: 2, pods: 2}"), prove.Options{}, 0, "the update is deadline exceeded"},
		"no room on the other node": {web(2, bounds("1", "0"), "{count: 2, pods: 2}"), prove.Options{Node: true, MinAvailable: 1}, 2,
			"the update is deadline exceeded: 1 pod of revision 2 fits no node"},
	} {
		p := proofOf(t, tt.text, all(tt.options))
		c := p.Counter
		if c == nil || len(c.Steps) != tt.steps || !strings.Contains(c.Says, tt.says) {
			t.Errorf("%s: %d schedules, %+v", name, p.Schedules, c)
			continue
		}
		again, _ := engine.Start(c.Recording)
		again.Finish()
		found := false
		for _, f := range again.Frames("Deployment/default/web") {
			found = found || f.T == c.At
		}
		if !found && c.At != again.Now() {
			t.Errorf("%s: the recording has no change at %d ms", name, c.At)
		}
	}
}

// TestSlow: an update that takes longer than half an hour gets the time that it needs, up to a day; its text may have its own time.
func TestSlow(t *testing.T) {
	const strategy = "  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n  progressDeadlineSeconds: 40000\n  minReadySeconds: "
	in := func(seconds, spec string) string {
		return strings.Replace(web(4, strategy+seconds, "{count: 3}"), "spec: {", "spec: {"+spec, 1)
	}
	for name, tt := range map[string]struct{ text, says string }{
		"39 minutes":       {in("580", ""), ""},
		"the old pods too": {in("2000", ""), ""},
		"in three hours":   {in("580", "duration: 3h, "), ""},
		"late in them":     {in("580", "duration: 3h, timeline: [{at: 2h, run: kubectl set image deployment/web web=web:2}], "), ""},
		"two days":         {in("39000", ""), "the update is not finished within 24 h: "},
	} {
		p := proofOf(t, tt.text, all(prove.Options{}))
		if c := p.Counter; (c == nil) != (tt.says == "") || c != nil && !strings.HasPrefix(c.Says, tt.says) || c == nil && p.Schedules != 1 {
			t.Errorf("%s: %d schedules, %+v", name, p.Schedules, c)
		}
	}
}

// TestGive: a run to which commands are given is the run of the recording that it then has.
func TestGive(t *testing.T) {
	p := proofOf(t, web(4, bounds("1", "0"), "{count: 3}"), all(prove.Options{MinAvailable: 3, MaxPods: 4}))
	r, _ := engine.Start(p.Counter.Recording)
	at := r.Recording().Commands[0].At
	r.AdvancePast(at+20_000, 1<<20)
	for !r.Give(engine.Command{Do: "kill node/node-1"}) {
		r.Advance(1)
	}
	again, _ := engine.Start(r.Recording())
	var got, want bytes.Buffer
	if err := engine.WriteText(&got, r.Finish()); err != nil {
		t.Fatal(err)
	}
	if err := engine.WriteText(&want, again.Finish()); err != nil {
		t.Fatal(err)
	}
	if got.Len() == 0 || got.String() != want.String() {
		t.Errorf("got %d bytes, want %d", got.Len(), want.Len())
	}
}

// TestCut: a search that is too long says so.
func TestCut(t *testing.T) {
	p := proofOf(t, web(4, bounds(`"100%"`, "0"), "{count: 3}"), all(prove.Options{Max: 10}))
	if !p.Cut || p.Runs > 10 || p.Schedules > 0 || p.Longest != 1 || p.Counter != nil {
		t.Errorf("%d runs, %d schedules, cut %t after %d steps, %+v", p.Runs, p.Schedules, p.Cut, p.Longest, p.Counter)
	}
}

// TestAlike: playing what is alike once finds what playing every schedule finds: as many schedules, unless a node is lost, and as short
// a counterexample.
func TestAlike(t *testing.T) {
	runs, every := 0, 0
	for _, text := range alikeWorlds() {
		for _, o := range []prove.Options{{Crash: true}, {Node: true}, {Crash: true, MinAvailable: 3}} {
			o = all(o)
			got := proofOf(t, text, o)
			o.Every = true
			want := proofOf(t, text, o)
			runs, every = runs+got.Runs, every+want.Runs
			if !o.Node && got.Schedules != want.Schedules || got.Cut || want.Cut || got.Longest != want.Longest || (got.Counter == nil) != (want.Counter == nil) {
				t.Errorf("%+v:\n%s\n got %d schedules of %d steps, %+v\nwant %d of %d, %+v", o, text, got.Schedules, got.Longest, got.Counter, want.Schedules, want.Longest, want.Counter)
			} else if got.Counter != nil && got.Counter.Says != want.Counter.Says {
				t.Errorf("%+v:\n%s\n%+v\n%+v", o, text, got.Counter, want.Counter)
			}
		}
	}
	if t.Logf("%d runs instead of %d", runs, every); runs*2 > every {
		t.Errorf("%d runs stand for %d", runs, every)
	}
}

// alikeWorlds are small worlds in which every schedule can be played.
func alikeWorlds() (list []string) {
	for _, b := range [][2]string{{"1", "0"}, {"0", "1"}, {"2", "1"}, {"1", "2"}} {
		list = append(list, web(3, bounds(b[0], b[1]), "{count: 3}"))
	}
	drawn := strings.ReplaceAll(web(4, bounds("2", "1"), "{count: 2, pods: 4}"), "pull: 0s", "pull: 1s..9s")
	set := strings.NewReplacer("Deployment", "StatefulSet", "  replicas", "  serviceName: web\n  podManagementPolicy: Parallel\n  replicas").Replace(web(3, "", "{count: 3}"))
	late := web(3, bounds("1", "1")+"\n  minReadySeconds: 45", "{count: 3}")
	return append(list, drawn, late, web(4, bounds("1", "1"), "[{name: a, pods: 6}, {name: b, pods: 3}]"), web(4, bounds("2", "1"), "{count: 3}"), set)
}

// BenchmarkProve proves the default update of six replicas, on one core.
func BenchmarkProve(b *testing.B) {
	for name, o := range map[string]prove.Options{"ready": {}, "crash": {Crash: true}, "node": {Node: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p := proofOf(b, web(6, bounds(`"25%"`, `"25%"`), "{count: 3}"), all(o))
				if p.Counter != nil || p.Cut {
					b.Fatal(p.Counter)
				}
				b.ReportMetric(float64(p.Schedules), "schedules")
				b.ReportMetric(float64(p.Runs), "runs")
			}
		})
	}
}
