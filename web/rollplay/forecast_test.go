package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/scenarios"
)

// TestForecastTable: a person reads the figures of each rollout, and what an unfinished one waits for.
func TestForecastTable(t *testing.T) {
	code, out, stderr := command("", "forecast", "first-rollout")
	want := "deployment/nginx-deployment   10.0s   template   complete   5.5s   8 of 10 (80%)   -        5.5s            18          -          -             27.3          0.0053       10        0"
	if code != 0 || stderr != "" || !strings.Contains(out, want) {
		t.Errorf("exit %d, %s\n%s\nwant %s", code, stderr, out, want)
	}
	if _, out, _ = command("", "forecast", "bad-image"); !strings.Contains(out, "not finished.\n  ") && !strings.Contains(out, "superseded") {
		t.Errorf("bad-image:\n%s", out)
	}
	if _, out, _ = command("", "forecast", "ds-on-delete"); !strings.Contains(out, "daemonset/agent, from 10.0s: not finished.\n  ") {
		t.Errorf("ds-on-delete:\n%s", out)
	}
}

// TestForecastOfACreation: the objects of a chart that are not simulated share one line, and no verdict on requests is given before there
// is an update.
func TestForecastOfACreation(t *testing.T) {
	text := texts.Deployment("", "image: web:1")
	for _, object := range []string{"v1 ConfigMap a", "v1 ConfigMap b", "v1 Service web", "example.com/v1 Widget a"} {
		x := strings.Fields(object)
		text += fmt.Sprintf("\n---\napiVersion: %s\nkind: %s\nmetadata: {name: %s}\n%s", x[0], x[1], x[2],
			map[bool]string{true: "spec: {selector: {app: web}, ports: [{port: 80}]}\n"}[x[1] == "Service"])
	}
	_, out, stderr := command(text, "forecast", "-")
	if want := "-: warning: not simulated, and without effect here: 2 ConfigMap, 1 Widget\n"; stderr != want {
		t.Errorf("got %q, want %q", stderr, want)
	}
	if strings.Contains(out, "notice") || !strings.Contains(out, "This is the creation of the workloads: the text rolls out nothing afterwards.") || !strings.Contains(out, "0 of 9,798") {
		t.Error(out)
	}
}

// TestChoosesAWorkload: a command about one rollout says which one it took, and how to choose another, unless that is clear.
func TestChoosesAWorkload(t *testing.T) {
	one := texts.Deployment("", "image: web:1")
	two := one + "\n" + strings.ReplaceAll(one, "web", "shop")
	for args, want := range map[string]string{
		"capacity -":                      "-: this is about deployment/web; choose another with --of: \"deployment/shop\"\n",
		"forecast --seeds 1 -":            "-: this is about deployment/web; choose another with --of: \"deployment/shop\"\n",
		"capacity --of deployment/shop -": "",
	} {
		if _, out, stderr := command(two, strings.Fields(args)...); stderr != want || out == "" {
			t.Errorf("%s: got %q, want %q\n%s", args, stderr, want, out)
		}
	}
	if _, _, stderr := command(one, "capacity", "-"); stderr != "" {
		t.Errorf("of one workload: %s", stderr)
	}
	apart := strings.Replace(one, "name: web", "namespace: a, name: web", 1) + "\n" + strings.Replace(one, "name: web", "namespace: b, name: web", 1)
	want := `-: this is about deployment/web -n a; choose another with --of: "deployment/web -n b"` + "\n"
	if _, out, stderr := command(apart, "capacity", "-"); stderr != want {
		t.Errorf("in two namespaces: got %q, want %q\n%s", stderr, want, out)
	}
	for _, of := range []string{"deployment/web -n b", "web -n b", "Deployment/b/web"} {
		if _, out, stderr := command(apart, "capacity", "--of", of, "-"); !strings.HasPrefix(out, "deployment/web -n b, ") || stderr != "" {
			t.Errorf("%s: %s%s", of, out, stderr)
		}
	}
}

