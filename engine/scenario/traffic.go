package scenario

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Traffic is the requests to a Service, or to those of a route. All of it is a model; see package traffic.
type Traffic struct {
	Service  api.Key // empty with an HTTPRoute
	Route    api.Key // the HTTPRoute or the Ingress that they come through, if there is one
	Capacity int64   // how many a pod answers at once; 0 for any number
	Rate     int64   // requests a second, whatever becomes of them; 0 with Users
	Users    int64   // how many people send a request, wait for its answer, pause, and send the next one
	Pause    int64   // ms between the answer and a user's next request
	Timeout  int64   // ms after which a user stops waiting for an answer
	Takes    int64   // ms of a request
	Via      string  // what sends the requests to pods; one of Paths
	Delay    int64   // ms until a change of endpoints has an effect there, besides those of the path
	OnTerm   string  // what the app does on SIGTERM
	Drain    int64   // ms that it takes at most for the requests in flight
	Assumed  bool    // nobody has written it: a Service selects the workload
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
	return Traffic{Service: service, Rate: 1000, Takes: 100, Timeout: 5000, Via: Paths[0], OnTerm: Stops, Drain: 30_000, Assumed: true}
}

// Paths are what sends requests to pods.
var Paths = []string{"kube-proxy", Nginx, Envoy, "load-balancer"}

// What is assumed to send the requests that come through an Ingress and an HTTPRoute.
const (
	Nginx = "ingress-nginx"
	Envoy = "envoy"
)

// What an app does on SIGTERM: it ends at once, answers what it has and takes no more, or goes on.
const (
	Stops   = "stop"
	Drains  = "drain"
	Ignores = "ignore"
)

// traffic reads an entry of the traffic: {service: web, rate: 1000, takes: 100ms, onTerm: drain}.
func (r *specReader) traffic(path string, v any) {
	t, service, route := AssumedTraffic(api.Key{}), "", ""
	t.Rate, t.Via, t.Assumed = 0, "", false
	if !r.object(path, v, fields{
		"service": r.text(&service), "route": r.text(&route),
		"rate": r.number(1, 1_000_000, func(n int64) { t.Rate = n }), "takes": r.duration(&t.Takes),
		"users": r.number(1, 1000, func(n int64) { t.Users = n }), "pause": r.duration(&t.Pause), "timeout": r.duration(&t.Timeout),
		"via": r.choose(&t.Via, Paths...), "delay": r.duration(&t.Delay), "capacity": r.number(1, 1_000_000, func(n int64) { t.Capacity = n }),
		"onTerm": r.choose(&t.OnTerm, Stops, Drains, Ignores), "drain": r.duration(&t.Drain),
	}) {
		return
	}
	t.Service, t.Route = keyOf(api.KindService, service), keyOf(KindHTTPRoute, route)
	if t.Via == "" {
		t.Via = Paths[0]
		if route != "" {
			t.Via = Envoy
		}
	}
	if (t.Service.Name == "") == (t.Route.Name == "") {
		r.add(r.doc.at(path, path+": Required value: one of `service` and `route` must be set"))
	}
	if (t.Rate == 0) == (t.Users == 0) {
		r.add(r.doc.at(path, path+": Required value: one of `rate` and `users` must be set"))
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
