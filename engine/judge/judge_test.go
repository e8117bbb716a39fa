package judge_test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// verdictRows writes verdicts down, apart from those for the first start, and those about terminating pods.
func verdictRows(run *engine.Run) []string {
	var rows []string
	for _, v := range judge.New(run.Past()).Verdicts(texts.Web) {
		if v.From > 0 && v.Bound != "terminating" {
			rows = append(rows, fmt.Sprintf("%d-%d %s, %s, by %s %s: %s", v.From, v.To, v.Bound, v.Kind, v.By, v.Rule, v.Text))
		}
	}
	return rows
}

// TestVerdicts: who took the pods that are missing, and what the rules allow.
func TestVerdicts(t *testing.T) {
	ten := texts.World(texts.Quick, "replicas: 10", "image: web:1")
	pods := runs.Of(t, ten).Past().Pods(runs.Of(t, ten).Past().Find(5000), 5000)
	slices.SortStableFunc(pods, func(a, b past.PodTile) int { return strings.Compare(a.Node, b.Node) }) // four on node-1, which notices crashes at 5738 ms
	pod := func(i int) string { return strings.TrimPrefix(pods[i].Key, "default/") }
	crash := func(at int64, i int) engine.Command { return engine.Command{At: at, Do: "crash pod/" + pod(i)} }
	set := pods[0].Owner
	ready := texts.World(texts.Quick, "replicas: 2", "image: web:1, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 2}")
	probe := runs.FirstPod(t, runs.Of(t, ready), 5000)
	apply := func(at int64, spec string) engine.Command {
		return engine.Command{At: at, Apply: strings.TrimPrefix(texts.Deployment(spec, "image: web:1"), "---\n")}
	}
	for _, tt := range []struct {
		name, text string
		commands   []engine.Command
		want       []string
	}{
		{"nothing happens", ten, nil, nil},
		{"one crash is within the bound", ten, []engine.Command{crash(5000, 0), crash(5000, 1)}, nil},
		{"three crashes are not", ten, []engine.Command{crash(5000, 0), crash(5000, 1), crash(5000, 2)}, []string{
			"5738-6038 lower, broken by the environment, by kubelet : 7 available, 1 fewer than at least 8: container web of pod " + pod(2) + " crashed (exit code 137)."}},
		{"further losses are counted", ten, []engine.Command{crash(5000, 0), crash(5000, 1), crash(5000, 2), crash(5100, 3), {At: 5900, Run: "delete pod " + pod(4)}}, []string{
			"5738-6038 lower, broken by the environment, by kubelet : 5 available, 3 fewer than at least 8: container web of pod " + pod(2) + " crashed (exit code 137), and 2 more were lost."}},
		{"deleted by hand", ten, []engine.Command{{At: 5000, Run: "delete pod " + pod(0) + " " + pod(1) + " " + pod(2)}}, []string{
			"5000-5303 lower, broken by the environment, by kubectl : 7 available, 1 fewer than at least 8: pod " + pod(2) + " was deleted by hand."}},
		{"readiness fails (G-25)", ready, []engine.Command{{At: 5000, Do: "fail-readiness pod/" + probe}, {At: 9000, Do: "restore-readiness pod/" + probe}}, []string{
			"6304-9304 lower, broken by the environment, by kubelet : 1 available, 1 fewer than at least 2: the readiness probe of container web of pod " + probe + " failed."}},
		{"the ReplicaSet is deleted", ten, []engine.Command{{At: 5000, Run: "delete rs " + set}}, []string{
			"5001-5304 lower, broken by the environment, by kubectl : 0 available, 8 fewer than at least 8: ReplicaSet " + set + " was deleted by hand."}},
		{"the ReplicaSet is scaled by hand", ten, []engine.Command{{At: 5000, Run: "scale rs/" + set + " --replicas=2"}}, []string{
			"5001-5304 lower, broken by the environment, by kubectl : 2 available, 6 fewer than at least 8: ReplicaSet " + set + " was scaled to 2 by hand."}},
		{"the ReplicaSet is scaled up by hand", ten, []engine.Command{{At: 5000, Run: "scale rs/" + set + " --replicas=20"}}, []string{
			"5001-5002 upper, broken by the environment, by kubectl : 20 pods, 7 more than at most 13: ReplicaSet " + set + " was scaled to 20 by hand."}},
		{"scaled up (D-21)", ten, []engine.Command{{At: 5000, Run: "scale deployment/web --replicas=20"}}, []string{
			"5000-5304 lower, legally exceeded, by kubectl D-21: 10 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first."}},
		{"lost on the way", ten, []engine.Command{{At: 5700, Run: "scale deployment/web --replicas=20"}, crash(5710, 0)}, []string{
			"5700-6004 lower, legally exceeded, by kubectl D-21: 9 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first. 1 pod was lost meanwhile."}},
		{"scaled down (D-20)", ten, []engine.Command{{At: 5000, Run: "scale deployment/web --replicas=4"}}, []string{
			"5000-5002 upper, legally exceeded, by kubectl D-20: 10 pods, 5 more than at most 5: the Deployment was scaled from 10 to 4, and the excess pods have to be deleted first."}},
		{"deleted (A-9)", ten, []engine.Command{{At: 5000, Run: "delete deployment web"}}, []string{
			"5000-5002 upper, legally exceeded, by kubectl A-9: 10 pods, 10 more than at most 0: the Deployment was deleted, and the garbage collector has to delete its pods first."}},
		{"deleted with its dependents first (A-9)", ten, []engine.Command{{At: 5000, Run: "delete deployment web --cascade=foreground"}}, nil},
		{"less may be unavailable", ten, []engine.Command{crash(5000, 0), crash(5000, 1), apply(5800, "replicas: 10\n  strategy: {rollingUpdate: {maxUnavailable: 0}}")}, []string{
			"5800-6038 lower, legally exceeded, by kubectl D-21: 8 available, on the way to at least 10: the strategy of the Deployment was changed, and its pods have to start first."}},
		{"pods must be Ready for longer (R-16)", ten, []engine.Command{apply(5000, "minReadySeconds: 10\n  replicas: 10")}, []string{
			"5001-11000 lower, legally exceeded, by deployment-controller R-16: 0 available, 8 fewer than at least 8: minReadySeconds was raised from 0 to 10, and pods must have been Ready for that long."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := runs.Of(t, tt.text, tt.commands...)
			if got := verdictRows(run); !slices.Equal(got, tt.want) {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
			}
		})
	}
}