// TestForecastRequests: with a Service the forecast ends with its requests, and says whether they are in the scenario or assumed.
func TestForecastRequests(t *testing.T) {
	text := scenarios.Text("stops-too-early")
	at := strings.Index(text, "  traffic:")
	for word, of := range map[string]string{"Model: ": text, "Assumed: ": text[:at] + text[strings.Index(text, "  timeline:"):]} {
		want := "default/web: About 762 of 46,160 requests fail within 8 s: pods stop before the proxies know.\nmodel: 45,398 served"
		if code, out, stderr := command(of, "forecast", "-"); code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "\n"+word+"1,000 requests/s of 0.1 s") {
			t.Errorf("exit %d, %s\n%s\nwant %s", code, stderr, out, want)
		}
	}
	// What is assumed is said once for Services alike, and by name for others.
	end := strings.Index(text, "  timeline:")
	other := text[end:] + "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	for rate, models := range map[int]int{10: 1, 20: 2} {
		of := text[:at] + fmt.Sprintf("  traffic: [{service: web, rate: 10}, {service: other, rate: %d}]\n", rate) + other
		_, out, _ := command(of, "forecast", "-")
		if strings.Count(out, "preStop ≥ 3 s") != models || strings.Contains(out, "default/other:\n") != (models > 1) || !strings.Contains(out, "default/other: About") {
			t.Errorf("want %d models, got\n%s", models, out)
		}
	}
	_, out, _ := command("", "forecast", "--seeds", "10", "stops-too-early")
	if !strings.Contains(out, "FAILED REQUESTS") || !regexp.MustCompile(`complete\nModel: 1,000 requests/s.*\n\n(.*\n)*\nThe worst is seed .*, [\d,]+ of [\d,]+ requests fail\.`).MatchString(out) {
		t.Errorf("the seeds say nothing of requests:\n%s", out)
	}
	_, out, _ = command("", "forecast", "-o", "json", "stops-too-early")
	_, table, _ := command("", "forecast", "stops-too-early")
	var card export.Scorecard
	if err := json.Unmarshal([]byte(strings.Split(out, "\n")[1]), &card); err != nil || card.Requests.Failed == 0 || !strings.Contains(table, "  "+card.Requests.Text()+"\n") {
		t.Errorf("%v, %+v in\n%s", err, card.Requests, table)
	}
	for _, args := range [][]string{{"forecast", "first-rollout"}, {"forecast", "-o", "json", "first-rollout"}, {"forecast", "--seeds", "2", "first-rollout"}} {
		if _, out, _ := command("", args...); strings.Contains(strings.ToLower(out), "requests") {
			t.Errorf("without a Service %v says\n%s", args, out)
		}
	}
	if code, _, stderr := command("", "run", "--requests", "first-rollout"); code == 0 || !strings.Contains(stderr, "add a Service") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestForecastJSON: forecast -o json prints the last lines of run -o json, whose other lines stay what they were.
func TestForecastJSON(t *testing.T) {
	_, trace, _ := command("", "run", "-o", "json", "first-rollout")
	code, cards, stderr := command("", "forecast", "-o", "json", "first-rollout")
	if code != 0 || stderr != "" || !strings.HasSuffix(trace, "}\n"+cards) || strings.Count(cards, "\n") != 2 {
		t.Fatalf("exit %d, %s\n%s", code, stderr, cards)
	}
	if strings.Contains(strings.TrimSuffix(trace, cards), `"kind":"rollout"`) {
		t.Error("a scorecard is among the records")
	}
	var card map[string]any
	if err := json.Unmarshal([]byte(strings.Split(cards, "\n")[1]), &card); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"kind": "rollout", "workload": "Deployment/default/nginx-deployment", "start": 10000.0, "end": 15522.0,
		"duration": 5522.0, "cause": "template", "by": "kubectl", "result": "complete", "deadline": -1.0, "lowest": 8.0, "lowestOf": 10.0,
		"lowestPercent": 80.0, "belowDesired": 5520.0, "belowBound": 0.0, "atZero": 0.0, "peakPods": 18.0, "peakCPU": 0.0, "peakMemory": 0.0,
		"extraPodMs": 27309.0, "nodeMs": 18954.0, "created": 10.0, "refused": 0.0, "command": "kubectl set image deployment/nginx-deployment nginx=nginx:1.19.1"} {
		if card[name] != want {
			t.Errorf("%s is %v, want %v", name, card[name], want)
		}
	}
}

