package kubectl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

const logging = crashing + `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      initContainers: [{name: prepare, image: prepare}]
      containers: [{name: www, image: "nginx"}, {name: side, image: "nginx"}]
`

// TestLogs: what a simulated container says, from its state: of this run or the one before, followed, and refused in the words of
// kubectl and the kubelet. The numbers are the virtual ms.
func TestLogs(t *testing.T) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: logging, Commands: []engine.Command{{At: 20_000, Run: "delete pod good --grace-period=5"}}})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	run.Finish()
	p := run.Past()
	for _, c := range []struct {
		at         int64
		line, want string
	}{
		{100, "logs good", `! Error from server (BadRequest): container "main" in pod "good" is waiting to start: ContainerCreating`},
		{100, "logs stuck", "! Error from server (BadRequest): pod stuck does not have a host assigned"},
		{9000, "logs good", "9000 01Z main: starts"},
		{9000, "logs pod/good main --tail=0", ""},
		{9000, "logs good -p", `! Error from server (BadRequest): previous terminated container "main" in pod "good" not found`},
		{9000, "logs -f good", "9000 01Z main: starts|20000 20Z main: gets SIGTERM|21001 21Z main: exits with code 0"},
		{20_500, "logs good", "20500 01Z main: starts|20500 20Z main: gets SIGTERM"},
		{3900, "logs bad", "3900 01Z main: starts|3900 02Z main: exits with code 3"},
		{3900, "logs bad -p", `! Error from server (BadRequest): previous terminated container "main" in pod "bad" not found`},
		{4900, "logs bad", "4900 04Z main: starts"},
		{4900, "logs bad --previous", "4900 01Z main: starts|4900 02Z main: exits with code 3"},
		{4900, "logs bad --previous --tail=1", "4900 02Z main: exits with code 3"},
		{4900, "logs bad -f", "4900 04Z main: starts|5302 05Z main: exits with code 3"},
		{9000, "logs own -f", "9000 01Z main: starts|open"},
		{9000, "logs deploy/web", `! Found 2 pods, using pod/web-7dd4d794fd-95pm8|! Defaulted container "www" out of: www, side, prepare (init)|9000 03Z www: starts`},
		{9000, "logs -l app=web --all-containers | grep -c starts", "9000 6"},
		{9000, "logs -l app=web -c side", "9000 05Z side: starts|9000 04Z side: starts"},
		{9000, "logs -l app=nope", "! No resources found in default namespace."},
		{9000, "logs gone", `! error: error from server (NotFound): pods "gone" not found in namespace "default"`},
		{9000, "logs good -c nix", "! error: container nix is not valid for pod good out of: main"},
		{9000, "logs good a b", "! error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'."},
		{9000, "logs good -l a=b", "! error: only a selector (-l) or a POD name is allowed"},
		{9000, "logs good a -c b", "! error: only one of -c or an inline [CONTAINER] arg is allowed"},
	} {
		if got := logLines(t, p, c.at, c.line); got != c.want && !(strings.HasPrefix(got, c.want) && strings.Contains(got, "See 'kubectl logs -h'")) {
			t.Errorf("%d ms: $ kubectl %s\ngot  %s\nwant %s", c.at, c.line, got, c.want)
		}
	}
}

// logLines returns what kubectl logs prints: the virtual ms, the second that the line gives, and its text; ! for errors.
func logLines(t *testing.T, p *past.Past, at int64, line string) string {
	reading, ok := p.Read(past.Parse(line), p.Find(at), at)
	if !ok {
		t.Fatalf("%s does not read", line)
	}
	var lines []string
	for _, l := range reading.Lines {
		if l.Stderr {
			lines = append(lines, "! "+l.Text)
			continue
		}
		text, simulated := strings.CutPrefix(strings.Replace(l.Text, "[simulated] ", "", 1), "2026-01-01T00:00:")
		if simulated != strings.Contains(l.Text, "[simulated] ") {
			t.Errorf("$ kubectl %s prints a line without a mark: %s", line, l.Text)
		}
		lines = append(lines, fmt.Sprint(l.T, " ", text))
	}
	if reading.Open {
		lines = append(lines, "open")
	}
	return strings.Join(lines, "|")
}

const manyLogs = `
apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: logs}
spec:
  seed: 7
  nodes: {count: 2}
  images:
  - {match: "none", pull: fails}
  - {match: "*", pull: 500ms, start: 500ms, stop: 1s}
---
apiVersion: v1
kind: Pod
metadata: {name: pull}
spec: {containers: [{name: main, image: none}]}
---
apiVersion: v1
kind: Pod
metadata: {name: early, namespace: other, labels: {app: web}}
spec: {containers: [{name: main, image: nginx}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      initContainers: [{name: prepare, image: prepare}]
      containers: [{name: www, image: nginx}]
`

// TestLogsChoose: which pods and containers the lines are about, and what keeps them from saying anything.
func TestLogsChoose(t *testing.T) {
	again := "apply -f - <<EOF\napiVersion: v1\nkind: Pod\nmetadata: {name: pull}\nspec: {containers: [{name: main, image: nginx}]}\nEOF"
	run, diagnostics := engine.Start(engine.Recording{Scenario: manyLogs, Commands: []engine.Command{
		{At: 10_000, Run: "scale deploy/web --replicas=6"}, {At: 20_000, Run: "delete pod pull --now"}, {At: 25_000, Run: again},
		{At: 35_000, Run: "delete pod pull"}, {At: 45_000, Run: again},
		{At: 55_000, Run: "delete pod pull --force --grace-period=0"}}})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	run.Finish()
	p := run.Past()
	for _, c := range []struct {
		at         int64
		line, want string
	}{
		{2900, "logs pull", `! Error from server (BadRequest): container "main" in pod "pull" is waiting to start: image can't be pulled`},
		{18_000, "logs pull", `! Error from server (BadRequest): container "main" in pod "pull" is waiting to start: trying and failing to pull image`},
		{51_000, "logs -f pull", "51000 45Z main: starts|55000 55Z main: stops"},
		{30_000, "logs -f pull", "30000 25Z main: starts|35000 35Z main: gets SIGTERM|36001 36Z main: exits with code 0"},
		{9000, "logs -l app=web -c www -f | wc -l", "open"},
		{9000, "logs -l app=web -c www | wc -l", "9000 5"},
		{15_000, "logs -l app=web -c www | wc -l", "15000 6"},
		{15_000, "logs -f -l app=web", "! error: you are attempting to follow 6 log streams, but maximum allowed concurrency is 5, " +
			"use --max-log-requests to increase the limit"},
		{15_000, "logs -l app=web -c prepare | grep -c exits", "15000 6"},
	} {
		if got := logLines(t, p, c.at, c.line); got != c.want {
			t.Errorf("%d ms: $ kubectl %s\ngot  %s\nwant %s", c.at, c.line, got, c.want)
		}
	}
	// The pod that has been ready for longest is used, of this namespace only.
	if got := logLines(t, p, 15_000, "logs deploy/web"); !strings.Contains(got, "Found 6 pods") || !strings.Contains(got, "03Z www: starts") {
		t.Error(got)
	}
}