// TestVerdictsOfUpstream: what the controllers do although the bound does not allow it.
func TestVerdictsOfUpstream(t *testing.T) {
	const images = `{match: "v2", pull: 1s, start: 300ms..4s, stop: 1s..3s}
{match: "slow", pull: 500ms, start: 20s, stop: 1s}
{match: "*", pull: 500ms, start: 300ms, stop: 1s}`
	for _, tt := range []struct {
		rule, spec string
		seed       int
		timeline   []string
		want       string
	}{
		{"R-9", "replicas: 5\n  minReadySeconds: 1\n  strategy: {rollingUpdate: {maxSurge: 56%, maxUnavailable: 23%}}", 15, []string{
			"{at: 10207ms, run: set image deployment/web web=v2}", "{at: 13494ms, run: scale deployment/web --replicas=11}",
			"{at: 19549ms, run: set image deployment/web web=v2}", "{at: 22663ms, run: rollout undo deployment/web}",
			"{at: 24739ms, run: set image deployment/web web=v2}"},
			"24766-25000 lower, legally exceeded, by replicaset-controller R-9: 8 available, 1 fewer than at least 9: " +
				"ReplicaSet web-d6555b879 shrinks and deletes pods that are not Ready first; Ready pods that are not available yet get no preference (R-9)."},
		{"D-70", "replicas: 10\n  strategy: {rollingUpdate: {maxSurge: 50%, maxUnavailable: 20%}}", 1, []string{
			"{at: 5s, run: set image deployment/web web=slow}", "{at: 10s, run: scale deployment/web --replicas=4}"},
			"10002-25504 lower, legally exceeded, by deployment-controller D-70: 3 available, 1 fewer than at least 4: " +
				"the ReplicaSets share a change of spec.replicas in proportion to their sizes, however many pods are available (D-70)."},
	} {
		text := strings.Replace(texts.World(images, tt.spec, "image: v1", tt.timeline...), "spec:\n", fmt.Sprintf("spec:\n  seed: %d\n", tt.seed), 1)
		if got := verdictRows(runs.Of(t, text)); !slices.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.rule, strings.Join(got, "\n"), tt.want)
		}
	}
}

