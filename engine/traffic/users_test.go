package traffic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/traffic"
)

// TestLengths: of requests with different lengths as many are cut off as their lengths say.
func TestLengths(t *testing.T) {
	for _, tt := range []struct {
		traffic, stop string
		want          float64 // requests of each pod that have no answer, in s of requests
	}{
		{"takes: 1s, onTerm: stop", "0s", 1},
		{"takes: 0s..2s, onTerm: stop", "0s", 1},                          // the mean
		{"takes: 1s..3s, onTerm: drain, drain: 1s", "1s", 1},              // the mean, less a second
		{"takes: 0s..2s, onTerm: drain, drain: 1s", "1s", 0.25},           // a quarter takes longer than what is left
		{"takes: 0s..2s, onTerm: drain, drain: 2s", "2s", 0},              // there is time for all
		{"takes: 1s..1s, onTerm: drain, drain: 250ms", "250ms", 1 - 0.25}, // as without a range
	} {
		scenario := fmt.Sprintf(text, 1, tt.stop, "rate: 1000, "+tt.traffic, 4, 30, probe)
		r := report(t, strings.Replace(scenario, "kubectl set image deployment/web web=web:2", "kubectl scale deployment/web --replicas=3", 1))
		check(t, 0, &r, 1000)
		if got := float64(r.Total[traffic.Reset]) / 250; math.Abs(got-tt.want) > 0.005 { // the pod that ends has a quarter of the requests
			t.Errorf("%s: %v s of requests are reset, want %v", tt.traffic, got, tt.want)
		}
	}
	r := report(t, fmt.Sprintf(text, 1, "0s", "users: 40, pause: 100ms, takes: 0s..2s, timeout: 1500ms", 4, 30, probe))
	check(t, 0, &r, 0)
	if part := float64(r.Total[traffic.Long]) / float64(r.Total.All()); part < 0.23 || part > 0.27 {
		t.Errorf("%v of the requests take longer than 1.5 of 2 s, and time out", part)
	}
	if text := r.Model(); !strings.Contains(text, "requests of 0–2 s") {
		t.Error(text)
	}
}

// TestConnections: where users keep their connections, or a Service keeps its clients with their pods, new pods get nothing to do.
func TestConnections(t *testing.T) {
	const scale = "kubectl scale deployment/web --replicas=8"
	half := func(n float64) bool { return n > 0.45 && n < 0.55 }
	none := func(n float64) bool { return n == 0 }
	for _, tt := range []struct {
		traffic, service string
		want             func(float64) bool // which part the new half of the pods serves
		model            string
	}{
		{"users: 50", "", half, "users with requests of 0.1 s, each 0.1 s after the last, sent by kube-proxy; on SIGTERM the app ends at once."},
		{"users: 50, requestsPerConnection: 0", "", none, "Each user keeps one connection."},
		{"users: 50, requestsPerConnection: 0, via: envoy", "", half, "after the last, sent by envoy"},
		{"users: 50, requestsPerConnection: 20", "", half, "Each user sends 20 requests on one connection."},
		{"users: 50, maxConnectionAge: 2s", "", half, "Each user keeps a connection for at most 2 s."},
		{"users: 50", "sessionAffinity: ClientIP, ", none, "after the last, sent by"},
		{"users: 50, pause: 1500ms", "sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}, ", half, "after the last, sent by"},
	} {
		scenario := fmt.Sprintf(text, 1, "0s", "pause: 100ms, "+tt.traffic, 4, 30, probe)
		if strings.Contains(tt.traffic, "pause") {
			scenario = strings.Replace(scenario, "pause: 100ms, ", "", 1)
		}
		scenario = strings.Replace(scenario, "kubectl set image deployment/web web=web:2", scale, 1)
		scenario = strings.Replace(scenario, "selector: {app: web}, ports", tt.service+"selector: {app: web}, ports", 1)
		r := report(t, scenario)
		check(t, 0, &r, 0)
		if c, _, _ := r.Between(30_000, r.Until); c.All() == 0 || c.Failed() > 0 || !strings.Contains(r.Model(), tt.model) {
			t.Errorf("%s: %v. %s", tt.traffic, c, r.Model())
		}
		if got := newPods(&r); !tt.want(got) {
			t.Errorf("%s %s: the new pods serve %v", tt.traffic, tt.service, got)
		}
	}
}

// newPods returns which part of the stretches, in their time after 30 s, belongs to pods of the second half of those that have one.
func newPods(r *traffic.Report) float64 {
	first, all, later := map[string]int64{}, 0.0, 0.0
	for _, s := range r.Stretches {
		if _, known := first[s.Pod]; !known {
			first[s.Pod] = s.From
		}
		if long := float64(s.To - max(s.From, 30_000)); long > 0 {
			all += long
			if first[s.Pod] > 20_000 {
				later += long
			}
		}
	}
	return later / all
}
