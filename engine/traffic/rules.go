package traffic

import (
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// rule is the targets that the proxies have from a moment on.
type rule struct {
	at      int64
	targets []string // UIDs of pods
	leaving bool     // no pod is ready, and these terminate
}

// rulesOf returns what the proxies do with the slices of a Service up to a moment, and all pods that they ever know.
func rulesOf(p *past.Past, t *scenario.Traffic, service api.Key, until int64) (rules []rule, uids map[string]bool) {
	path := paths[t.Via]
	var versions []*past.Change
	var changes []int64
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		if s, ok := c.Object().(*api.EndpointSlice); ok && s.Namespace == service.Namespace && s.Labels[api.ServiceNameLabel] == service.Name {
			versions, changes = append(versions, &c), append(changes, c.At+past.WatchLatency)
		}
	}
	now, next := map[string]*api.EndpointSlice{}, 0
	uids = map[string]bool{}
	for _, start := range path.runner.Runs(changes, path.takes, until, nil) {
		before := next
		for ; next < len(versions) && changes[next] <= start; next++ {
			s := versions[next].Object().(*api.EndpointSlice)
			if now[s.Name] = s; versions[next].New == nil {
				delete(now, s.Name)
			}
		}
		if next == before {
			continue
		}
		r := rule{at: start + path.takes + path.delay + t.Delay}
		for _, e := range usableOf(now) {
			r.targets, r.leaving = append(r.targets, e.TargetRef.UID), !e.Conditions.Ready
			uids[e.TargetRef.UID] = true
		}
		if len(rules) > 0 || len(r.targets) > 0 { // requests begin with the first endpoint
			rules = append(rules, r)
		}
	}
	return rules, uids
}

// usableOf returns the endpoints in some slices that a proxy sends to.
func usableOf(all map[string]*api.EndpointSlice) (list []api.Endpoint) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name].Endpoints...)
	}
	list, _, _ = Usable(&api.ServiceSpec{Type: api.ClusterIP}, list, "", "")
	return list
}