func TestForecastUsage(t *testing.T) {
	for _, args := range [][]string{{"forecast"}, {"forecast", "-o", "xml", "recreate"}} {
		if code, _, _ := command("", args...); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
	if code, _, stderr := command("kind: [", "forecast", "-"); code != 2 || !strings.Contains(stderr, "cannot be played") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestForecastSeeds: the same seeds give the same numbers however many workers there are, and the link is that of the worst seed.
func TestForecastSeeds(t *testing.T) {
	code, out, stderr := command("", "forecast", "-seeds", "30", "first-rollout")
	if code != 0 || stderr != "" || !strings.Contains(out, "30 seeds from 1, 30 of them complete") {
		t.Fatalf("exit %d, %s\n%s", code, stderr, out)
	}
	for _, row := range []string{"LOWEST      80%", "EXTRA POD-S     21.8", "NODE-HOURS   0.0038"} { // with the units of their headings
		if !strings.Contains(out, row) {
			t.Errorf("no %q in\n%s", row, out)
		}
	}
	if _, again, _ := command("", "forecast", "-seeds", "30", "first-rollout"); again != out {
		t.Errorf("it differs the second time:\n%s", again)
	}
	_, text, _ := command("", "forecast", "-seeds", "30", "-o", "json", "first-rollout")
	var line seedsLine
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		t.Fatal(err)
	}
	_, cards, _ := command("", "forecast", "-o", "json", line.Worst.Link)
	var card export.Scorecard
	if err := json.Unmarshal([]byte(strings.Split(cards, "\n")[1]), &card); err != nil {
		t.Fatal(err)
	}
	if d := line.Figures["duration"]; card.Rollout.Figures != line.Worst.Rollout.Figures || card.Duration != d.Max || d.P50 >= d.P95 {
		t.Errorf("the link gives %+v, the worst seed %+v, durations %+v", card, line.Worst, d)
	}
	_, out, _ = command("", "forecast", "-seeds", "3", "ds-on-delete")
	for _, row := range []string{"TOOK     -     -", "LOWEST   66%   66%   75%", "PEAK PODS     4     4", "CREATED     -", "The worst is seed 1: unfinished, lowest 2 of 3 (66%), "} {
		if !strings.Contains(out, row) {
			t.Errorf("no %q in\n%s", row, out)
		}
	}
	_, text, _ = command("", "forecast", "-seeds", "3", "-o", "json", "ds-on-delete")
	if !strings.Contains(text, `"duration":null`) || !strings.Contains(text, `"peakPods":{"Min":4,`) {
		t.Error(text)
	}
	if code, _, _ := command("", "forecast", "-seeds", "-1", "first-rollout"); code != 2 {
		t.Errorf("exit %d", code)
	}
}

// TestRequestsAfterTheLastPod: a load balancer sends to a pod for 10 s after it has ended, when nothing else happens any more. The sentence
// counts those requests as the table does.
func TestRequestsAfterTheLastPod(t *testing.T) {
	const text = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  traffic: [{service: web, rate: 1000, via: load-balancer, onTerm: drain}]
  timeline: [{at: 60s, run: kubectl set image deployment/web web=web:2}]
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
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}, lifecycle: {preStop: {sleep: {seconds: 5}}}}]}
`
	_, out, stderr := command(text, "forecast", "-")
	if failed := regexp.MustCompile(`template .* ([\d,]+) of [\d,]+\n`).FindStringSubmatch(out); failed == nil || !strings.Contains(out, ": About "+failed[1]+" of ") {
		t.Errorf("%s%s", out, stderr)
	}
	none := strings.Replace(text, "ports: [{port: 80}]", "ports: [{port: 80, targetPort: none}]", 1)
	if _, out, _ := command(none, "run", "-", "--requests"); !strings.HasPrefix(out, "default/web: It never has an endpoint, so no requests are counted.\n") {
		t.Errorf("without an endpoint: %s", out)
	}
}
