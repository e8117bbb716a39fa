package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// probed is two pods with a readiness probe, ready within three seconds.
const probed = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 60s
  images: [{match: "*", pull: 500ms, start: 500ms, stop: 1s}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web:1
        readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 1, periodSeconds: 1, failureThreshold: 2}
`

// firstPod returns the name of the first pod at a moment.
func firstPod(t *testing.T, run *Run, at int64) string {
	t.Helper()
	pods := run.Past().Pods(run.Past().Find(at), at)
	if len(pods) == 0 {
		t.Fatalf("no pod at %d ms", at)
	}
	return strings.TrimPrefix(pods[0].Key, "default/")
}

// answerAt returns the record of the first command at a moment.
func answerAt(t *testing.T, run *Run, at int64) Record {
	t.Helper()
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == Input && r.T == at && r.Command != "kubectl apply -f scenario.yaml" {
			return r
		}
	}
	t.Fatalf("no command at %d ms", at)
	return Record{}
}

// stateAt returns the state of a pod at a moment.
func stateAt(t *testing.T, run *Run, name string, at int64) past.PodTile {
	t.Helper()
	for _, p := range run.Past().Pods(run.Past().Find(at), at) {
		if p.Key == "default/"+name {
			return p
		}
	}
	t.Fatalf("no pod %s at %d ms", name, at)
	return past.PodTile{}
}

// TestCrash is G-10 and G-13 by hand: the first container exits, is restarted when its node notices (G-14), and after its second crash
// waits.
func TestCrash(t *testing.T) {
	name := firstPod(t, mustRun(t, probed), 9000)
	run := mustRun(t, probed, Command{At: 10_000, Do: "crash pod/" + name}, Command{At: 15_000, Do: "# crash pods " + name + " -n default"})
	if got := answerAt(t, run, 15_000); got.Actor != scenario.Environment || got.Command != "# crash pods "+name+" -n default" || got.What != "pod/"+name+" crashed" || got.Failed || got.Object != "" {
		t.Errorf("the record is %+v", got)
	}
	for _, want := range []struct {
		at       int64
		state    past.PodState
		restarts int
	}{{9_999, past.PodAvailable, 0}, {10_736, past.PodAvailable, 0}, {10_738, past.PodCrashLoop, 0}, {11_200, past.PodCrashLoop, 0}, {11_300, past.PodRunning, 1}, {13_500, past.PodAvailable, 1}, {15_738, past.PodCrashLoop, 1}, {20_000, past.PodCrashLoop, 1}, {30_000, past.PodAvailable, 2}} {
		if got := stateAt(t, run, name, want.at); got.State != want.state || got.Restarts != want.restarts {
			t.Errorf("at %d ms: %s with %d restarts, want %s with %d", want.at, got.State, got.Restarts, want.state, want.restarts)
		}
	}
	if crash := run.Past().Find(10_738); run.Past().Cause(crash) < 0 || run.Record(run.Past().Cause(crash)).Actor != scenario.Environment {
		t.Errorf("the cause of %q is record %d, want the command", run.Record(crash).What, run.Past().Cause(crash))
	}
}

// TestReadinessVerbs is G-25: a probe has to fail failureThreshold times before the pod is not ready, and answers again
// when it is restored.
func TestReadinessVerbs(t *testing.T) {
	name := firstPod(t, mustRun(t, probed), 9000)
	run := mustRun(t, probed, Command{At: 10_000, Do: "fail-readiness pod/" + name}, Command{At: 20_000, Do: "restore-readiness po/" + name})
	for at, want := range map[int64]past.PodState{10_000: past.PodAvailable, 12_500: past.PodRunning, 20_000: past.PodRunning, 21_500: past.PodAvailable} {
		if got := stateAt(t, run, name, at); got.State != want {
			t.Errorf("at %d ms: %s, want %s", at, got.State, want)
		}
	}
}

// TestDoRefusals: a line that can't be carried out returns an error and changes nothing.
func TestDoRefusals(t *testing.T) {
	name := firstPod(t, mustRun(t, probed), 9000)
	plain := scenarios.Text("published-2-delete")
	unprobed := firstPod(t, mustRun(t, plain), 5_000)
	for _, tt := range []struct{ text, line, want string }{
		{probed, "#", "a verb is missing; for example: crash pod/web-x"},
		{probed, "reboot node/a", `the environment knows no "reboot"; it knows crash, fail-readiness, restore-readiness, kill, restore, add, remove`},
		{probed, "crash", "crash needs the name of a pod, for example pod/web-x"},
		{probed, "crash pod/", "crash needs the name of a pod, for example pod/web-x"},
		{probed, "crash deployment/web", "crash is for a pod, not for a deployment"},
		{probed, "crash pod a b", "crash is for one pod"},
		{probed, "crash pod/a --now", "unknown flag: --now"},
		{probed, "crash pod/a -n", "flag needs an argument: -n"},
		{probed, "crash pod/nobody", `pod "nobody" not found`},
		{probed, "crash pod/" + name + " --namespace=shop", fmt.Sprintf("pod %q not found", name)},
		{plain, "fail-readiness pod/" + unprobed, fmt.Sprintf("pod %q has no readiness probe that could fail; give a container of its template a readinessProbe", unprobed)},
	} {
		before, after := mustRun(t, tt.text), mustRun(t, tt.text, Command{At: 5_000, Do: tt.line})
		if got := answerAt(t, after, 5_000); !got.Failed || got.What != "error: "+tt.want || got.Actor != scenario.Environment {
			t.Errorf("%q: %+v, want %s", tt.line, got, tt.want)
		}
		if len(after.world.server.Store.Log) != len(before.world.server.Store.Log) {
			t.Errorf("%q changes something", tt.line)
		}
	}
}

// TestCrashWhatDoesNotRun: a pod that is pending, starting or terminating can't crash.
func TestCrashWhatDoesNotRun(t *testing.T) {
	base := mustRun(t, probed, Command{At: 20_000, Run: "scale deployment/web --replicas=0"})
	name := firstPod(t, base, 9000)
	for at, want := range map[int64]string{3: fmt.Sprintf("pod %q does not run on any node", name), 300: fmt.Sprintf("container \"web\" of pod %q is not running", name),
		20_500: fmt.Sprintf("pod %q is being deleted", name)} {
		commands := append([]Command{{At: at, Do: "crash pod/" + name}}, base.Recording().Commands...)
		got := false
		run := mustRun(t, probed, commands...)
		for i := range run.Len() {
			r := run.Record(i)
			got = got || r.Actor == scenario.Environment && r.Failed && r.What == "error: "+want
		}
		if !got {
			t.Errorf("at %d ms there is no answer %q", at, want)
		}
	}
}

// TestDoInATimeline: a scenario may contain actions of the environment, and the same text gives the same bytes.
func TestDoInATimeline(t *testing.T) {
	name := firstPod(t, mustRun(t, probed), 9000)
	text := strings.Replace(probed, "  duration: 60s\n", "  duration: 60s\n  timeline:\n  - {at: 10s, do: crash pod/"+name+"}\n  - {at: 11s, do: fail-readiness pod/"+name+"}\n", 1)
	first, second := traceOf(t, mustRun(t, text)), traceOf(t, mustRun(t, text))
	if !bytes.Equal(first, second) {
		t.Error("two runs differ")
	}
	if want := "$ # crash pod/" + name + "\n          pod/" + name + " crashed"; !strings.Contains(string(first), want) {
		t.Errorf("the trace has no %q", want)
	}
	command := mustRun(t, probed, Command{At: 10_000, Do: "crash pod/" + name}, Command{At: 11_000, Do: "fail-readiness pod/" + name})
	if !bytes.Equal(first, traceOf(t, command)) {
		t.Error("the person's commands give another trace than the scenario's")
	}
}

// FuzzDo gives the environment any line: it fails with a reason or succeeds, and the run continues to its end.
func FuzzDo(f *testing.F) {
	run, _ := Start(Recording{Scenario: probed})
	name := strings.TrimPrefix(run.Finish().Past().Pods(run.Len()-1, 0)[0].Key, "default/")
	for _, line := range []string{"", "#", "crash", "crash pod/" + name, "fail-readiness pod " + name, "restore-readiness po/" + name + " -n default",
		"-n", "crash -n= pod//", "crash pod/a/b", "crash pod\x00/" + name, "# # crash", "kubectl crash pod/x", "kill node/node-1", "kill no node-2 -n x", "restore node/node-1", "add node/a cpu=1 zone=b",
		"add node/a cpu=", "add node/A", "remove node/node-3", "crash pod/x cpu=1", "crash\tpod/\n" + name, "--namespace"} {
		f.Add(line, int64(10_000))
	}
	f.Add("crash pod/"+name, int64(0))
	f.Fuzz(func(t *testing.T, line string, at int64) {
		if d, err := scenario.ParseDeed(line); err == nil && (deeds[d.Verb].do == nil || d.Key.Kind == "" || d.Key.Name == "") {
			t.Errorf("%q is read as %+v", line, d)
		}
		if scenario.DeedLine(line) == "" {
			return // no command at all
		}
		at = max(0, min(at, 60_000))
		if got := answerAt(t, mustRun(t, probed, Command{At: at, Do: line}), at); got.What == "" || got.Failed != strings.HasPrefix(got.What, "error: ") {
			t.Errorf("%q is answered with %+v", line, got)
		}
	})
}
