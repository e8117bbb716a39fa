package traffic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/traffic"
)

// gate makes a pod wait for the load balancer's first health check before it is Ready.
const gate = "\n      readinessGates: [{conditionType: target-health.elbv2.k8s.aws/web}]"

// TestBalancers: a load balancer that checks its targets sends to a pod later than it is ready, and for longer than it is there.
func TestBalancers(t *testing.T) {
	const surge, all = "{maxSurge: 1, maxUnavailable: 0}", "{maxSurge: 0, maxUnavailable: 100%}"
	for _, tt := range []struct {
		via, strategy, container, spec string
		cause                          traffic.Outcome // the only one of all losses; Served for no loss
		from, to                       int64           // requests that are lost, at least and at most, of 100 a second
		helps                          string
	}{
		{"aws-alb", surge, probe, "", traffic.NoTarget, 1200, 1500, "minReadySeconds 16 keeps old pods until the load balancer has found new ones healthy; so does its readiness gate."},
		{"aws-alb", surge, probe, "minReadySeconds: 16", traffic.Served, 0, 0, ""},
		{"aws-alb, healthChecks: 0s", surge, probe, "", traffic.Served, 0, 0, ""},
		{"aws-alb, healthChecks: 40s", surge, probe, "", traffic.NoTarget, 3700, 4000, "minReadySeconds 41 keeps "},
		{"aws-alb", surge, probe + gate, "", traffic.Served, 0, 0, ""},
		{"aws-nlb", surge, probe, "minReadySeconds: 31", traffic.Late, 5500, 6100, "preStop ≥ 121 s = 1 s (slice) + 0 s (proxy) + 120 s (aws-nlb); grace ≥ 122 s"},
		{"aws-nlb", surge, probe + preStop(121), "minReadySeconds: 31", traffic.Served, 0, 0, ""},
		{"aws-nlb", all, probe + preStop(121), "", traffic.Served, 0, 0, ""}, // it is sent to while it terminates
		{"kube-proxy", surge, probe + preStop(5), "", traffic.Served, 0, 0, ""},
	} {
		scenario := fmt.Sprintf(text, 1, "1s", "rate: 100, takes: 10ms, onTerm: drain, via: "+tt.via, 1, 150, tt.container)
		scenario = strings.NewReplacer("duration: 60s", "duration: 240s", "at: 20s", "at: 60s",
			"  replicas: 1\n", "  replicas: 1\n  strategy: {rollingUpdate: "+tt.strategy+"}\n  "+tt.spec+"\n").Replace(scenario)
		r := report(t, scenario)
		check(t, 0, &r, 100)
		lost, cause := r.Total.All()-r.Total[traffic.Served], traffic.Served
		if o, ok := r.Worst(0, r.Until); ok {
			cause = o.Cause()
			if sums := byCause(&r.Total); sums[cause] != lost {
				t.Errorf("%s: %d are lost, %v", tt.via, lost, sums)
			}
		}
		if cause != tt.cause || lost < tt.from || lost > tt.to {
			t.Errorf("%s %s: %d of the cause %d are lost, want %d to %d of %d. %s", tt.via, tt.spec, lost, cause, tt.from, tt.to, tt.cause, r.Outcomes())
		}
		if text := r.Helps(cause, nil); tt.helps != "" && !strings.HasPrefix(text, tt.helps) {
			t.Errorf("%s: %q, want %q", tt.via, text, tt.helps)
		}
		if cause == traffic.NoTarget {
			if text := r.Story(&r.Losses[0]); !strings.Contains(text, "the load balancer has found no pod healthy yet. "+fmt.Sprint(lost/1000)+",") {
				t.Error(text)
			}
		}
	}
}
