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

// rule is the targets that the proxies have from a moment on.
type rule struct {
	at      int64
	targets []string // UIDs of pods
	leaving bool     // no pod is ready, and these terminate
	none    Outcome  // of requests if there is no target: NoEndpoint, or why that is
}

// rulesOf returns what the proxies do with the slices of a Service up to a moment, and all pods that they ever know, with their ports.
func rulesOf(p *past.Past, t *scenario.Traffic, service api.Key, until int64) (rules []rule, ports map[string][]api.EndpointPort) {
	path := pathOf(t)
	path.known = map[string]bool{}
	var versions []*past.Change
	var changes []int64
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		switch o := c.Object().(type) {
		case *api.EndpointSlice:
			if o.Namespace == service.Namespace && o.Labels[api.ServiceNameLabel] == service.Name {
				versions, changes = append(versions, &c), append(changes, c.At+past.WatchLatency)
			}
		case *api.Pod:
			if slices.ContainsFunc(o.Spec.ReadinessGates, api.ReadinessGate.IsBalancers) {
				path.known[o.UID] = true
			}
		}
	}
	now, next := map[string]*api.EndpointSlice{}, 0
	ports = map[string][]api.EndpointPort{}
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
		r := rule{at: start + path.takes + path.delay, none: NoEndpoint}
		of, _ := p.ObjectAt(service, p.Find(changes[next-1]-past.WatchLatency)).(*api.Service)
		usable, all, astray := usableOf(now, of)
		for _, e := range usable {
			if !e.Conditions.Ready && path.checks() {
				continue // what registers targets there has no last resort
			}
			r.targets, r.leaving = append(r.targets, e.TargetRef.UID), !e.Conditions.Ready
			ports[e.TargetRef.UID] = all[e.TargetRef.UID]
		}
		if len(r.targets) == 0 && (astray || leaves(p, p.Find(r.at), ports, all)) {
			r.none = Unselected
		}
		if len(rules) > 0 || len(r.targets) > 0 { // requests begin with the first endpoint
			rules = append(rules, r)
		}
	}
	if path.checks() {
		rules = checked(rules, &path)
	}
	return rules, ports
}

// leaves says whether a pod that was sent to is no endpoint any more, although it is ready: the Service has another selector or target port.
//
// Simplified: as it is when the proxies know, for as long as there is no endpoint.
func leaves(p *past.Past, record int, known, now map[string][]api.EndpointPort) bool {
	return slices.ContainsFunc(p.Objects(api.KindPod, record), func(o api.Object) bool {
		pod := o.(*api.Pod)
		_, was := known[pod.UID]
		_, is := now[pod.UID]
		return was && !is && pod.IsReady() && !pod.Terminating()
	})
}

// change is that a pod becomes a target of a load balancer, or stops being one.
type change struct {
	at  int64
	uid string
	in  bool
}

// changesOf returns when a load balancer begins and ceases to send to pods: when its checks have found them healthy, and some time after they
// have gone.
func changesOf(rules []rule, p *path) (changes []change) {
	joined := map[string]int64{} // when they are found healthy, of the endpoints
	for i := range rules {
		breath.Often()
		now := map[string]bool{}
		for _, uid := range rules[i].targets {
			now[uid] = true
			if _, known := joined[uid]; !known {
				joined[uid] = rules[i].at + p.joinsAfter(uid)
				changes = append(changes, change{joined[uid], uid, true})
			}
		}
		for _, uid := range slices.Sorted(maps.Keys(joined)) {
			if !now[uid] {
				changes = append(changes, change{max(joined[uid], rules[i].at+p.leaves), uid, false})
				delete(joined, uid)
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return changes
}

// checked returns the rules of a load balancer that checks its targets.
func checked(rules []rule, p *path) (list []rule) {
	changes := changesOf(rules, p)
	var targets []string // a pod that comes back before it is forgotten is there twice
	for i, c := range changes {
		breath.Often()
		if c.in {
			targets = append(targets, c.uid)
		} else {
			k := slices.Index(targets, c.uid)
			targets = slices.Delete(targets, k, k+1)
		}
		if i+1 == len(changes) || changes[i+1].at > c.at {
			list = append(list, rule{at: c.at, targets: slices.Compact(slices.Sorted(slices.Values(targets))), none: registered(rules, c.at)})
		}
	}
	return list
}

// registered returns why there is no target at a moment: endpoints wait for a check, or there is none.
func registered(rules []rule, at int64) Outcome {
	i := sort.Search(len(rules), func(i int) bool { return rules[i].at > at })
	if i > 0 && len(rules[i-1].targets) > 0 {
		return NoTarget
	}
	return rules[max(0, i-1)].none
}

// usableOf returns the endpoints in some slices that a proxy sends to, and the ports of all. Astray says that a pod is ready and has no
// port of the Service.
//
// Simplified: all requests are for the first port.
func usableOf(all map[string]*api.EndpointSlice, of *api.Service) (list []api.Endpoint, ports map[string][]api.EndpointPort, astray bool) {
	ports = map[string][]api.EndpointPort{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		_, usable := s.Labels[api.HeadlessLabel]
		for k := range s.Ports {
			usable = usable || of == nil || len(of.Spec.Ports) == 0 || s.Ports[k].Name == of.Spec.Ports[0].Name
		}
		if usable {
			list = append(list, s.Endpoints...)
		}
		for i := range s.Endpoints {
			if e := &s.Endpoints[i]; usable {
				ports[e.TargetRef.UID] = s.Ports
			} else if e.Conditions.Ready {
				astray = true
			}
		}
	}
	list, _, _ = Usable(&api.ServiceSpec{Type: api.ClusterIP}, list, "", "")
	return list, ports, astray
}
