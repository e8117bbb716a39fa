package scenario

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
)

// Traffic is the requests to a Service, or to those of a route. All of it is a model; see package traffic.
type Traffic struct {
	Service  api.Key       // empty with an HTTPRoute
	Route    api.Key       // the HTTPRoute or the Ingress that they come through, if there is one
	Capacity int64         // how many a pod answers at once; 0 for any number
	Rate     int64         // requests a second, whatever becomes of them; 0 with Users
	Users    int64         // how many people send a request, wait for its answer, pause, and send the next one
	Pause    int64         // ms between the answer and a user's next request
	Timeout  int64         // ms after which a user stops waiting for an answer
	Takes    kubelet.Range // of a request
	// With Users each may keep its connection, and with it the pod that kube-proxy chose for it.
	PerConnection int64  // how many requests a connection has; 1 for a connection each, 0 for any number
	MaxAge        int64  // ms after which no request begins on a connection; 0 for any time
	Via           string // what sends the requests to pods; one of Paths
	Delay         int64  // ms until a change of endpoints has an effect there, besides those of the path
	Joins         int64  // ms until its health checks let a new pod have requests; -1 for those of the path
	OnTerm        string // what the app does on SIGTERM
	Drain         int64  // ms that it takes at most for the requests in flight
	Assumed       bool   // nobody has written it: a Service selects the workload
}

// Object is what the requests are sent to: a Service, or an HTTPRoute with its Services.
func (t *Traffic) Object() api.Key {
	if t.Service.Name == "" {
		return t.Route
	}
	return t.Service
}

// AssumedTraffic is what is assumed of the requests to a Service of which nothing is said: an app of which nobody has said that it
// drains ends at once.
func AssumedTraffic(service api.Key) Traffic {
	return Traffic{Service: service, Rate: 1000, Takes: kubelet.Range{Min: 100, Max: 100}, Timeout: 5000, PerConnection: 1, Joins: -1,
		Via: Paths[0], OnTerm: Stops, Drain: 30_000, Assumed: true}
}

// Mean returns how long a request takes on average, in ms: all lengths of the range are equally frequent.
func (t *Traffic) Mean() int64 { return (t.Takes.Min + t.Takes.Max) / 2 }

// Unanswered returns of how many ms of requests none gets an answer if their app takes no more and ends some ms later: a request does not if it takes
// longer than it has been going on and than those ms.
func (t *Traffic) Unanswered(ms int64) int64 {
	switch shortest, longest := t.Takes.Min, t.Takes.Max; {
	case ms <= shortest:
		return t.Mean() - ms
	case ms < longest:
		return (longest - ms) * (longest - ms) / (2 * (longest - shortest))
	}
	return 0
}

// Paths are what sends requests to pods.
var Paths = []string{KubeProxy, Nginx, Envoy, Balancer, ALB, NLB}

// The names of the paths.
const (
	KubeProxy = "kube-proxy"
	Nginx     = "ingress-nginx"
	Envoy     = "envoy"
	Balancer  = "load-balancer"
	ALB       = "aws-alb"
	NLB       = "aws-nlb"
)

// What an app does on SIGTERM: it ends at once, answers what it has and takes no more, or continues.
const (
	Stops   = "stop"
	Drains  = "drain"
	Ignores = "ignore"
)

// traffic reads an entry of the traffic: {service: web, rate: 1000, takes: 100ms, onTerm: drain}.
func (r *specReader) traffic(path string, v any) {
	t, service, route := AssumedTraffic(api.Key{}), "", ""
	takes := &t.Takes
	t.Rate, t.Via, t.Assumed, t.PerConnection = 0, "", false, -1
	if r.object(path, v, fields{
		"service": r.text(&service), "route": r.text(&route),
		"rate": r.number(1, 1_000_000, func(n int64) { t.Rate = n }), "takes": r.durations(&takes, "", nil),
		"users": r.number(1, 1000, func(n int64) { t.Users = n }), "pause": r.duration(&t.Pause), "timeout": r.duration(&t.Timeout),
		"requestsPerConnection": r.number(0, 1_000_000, func(n int64) { t.PerConnection = n }), "maxConnectionAge": r.duration(&t.MaxAge),
		"via": r.choose(&t.Via, Paths...), "delay": r.duration(&t.Delay), "healthChecks": r.duration(&t.Joins), "capacity": r.number(1, 1_000_000, func(n int64) { t.Capacity = n }),
		"onTerm": r.choose(&t.OnTerm, Stops, Drains, Ignores), "drain": r.duration(&t.Drain),
	}) == nil {
		return
	}
	if t.Takes = *takes; t.PerConnection < 0 {
		t.PerConnection = 1
		if t.MaxAge > 0 {
			t.PerConnection = 0
		}
	}
	t.Service, t.Route = keyOf(api.KindService, service), keyOf(KindHTTPRoute, route)
	if t.Via == "" && route != "" {
		t.Via = Envoy
	}
	t.Via = cmp.Or(t.Via, Paths[0])
	if (t.Service.Name == "") == (t.Route.Name == "") {
		r.complain(path, "Required value: one of `service` and `route` must be set")
	}
	if (t.Rate == 0) == (t.Users == 0) {
		r.complain(path, "Required value: one of `rate` and `users` must be set")
	}
	if t.Users == 0 && (t.PerConnection != 1 || t.MaxAge > 0) {
		r.complain(path, "Invalid value: only `users` keep connections")
	}
	r.scenario.Traffic = append(r.scenario.Traffic, t)
}

// The kinds of routes.
const (
	KindHTTPRoute api.Kind = "HTTPRoute"
	KindIngress   api.Kind = "Ingress"
)

// keyOf reads web or shop/web, and nothing as the empty key.
func keyOf(kind api.Kind, text string) api.Key {
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		namespace, name = api.NamespaceDefault, text
	}
	if name == "" {
		return api.Key{}
	}
	return api.Key{Kind: kind, Namespace: namespace, Name: name}
}

// choose reads one of some words.
//
//go:noinline
func (r *specReader) choose(to *string, words ...string) func(string, any) {
	return func(path string, v any) {
		if s, _ := v.(string); slices.Contains(words, s) {
			*to = s
			return
		}
		r.invalid(path, v, "must be one of "+strings.Join(words, ", "))
	}
}
