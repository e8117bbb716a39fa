package traffic

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// parts are how much of the requests that come through a route each Service gets; together they are 1. Those of an Ingress are 0: only its
// Services are known.
type parts map[api.Key]float64

// partsOf reads an Ingress or an HTTPRoute. A weight that is not written is 1.
//
// Simplified: the rules of an HTTPRoute get equal parts of the requests, because who matches which is not known; a rule in which nothing
// has a weight gets none, unless that is so in all rules.
func partsOf(route *api.Stored) parts {
	list, splits := parts{}, 0.0
	add := func(namespace, name string, part float64) {
		if name != "" {
			list[api.Key{Kind: api.KindService, Namespace: namespace, Name: name}] += part
		}
	}
	spec := route.Fields.Object("spec")
	add(route.Namespace, spec.Object("defaultBackend").Object("service").Text("name"), 0)
	for _, rule := range spec.Items("rules") {
		for _, path := range rule.Object("http").Items("paths") {
			add(route.Namespace, path.Object("backend").Object("service").Text("name"), 0)
		}
		refs, all := rule.Items("backendRefs"), int64(0)
		for _, ref := range refs {
			all += weightOf(ref)
		}
		splits += float64(min(all, 1))
		for _, ref := range refs {
			add(cmp.Or(ref.Text("namespace"), route.Namespace), ref.Text("name"), float64(weightOf(ref))/float64(max(all, 1)))
		}
	}
	for service := range list {
		list[service] /= max(splits, 1)
	}
	return list
}

// isNLB says whether a Service gets an NLB of AWS with pods as its targets: aws-load-balancer-controller makes those.
func isNLB(s *api.Service) bool {
	const annotation = "service.beta.kubernetes.io/aws-load-balancer-"
	class := s.Annotations[annotation+"type"]
	return s.Spec.Type == api.LoadBalancer && (class == "nlb-ip" || class == "external" && s.Annotations[annotation+"nlb-target-type"] == "ip")
}

// classOf is the class of an Ingress, which says what sends its requests.
func classOf(o *api.Stored) string {
	return cmp.Or(o.Fields.Object("spec").Text("ingressClassName"), o.Annotations["kubernetes.io/ingress.class"])
}

func weightOf(ref api.Fields) int64 {
	if ref["weight"] == nil {
		return 1
	}
	return max(0, ref.Number("weight"))
}

// split is the parts of requests from a moment on.
type split struct {
	at int64
	parts
}

// splitsOf returns how the requests of an entry are split: always the same for a Service, and for an HTTPRoute as its versions say, with all
// Services that it ever names. What sends the requests learns of a new version as late as of new endpoints.
func splitsOf(p *past.Past, t *scenario.Traffic) (splits []split, services []api.Key) {
	if t.Service.Name != "" {
		return []split{{parts: parts{t.Service: 1}}}, []api.Key{t.Service}
	}
	all, path := parts{}, pathOf(t)
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		route, ok := c.Object().(*api.Stored)
		if !ok || route.Key() != t.Route {
			continue
		}
		s := split{at: c.At + past.WatchLatency + path.takes + path.delay}
		if c.New != nil {
			s.parts = partsOf(route)
		}
		maps.Copy(all, s.parts)
		splits = append(splits, s)
	}
	for service := range all {
		services = append(services, service)
	}
	sort.Slice(services, func(i, k int) bool { return services[i].String() < services[k].String() })
	return splits, services
}

// For returns the traffic of a workload: the entries of the scenario whose Services select its pods, of which those of an HTTPRoute are
// some. Without one, requests are assumed: they come through the first route to a Service that selects the pods or, without one, to the first
// such Service with an address.
func For(p *past.Past, workload string) (list []scenario.Traffic) {
	key, latest := past.ParseKey(workload), map[api.Key]api.Object{}
	routes := map[api.Key]parts{} // with all Services that they ever name
	var labels map[string]string
	var order []api.Key // of Services and routes, as they were created
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		k := c.Object().Key()
		switch o := c.Object().(type) {
		case *api.Service:
		case *api.Stored:
			if k.Kind != scenario.KindIngress && k.Kind != scenario.KindHTTPRoute {
				continue
			}
			if routes[k] == nil {
				routes[k] = parts{}
			}
			maps.Copy(routes[k], partsOf(o))
		case api.Workload:
			if k == key {
				labels = api.TemplateOf(o).Labels
			}
			continue
		default:
			continue
		}
		if latest[k] == nil {
			order = append(order, k)
		}
		latest[k] = c.Object()
	}
	var selected []api.Key
	for _, k := range order {
		if s, ok := latest[k].(*api.Service); ok && s.Selects(key.Namespace, labels) {
			selected = append(selected, k)
		}
	}
	leads := func(route api.Key) int { // to which of those
		return slices.IndexFunc(selected, func(service api.Key) bool { _, ok := routes[route][service]; return ok })
	}
	for _, t := range p.Scenario().Traffic {
		if slices.Contains(selected, t.Service) || leads(t.Route) >= 0 {
			list = append(list, t)
		}
	}
	if len(list) > 0 || len(selected) == 0 {
		return list
	}
	i := slices.IndexFunc(order, func(k api.Key) bool { return leads(k) >= 0 })
	if i < 0 { // no proxy sends to a headless Service: its clients find the pods themselves, and keep them as long as they like
		selected = slices.DeleteFunc(selected, func(k api.Key) bool { return latest[k].(*api.Service).Headless() })
	}
	if len(selected) == 0 {
		return nil
	}
	assumed := scenario.AssumedTraffic(selected[0])
	if isNLB(latest[selected[0]].(*api.Service)) {
		assumed.Via = scenario.NLB
	}
	if i >= 0 {
		assumed.Service, assumed.Route, assumed.Via = selected[leads(order[i])], order[i], scenario.Nginx
		if order[i].Kind == scenario.KindHTTPRoute {
			assumed.Service, assumed.Via = api.Key{}, scenario.Envoy
		} else if classOf(latest[order[i]].(*api.Stored)) == "alb" {
			assumed.Via = scenario.ALB
		}
	}
	return []scenario.Traffic{assumed}
}
