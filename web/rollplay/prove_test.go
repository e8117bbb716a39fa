package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
)

const proved = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`

// TestPromises: what a strategy does not promise is not said to hold.
func TestPromises(t *testing.T) {
	const available, none = "at least desired - maxUnavailable pods are available, ", "no pod has to be available, as the strategy promises none, "
	for spec, want := range map[string]string{
		"replicas: 2": available + "at most desired + maxSurge pods exist",
		"replicas: 2\n  strategy: {type: Recreate}":                                     none + "at most the desired pods exist",
		"replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 100%}}": none + "at most the desired pods exist",
	} {
		if _, out, stderr := command(strings.Replace(proved, "replicas: 6", spec, 1), "prove", "-"); !strings.Contains(out, "What holds or not: "+want) {
			t.Errorf("%s: %s%s\nwant %s", spec, out, stderr, want)
		}
	}
}

// TestPaused: a Deployment that is paused is there, and says that it is paused.
func TestPaused(t *testing.T) {
	paused := strings.Replace(proved, "replicas: 6", "paused: true", 1)
	const says = "The Deployment was created paused: it has no ReplicaSet, and no pods."
	for name, code := range map[string]int{"prove": 2, "capacity": 1} {
		if got, out, stderr := command(paused, name, "-"); got != code || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d, %s%s", name, got, out, stderr)
		}
	}
	if _, out, _ := command(paused, "sweep", "-", "-x", "maxSurge=1", "-y", "maxUnavailable=0"); !strings.Contains(out, "stalls [1]") || !strings.Contains(out, says) {
		t.Error(out)
	}
}

// TestAssumedNodes: that pods find no room on nodes that nobody has described is no counterexample.
func TestAssumedNodes(t *testing.T) {
	const says = "It depends on the 3 nodes, which are assumed; nodes: in a document of kind: Scenario describes yours.\n"
	text := strings.NewReplacer("replicas: 6", "replicas: 3", `"web:1"`, `"web:1", ports: [{containerPort: 80, hostPort: 80}]`).Replace(proved)
	described := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {nodes: {count: 3}}\n---\n" + text
	for _, tt := range []struct {
		text, args string
		code       int
		says       bool
	}{
		{text, "prove -", 3, true}, {described, "prove -", 1, false}, {text, "prove - -max-pods 3", 1, false},
		{text, "sweep - -x maxSurge=1 -y maxUnavailable=0", 0, true}, {described, "sweep - -x maxSurge=1 -y maxUnavailable=0", 0, false},
		{text, "forecast - -seeds 2", 0, true}, {described, "forecast - -seeds 2", 0, false},
	} {
		code, out, stderr := command(tt.text, strings.Fields(tt.args)...)
		if code != tt.code || strings.Contains(out+stderr, says) != tt.says {
			t.Errorf("%s: exit %d, %s%s", tt.args, code, out, stderr)
		}
	}
}

// TestOverdue: an update that finishes after its progress deadline says so.
func TestOverdue(t *testing.T) {
	slow := strings.NewReplacer("replicas: 6", "replicas: 3\n  progressDeadlineSeconds: 20", `"web:1"`,
		`"web:1", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 40}`).Replace(proved)
	for args, says := range map[string]string{
		"forecast -":                          "complete, after its deadline",
		"forecast - -seeds 2":                 "2 of them complete, 2 of these after the progress deadline, so that kubectl rollout status fails",
		"sweep - -x maxSurge=1 -y replicas=3": "! it exceeds its progress deadline before it finishes",
	} {
		if code, out, stderr := command(slow, strings.Fields(args)...); code != 0 || !strings.Contains(out, says) {
			t.Errorf("%s: exit %d, %s%s", args, code, out, stderr)
		}
	}
}

// TestProve: the exit codes and texts of the command; the link of a counterexample opens the run in which it happens.
func TestProve(t *testing.T) {
	for _, tt := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"", 0, "deployment/web: holds for all 162 schedules (", ""},
		{"-crash", 0, "deployment/web: holds for all 12,474 schedules (", ""},
		{"", 0, "a run ends after 30 minutes, or after 24 h if the update still moves", ""},
		{"-max 10", 3, "deployment/web: holds for the first 2 steps of every schedule (8 runs); there are more", ""},
		{"-min-available 6", 1, "a counterexample of 0 steps", ""},
		{"-max 0", 2, "", "-max is at least 1"},
		{"-of nothing", 2, "", "there is no workload"},
		{"-o svg", 2, "", "Usage:"},
	} {
		code, stdout, stderr := command(proved, append([]string{"prove", "-"}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: exit %d, want %d\n%s%.600s", tt.args, code, tt.code, stdout, stderr)
		}
	}
	code, stdout, stderr := command(proved, "prove", "-", "-crash", "-min-available", "5", "-o", "json", "-base", "https://example.org/")
	var line proofLine
	if err := json.Unmarshal([]byte(stdout), &line); err != nil || code != 1 || line.Holds || line.Counterexample == nil {
		t.Fatalf("exit %d, %v: %s%s", code, err, stdout, stderr)
	}
	l, err := link.Decode(link.Fragment(line.Counterexample.Link), func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	r, _ := engine.Start(l.Recording)
	frames := r.Finish().Frames("Deployment/default/web")
	for i := range frames {
		if frames[i].T == line.Counterexample.At && frames[i].Available < 5 {
			return
		}
	}
	t.Errorf("the run of the link does not go below 5 at %d ms: %+v", line.Counterexample.At, line.Counterexample)
}
