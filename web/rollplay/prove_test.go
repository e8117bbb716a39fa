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
