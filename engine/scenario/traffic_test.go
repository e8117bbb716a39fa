package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestParseTraffic: what is not said has the default of its path, its Service and its users.
func TestParseTraffic(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{"{service: web, rate: 50}", "Service/default/web via kube-proxy: 50/s, 0 users, takes 100..100, timeout 5000, 1 a connection for 0 ms, joins -1, stop 30000"},
		{"{route: shop/web, rate: 1}", "HTTPRoute/shop/web via envoy: 1/s, 0 users, takes 100..100, timeout 5000, 1 a connection for 0 ms, joins -1, stop 30000"},
		{"{route: web, via: aws-alb, rate: 1}", "HTTPRoute/default/web via aws-alb: 1/s, 0 users, takes 100..100, timeout 5000, 1 a connection for 0 ms, joins -1, stop 30000"},
		{"{service: web, users: 9, takes: 1s..2s, timeout: 3s, healthChecks: 0s, onTerm: drain, drain: 4s}",
			"Service/default/web via kube-proxy: 0/s, 9 users, takes 1000..2000, timeout 3000, 1 a connection for 0 ms, joins 0, drain 4000"},
		{"{service: web, users: 9, requestsPerConnection: 0}", "Service/default/web via kube-proxy: 0/s, 9 users, takes 100..100, timeout 5000, 0 a connection for 0 ms, joins -1, stop 30000"},
		{"{service: web, users: 9, maxConnectionAge: 1m}", "Service/default/web via kube-proxy: 0/s, 9 users, takes 100..100, timeout 5000, 0 a connection for 60000 ms, joins -1, stop 30000"},
		{"{service: web, users: 9, maxConnectionAge: 1m, requestsPerConnection: 5}", "Service/default/web via kube-proxy: 0/s, 9 users, takes 100..100, timeout 5000, 5 a connection for 60000 ms, joins -1, stop 30000"},

		{"3", "spec.traffic[0]: Invalid value: 3: must be an object with the fields capacity, delay, drain, healthChecks, maxConnectionAge, onTerm, pause, rate, requestsPerConnection, route, service, takes, timeout, users, via"},
		{"{service: web}", "spec.traffic[0]: Required value: one of `rate` and `users` must be set"},
		{"{service: web, rate: 1, users: 1}", "spec.traffic[0]: Required value: one of `rate` and `users` must be set"},
		{"{rate: 1}", "spec.traffic[0]: Required value: one of `service` and `route` must be set"},
		{"{service: a, route: b, rate: 1}", "spec.traffic[0]: Required value: one of `service` and `route` must be set"},
		{"{service: web, rate: 1, maxConnectionAge: 1m}", "spec.traffic[0]: Invalid value: only `users` keep connections"},
		{"{service: web, rate: 1, maxConnectionAge: 1m, requestsPerConnection: 1}", "spec.traffic[0]: Invalid value: only `users` keep connections"},
		{"{service: web, rate: 1, requestsPerConnection: 2}", "spec.traffic[0]: Invalid value: only `users` keep connections"},
		{"{service: web, rate: 1, via: nginx}", `spec.traffic[0].via: Invalid value: "nginx": must be one of kube-proxy, ingress-nginx, envoy, load-balancer, aws-alb, aws-nlb`},
	} {
		s, diagnostics := scenario.Parse(spec + "  traffic: [" + c.entry + "]\n---\n" + webManifest)
		var got []string
		for _, d := range diagnostics {
			got = append(got, d.Message)
		}
		if s != nil {
			x := s.Traffic[0]
			got = append(got, fmt.Sprintf("%s via %s: %d/s, %d users, takes %d..%d, timeout %d, %d a connection for %d ms, joins %d, %s %d",
				x.Object(), x.Via, x.Rate, x.Users, x.Takes.Min, x.Takes.Max, x.Timeout, x.PerConnection, x.MaxAge, x.Joins, x.OnTerm, x.Drain))
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.entry, got, c.want)
		}
	}
}

// TestAssumedTraffic: nobody has written it, and its path decides when new pods have requests.
func TestAssumedTraffic(t *testing.T) {
	web := api.Key{Kind: api.KindService, Namespace: "default", Name: "web"}
	if x := scenario.AssumedTraffic(web); !x.Assumed || x.Object() != web || x.Joins != -1 || x.OnTerm != scenario.Stops || x.Mean() != 100 {
		t.Errorf("got %+v", x)
	}
}

// TestUnanswered: of requests that take 100 to 300 ms, all lengths are equally frequent. An app that ends at once leaves the requests of
// 200 ms on average without an answer; the longest request has one if the app lives 300 ms longer.
func TestUnanswered(t *testing.T) {
	spread, equal := scenario.Traffic{Takes: kubelet.Range{Min: 100, Max: 300}}, scenario.Traffic{Takes: kubelet.Range{Min: 100, Max: 100}}
	for _, c := range []struct {
		of       scenario.Traffic
		ms, want int64
	}{{spread, 0, 200}, {spread, 50, 150}, {spread, 100, 100}, {spread, 200, 25}, {spread, 260, 4}, {spread, 300, 0}, {spread, 400, 0},
		{equal, 0, 100}, {equal, 60, 40}, {equal, 100, 0}, {equal, 101, 0}} {
		if got := c.of.Unanswered(c.ms); got != c.want {
			t.Errorf("of %v, those of %d ms have no answer after %d ms, want %d", c.of.Takes, got, c.ms, c.want)
		}
	}
}
