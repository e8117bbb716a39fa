package traffic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

const text = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: %d
  duration: 60s
  images: [{match: "*", pull: 1s, ready: 2s, stop: %s}]
  traffic: [{service: web, %s}]
  timeline: [{at: 20s, run: "kubectl set image deployment/web web=web:2"}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: %d
      containers:
      - name: web
        image: web:1%s
`

const probe = "\n        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}"

func preStop(seconds int64) string {
	return fmt.Sprintf("\n        lifecycle: {preStop: {sleep: {seconds: %d}}}", seconds)
}

func report(t testing.TB, text string) traffic.Report {
	t.Helper()
	p := enginetest.Start(t, text).Result().Past()
	return traffic.Of(p, p.Scenario().Traffic[0])
}

// TestSecondContainer: the app is in the first container of the spec, which need not be the first one of the status. Another container crashes, so
// the app never ends by itself.
func TestSecondContainer(t *testing.T) {
	second := preStop(5) + "\n      - name: agent\n        image: crash:1"
	of := fmt.Sprintf(text, 1, "1s", "rate: 1000, onTerm: drain", 3, 30, second)
	r := report(t, strings.Replace(of, "images: [", `images: [{match: "crash:1", crash: 12s}, `, 1))
	if r.Total[traffic.Served] == 0 || r.Total[traffic.Down]+r.Total[traffic.Crashed] > 0 {
		t.Errorf("%v", r.Total)
	}
}

// TestStartupProbe: a container that is ready has answered its startup probe, so it listens.
func TestStartupProbe(t *testing.T) {
	of := fmt.Sprintf(text, 1, "1s", "rate: 1000, onTerm: drain", 10, 30, "\n        startupProbe: {httpGet: {port: 8080}, periodSeconds: 1}"+preStop(5))
	r := report(t, strings.Replace(of, "ready: 2s", "ready: 1s..6s", 1))
	if got := r.Verdict(0, r.Until); got != "Your users won't notice." {
		t.Error(got)
	}
}

// TestWhoseHook: the hook of the container that answers is what delays the end of the app. Sidecars stop after the other containers.
func TestWhoseHook(t *testing.T) {
	const port = "\n        ports: [{name: http, containerPort: 8080}]"
	second := func(container string) string { return "\n      - name: second\n        image: second:1" + container }
	sidecar := func(container string) string {
		return "      initContainers:\n      - name: side\n        image: side:1\n        restartPolicy: Always" + container + "\n      containers:\n"
	}
	for _, tt := range []struct {
		name, onTerm, init, first string
		served                    bool
	}{
		{"its own", "stop", "", probe + port + preStop(5), true},
		{"of a proxy beside it", "stop", "", probe + port + second(preStop(15)), false},
		{"of a proxy beside it, and it drains", "drain", "", probe + port + second(preStop(15)), false},
		{"of a proxy beside it, and it goes on", "ignore", "", probe + port + second(preStop(15)), false},
		{"of the second container, which answers", "stop", "", second(probe + port + preStop(5)), true},
		{"of the first, which does not answer", "stop", "", preStop(15) + second(probe+port), false},
		{"of the first, as no port is declared", "stop", "", probe + preStop(5) + second(""), true},
		{"of a sidecar that answers", "stop", sidecar(probe + port + preStop(5)), "", true},
		{"of the container that a sidecar waits for", "stop", sidecar(probe + port), preStop(5), true},
		{"of a sidecar beside it", "stop", sidecar(preStop(15)), probe + port, false},
	} {
		of := fmt.Sprintf(text, 1, "1s", "rate: 1000, onTerm: "+tt.onTerm, 3, 30, tt.first)
		r := report(t, strings.Replace(of, "      containers:\n", tt.init+map[bool]string{true: "      containers:\n"}[tt.init == ""], 1))
		if served := r.Total.Failed() == 0; served != tt.served || r.Total[traffic.Crashed]+r.Total[traffic.Down] > 0 || r.Total[traffic.Served] < 30_000 {
			t.Errorf("the hook %s: %s %v", tt.name, r.Verdict(0, r.Until), r.Total)
		}
	}
}

// TestVerdicts: a rollout of ten pods with its usual mistakes, and without them.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct{ name, traffic, container, want string }{
		{"stops too early", "rate: 1000", probe, "pods stop before the proxies know."},
		{"is ready too early", "rate: 1000, onTerm: drain", preStop(5), "pods are ready before they listen."},
		{"long requests", "rate: 1000, takes: 8s, onTerm: drain, drain: 1s", probe + preStop(4), "requests in flight."},
		{"waits", "rate: 1000, onTerm: drain", probe + preStop(5), "Your users won't notice."},
		{"goes on", "rate: 1000, onTerm: ignore", probe, "About 35 of 56,394 requests fail within 1 s: pods stop before the proxies know."},
		{"tries again", "rate: 1000, via: ingress-nginx, onTerm: drain", probe, "are tried again"},
		{"behind a load balancer", "rate: 1000, via: load-balancer, onTerm: drain", probe + preStop(5), "pods stop before the proxies know."},
	} {
		r := report(t, fmt.Sprintf(text, 1, "1s", tt.traffic, 10, 30, tt.container))
		if got := r.Verdict(0, r.Until); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		t.Logf("%s: %v %s", tt.name, r.Total, r.Verdict(0, r.Until))
	}
	r := report(t, fmt.Sprintf(text, 1, "1s", "rate: 1000", 10, 0, probe))
	if got := r.Verdict(0, r.Until); !strings.HasSuffix(got, ": pods have a grace period of 0, so they are removed at once.") || !strings.HasPrefix(r.Helps(traffic.Removed, nil), "preStop ≥ 3 s") {
		t.Errorf("without a grace period: %s %s", got, r.Helps(traffic.Removed, nil))
	}
	r = report(t, fmt.Sprintf(text, 1, "1s", "rate: 10, takes: 15s, delay: 3900ms", 2, 30, probe))
	if n, _, sum := r.PreStop(); n != 21 || sum != "preStop ≥ 21 s = 1 s (slice) + 1 s (proxy) + 4 s (kube-proxy) + 15 s (longest request); grace ≥ 21 s" {
		t.Errorf("%d: %s", n, sum)
	}
	r.Of.OnTerm, r.Drains = scenario.Drains, r.Of.Takes.Max
	if n, grace, sum := r.PreStop(); n != 6 || grace != 21 || sum != "preStop ≥ 6 s = 1 s (slice) + 1 s (proxy) + 4 s (kube-proxy); grace ≥ 21 s = 6 s + 15 s (longest request)" {
		t.Errorf("%d, %d: %s", n, grace, sum)
	}
}

// check compares the sums of a report; rate is 0 for users, of whom each has one request at a time.
func check(t *testing.T, k int, r *traffic.Report, rate int64) {
	t.Helper()
	var sum traffic.Counts
	for i, part := range r.Intervals {
		serve := 0.0
		for _, n := range part.Mix {
			serve += n
		}
		if serve == 0 && part.Slow() > 0 {
			t.Fatalf("%d: no pod serves the second try: %v", k, part)
		}
		if i > 0 && part.From != r.Intervals[i-1].To {
			t.Fatalf("%d: a gap before %d ms", k, part.From)
		}
		for o, n := range part.Counts {
			if n < 0 {
				t.Fatalf("%d: %v", k, part)
			}
			sum[o] += n
		}
		if n, want := part.All(), (part.To-part.From)*rate; rate > 0 && 1000*n < want-1000 || rate > 0 && 1000*n > want+1000 {
			t.Fatalf("%d: %d requests from %d to %d ms", k, n, part.From, part.To)
		}
	}
	if sum != r.Total {
		t.Fatalf("%d: the parts have %v, the whole %v", k, sum, r.Total)
	}
	for _, l := range r.Losses {
		if sum[l.Outcome] -= l.Requests; l.Requests <= 0 || l.Outcome == traffic.Served || l.From >= l.To || (l.Pod == "") != (l.Outcome == traffic.NoEndpoint || l.Outcome >= traffic.NoTarget) {
			t.Fatalf("%d: %+v", k, l)
		}
	}
	if sum[traffic.Served] = 0; sum != (traffic.Counts{}) {
		t.Fatalf("%d: %v requests more are lost than the pods have lost", k, sum)
	}
	if all, _, _ := r.Between(0, r.Until); all != r.Total {
		t.Fatalf("%d: %v between the ends, %v in all", k, all, r.Total)
	}
	if n := len(r.Intervals); n > 0 && rate > 0 {
		want := (r.Intervals[n-1].To - r.Intervals[0].From) * rate
		if all := 1000 * r.Total.All(); all < want-1000 || all > want+1000 {
			t.Fatalf("%d: %d requests, want %d/1000", k, r.Total.All(), want)
		}
	}
}