// TestControllersAreNotBlamed: a pod is lost when the controllers have just counted on it. They take the availability
// below its bound, but it is the crash that is to blame.
func TestControllersAreNotBlamed(t *testing.T) {
	text := texts.World(texts.Quick, "replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 2}}", "image: web:1", "{at: 5825ms, run: set image deployment/web web=web:2}")
	base := runs.Of(t, text)
	i := slices.IndexFunc(base.Frames(texts.Web), func(f engine.Frame) bool { return f.T > 5825 && f.Available < 4 })
	first := base.Frames(texts.Web)[i] // the first old pod is deleted; the size was given a millisecond before
	pods := base.Past().Pods(first.Record-1, first.T)
	var left string
	for _, p := range base.Past().Pods(base.Past().Find(first.T), first.T) {
		if p.State == past.PodAvailable {
			left = strings.TrimPrefix(p.Key, "default/")
		}
	}
	run := runs.Of(t, text, engine.Command{At: first.T - 1, Do: "crash pod/" + left}) // its node notices in that millisecond
	want := fmt.Sprintf("%d-%d lower, broken by the environment, by kubelet : 1 available, 1 fewer than at least 2: container web of pod %s crashed (exit code 137).", first.T, first.T+300, left)
	if got := verdictRows(run); len(pods) != 4 || !slices.Equal(got, []string{want}) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestTerminatingOnTop: R-25. The bound holds, and there are more pods than it says.
func TestTerminatingOnTop(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"))
	const deployment = "Deployment/default/nginx-deployment"
	most := 0
	for _, v := range judge.New(run.Past()).Verdicts(deployment) {
		if v.Kind == judge.Broken {
			t.Errorf("the first rollout has %+v", v)
		}
		if v.Bound == "terminating" {
			most = max(most, v.Worst)
			if v.Rule != "R-25" || v.Kind != judge.Exceeded || v.Limit != 13 || !strings.Contains(v.Text, fmt.Sprintf("%d more than at most 13", v.Worst-13)) {
				t.Errorf("%+v", v)
			}
		}
	}
	want, at := 0, 0
	for _, f := range run.Frames(deployment) {
		if f.Total <= f.Upper && f.Total+f.Terminating > want {
			want, at = f.Total+f.Terminating, f.Record
		}
	}
	if most != want {
		t.Errorf("the worst is %d pods, want %d", most, want)
	}
	held, line := judge.New(run.Past()).Line(deployment, at)
	if !held || line != "Both bounds hold: 13 pods of at most 13 = 10 + 3; 8 available of at least 8 = 10 − 2. 5 more terminating: they come on top of the surge (R-25)." {
		t.Errorf("the line is %t %q", held, line)
	}
}

// TestJudgeLine: the sentence at a moment has the numbers of that moment.
func TestJudgeLine(t *testing.T) {
	ten := texts.World(texts.Quick, "replicas: 10", "image: web:1")
	var pods, others []string // of the node that notices crashes at 5738 ms, and of the one that does so at 5827 ms
	base := runs.Of(t, ten)
	for _, p := range base.Past().Pods(base.Past().Find(5000), 5000) {
		if name := strings.TrimPrefix(p.Key, "default/"); p.Node == "node-1" {
			pods = append(pods, name)
		} else if p.Node == "node-2" {
			others = append(others, name)
		}
	}
	crash := func(pod string) engine.Command { return engine.Command{At: 5000, Do: "crash pod/" + pod} }
	crashes := runs.Of(t, ten, crash(pods[0]), crash(pods[1]), crash(pods[2]), crash(others[0]))
	scaled := runs.Of(t, ten, engine.Command{At: 5000, Run: "scale deployment/web --replicas=20"}, engine.Command{At: 9000, Run: "scale deployment/web --replicas=4"})
	gone := runs.Of(t, ten, engine.Command{At: 5000, Run: "delete deployment web"})
	recreate := runs.Of(t, texts.World(texts.Quick, "replicas: 2\n  strategy: {type: Recreate}", "image: web:1", "{at: 5s, run: set image deployment/web web=web:2}"))
	for _, tt := range []struct {
		run  *engine.Run
		at   int64
		held bool
		want string
	}{
		{crashes, 4000, true, "Both bounds hold: 10 pods of at most 13 = 10 + 3; 10 available of at least 8 = 10 − 2."},
		{crashes, 5740, false, "7 available, 1 fewer than at least 8: container web of pod " + pods[2] + " crashed (exit code 137). 10 pods of at most 13 = 10 + 3."},
		{crashes, 5900, false, "6 available, 2 fewer than at least 8: container web of pod " + pods[2] + " crashed (exit code 137), and 1 more was lost. 10 pods of at most 13 = 10 + 3."},
		{scaled, 5200, false, "10 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first. 20 pods of at most 25 = 20 + 5."},
		{scaled, 9001, false, "20 pods, 15 more than at most 5: the Deployment was scaled from 20 to 4, and the excess pods have to be deleted first. 20 available of at least 3 = 4 − 1."},
		{gone, 5500, true, "The Deployment was deleted and promises nothing; 10 of its pods are left."},
		{recreate, 5500, true, "0 pods of at most 2 = 2 + 0; Recreate promises nothing: 0 of 2 are available. 2 more terminating: they come on top of the surge (R-25)."},
		{recreate, 9000, true, "2 pods of at most 2 = 2 + 0; Recreate promises nothing: 2 of 2 are available."},
	} {
		if held, line := judge.New(tt.run.Past()).Line(texts.Web, tt.run.Past().Find(tt.at)); held != tt.held || line != tt.want {
			t.Errorf("at %d ms: %t\n got %q\nwant %q", tt.at, held, line, tt.want)
		}
	}
	if held, line := judge.New(gone.Past()).Line("Deployment/default/nobody", 0); !held || line != "The Deployment does not exist yet." {
		t.Errorf("without a Deployment: %t %q", held, line)
	}
}

// checkVerdicts asserts that every verdict has its reason and numbers that the frames have, and that every frame which
// does not keep a bound has its verdict.
func checkVerdicts(t *testing.T, name string, run *engine.Run) {
	t.Helper()
	j := judge.New(run.Past())
	for _, workload := range run.Workloads() {
		verdicts := j.Verdicts(workload)
		for k, v := range verdicts {
			if v.By == "" || v.Text == "" || (v.Rule == "") != (v.Kind == judge.Broken) || v.To < v.From || k > 0 && v.From < verdicts[k-1].From {
				t.Errorf("%s: unexplained: %+v", name, v)
			}
			if !strings.Contains(v.Text, fmt.Sprint(v.Worst)) || !strings.Contains(v.Text, fmt.Sprint(v.Limit)) || !hasFrame(run.Frames(workload), &v) {
				t.Errorf("%s: no frame has the numbers of %+v", name, v)
			}
		}
		for i := range run.Frames(workload) {
			f := &run.Frames(workload)[i]
			held, line := j.Line(workload, f.Record)
			bad := f.Total > f.Upper || f.Available < f.Lower
			if last := i+1 == len(run.Frames(workload)) || run.Frames(workload)[i+1].Record > f.Record; last && bad == held && !strings.Contains(line, "was deleted") {
				t.Errorf("%s at %d ms: %+v is judged %q", name, f.T, *f, line)
			}
		}
	}
}

// hasFrame says whether a frame of a verdict's time has its worst numbers.
func hasFrame(frames []engine.Frame, v *judge.Verdict) bool {
	return slices.ContainsFunc(frames, func(f engine.Frame) bool {
		have := map[string][2]int{"upper": {f.Total, f.Upper}, "lower": {f.Available, f.Lower}, "terminating": {f.Total + f.Terminating, f.Upper}}[v.Bound]
		return f.T >= v.From && f.T <= v.To && have == [2]int{v.Worst, v.Limit}
	})
}

// TestVerdictsAreExplained: in every shipped scenario, in every golden one, and in random ones.
func TestVerdictsAreExplained(t *testing.T) {
	for _, name := range scenarios.Names() {
		checkVerdicts(t, name, runs.Of(t, scenarios.Text(name)))
	}
	files, _ := filepath.Glob("../testdata/*.txtar")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		checkVerdicts(t, name, runs.Golden(t, name))
	}
	known := []string{"A-9", "D-20", "D-21", "D-70", "R-9", "R-25", "H-1", "R-16"}
	random := rand.New(rand.NewSource(1))
	for seed := range uint64(150) {
		data := make([]byte, 8+random.Intn(60))
		random.Read(data)
		text, commands := texts.Fuzz(seed, data)
		text = strings.Replace(text, "spec:\n", "spec:\n  clientConnection: {qps: 0}\n", 1) // else a scale-down may follow a status that is old
		run, _ := engine.Start(engine.Recording{Scenario: text, Commands: commands})
		if run == nil {
			continue // both bounds are 0, which is invalid
		}
		checkVerdicts(t, text, run.Finish())
		for _, v := range judge.New(run.Past()).Verdicts(texts.Web) {
			if v.Kind == judge.Broken || !slices.Contains(known, v.Rule) {
				t.Errorf("nothing is lost in this world, but: %+v\n%s\n%v", v, text, commands)
			}
		}
	}
}

// TestVerdictsGrow: verdicts that have ended during the run are the same at the end.
func TestVerdictsGrow(t *testing.T) {
	text := scenarios.Text("first-rollout")
	const deployment = "Deployment/default/nginx-deployment"
	want := judge.New(runs.Of(t, text).Past()).Verdicts(deployment)
	run, _ := engine.Start(engine.Recording{Scenario: text})
	j := judge.New(run.Past())
	for done := false; !done; {
		done = run.Advance(7)
		for k, v := range j.Verdicts(deployment) {
			if v.To < run.Now() && v != want[k] || v.From != want[k].From || v.Kind != want[k].Kind || v.To > run.Now() {
				t.Fatalf("at %d ms: %+v, want %+v", run.Now(), v, want[k])
			}
		}
	}
	if got := j.Verdicts(deployment); !slices.Equal(got, want) {
		t.Errorf("at the end: %+v", got)
	}
}
