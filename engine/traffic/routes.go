package traffic

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// backend is a Service with its part of the requests that come through a route; all of them add up to 1.
type backend struct {
	service api.Key
	part    float64
}

// backendsOf returns the Services that a route names, each once. A weight that is not written is 1. Those of an Ingress have no parts.
//
// Simplified: the rules of an HTTPRoute get equal parts of the requests, because who matches which is not known; a rule in which nothing
// has a weight gets none, unless that is so in all rules.
func backendsOf(route *api.Stored) (list []backend) {
	spec := route.Fields.Object("spec")
	add := func(namespace, name string, part float64) {
		key := api.Key{Kind: api.KindService, Namespace: namespace, Name: name}
		if name == "" {
			return
		}
		i := slices.IndexFunc(list, func(b backend) bool { return b.service == key })
		if i < 0 {
			i, list = len(list), append(list, backend{service: key})
		}
		list[i].part += part
	}
	add(route.Namespace, spec.Object("defaultBackend").Object("service").Text("name"), 0)
	splits := 0.0
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
			namespace := ref.Text("namespace")
			if namespace == "" {
				namespace = route.Namespace
			}
			add(namespace, ref.Text("name"), float64(weightOf(ref))/float64(max(all, 1)))
		}
	}
	for i := range list {
		list[i].part /= max(splits, 1)
	}
	return list
}

func weightOf(ref api.Fields) int64 {
	if ref["weight"] == nil {
		return 1
	}
	return max(0, ref.Number("weight"))
}

// partStep is the parts of a route's requests from a moment on.
type partStep struct {
	at   int64
	list []backend
}

// of returns the part of a Service.
func (s *partStep) of(service api.Key) float64 {
	for _, b := range s.list {
		if b.service == service {
			return b.part
		}
	}
	return 0
}

// partsOf returns how the requests of an entry are split: always the same for a Service, and for an HTTPRoute as its versions say, with
// all Services that it ever names. What sends the requests learns of a new version as late as of new endpoints.
func partsOf(p *past.Past, t *scenario.Traffic) (steps []partStep, services []api.Key) {
	if t.Service.Name != "" {
		return []partStep{{list: []backend{{t.Service, 1}}}}, []api.Key{t.Service}
	}
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		route, ok := c.Object().(*api.Stored)
		if !ok || route.Key() != t.Route {
			continue
		}
		s := partStep{at: c.At + past.WatchLatency + paths[t.Via].takes + paths[t.Via].delay + t.Delay}
		if c.New != nil {
			s.list = backendsOf(route)
		}
		for _, b := range s.list {
			if !slices.Contains(services, b.service) {
				services = append(services, b.service)
			}
		}
		steps = append(steps, s)
	}
	return steps, services
}

// found is the Services and the routes of a run, in the order in which they were created.
type found struct {
	services []*api.Service
	routes   []api.Key
	names    map[api.Key][]backend // what a route has ever named
}

func (f *found) take(o api.Object) {
	switch o := o.(type) {
	case *api.Service:
		i := slices.IndexFunc(f.services, func(s *api.Service) bool { return s.Key() == o.Key() })
		if i < 0 {
			i, f.services = len(f.services), append(f.services, nil)
		}
		f.services[i] = o
	case *api.Stored:
		if k := o.Key(); k.Kind == scenario.KindIngress || k.Kind == scenario.KindHTTPRoute {
			if f.names[k] == nil {
				f.routes = append(f.routes, k)
			}
			f.names[k] = append(f.names[k], backendsOf(o)...)
		}
	}
}

// assumed is what is assumed of the requests to a workload: they come through the first route to a Service that selects its pods or,
// without one, to the first such Service.
func (f *found) assumed(selected []api.Key) (list []scenario.Traffic) {
	for _, route := range f.routes {
		for _, b := range f.names[route] {
			if !slices.Contains(selected, b.service) {
				continue
			}
			t := scenario.AssumedTraffic(b.service)
			if t.Route, t.Via = route, scenario.Nginx; route.Kind == scenario.KindHTTPRoute {
				t.Service, t.Via = api.Key{}, scenario.Envoy
			}
			return []scenario.Traffic{t}
		}
	}
	for _, service := range selected[:min(1, len(selected))] {
		list = append(list, scenario.AssumedTraffic(service))
	}
	return list
}

// For returns the traffic of a workload: the entries of the scenario whose Services select its pods, of which those of an HTTPRoute are
// some or, without one, what is assumed.
func For(p *past.Past, workload string) (list []scenario.Traffic) {
	key, f := past.ParseKey(workload), found{names: map[api.Key][]backend{}}
	var labels map[string]string
	var selected []api.Key
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		if o, ok := c.Object().(api.Workload); ok && o.Key() == key {
			labels = api.TemplateOf(o).Labels
		}
		f.take(c.Object())
	}
	for _, s := range f.services {
		if s.Selects(key.Namespace, labels) {
			selected = append(selected, s.Key())
		}
	}
	for _, t := range p.Scenario().Traffic {
		if slices.Contains(selected, t.Service) || slices.ContainsFunc(f.names[t.Route], func(b backend) bool { return slices.Contains(selected, b.service) }) {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		list = f.assumed(selected)
	}
	return list
}
