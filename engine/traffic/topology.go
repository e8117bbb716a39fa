package traffic

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Usable returns the endpoints that the proxy of a node sends requests to: those inside the cluster, and those from outside to this
// node; nil for a policy that the Service does not have. Any says whether an endpoint could be reached from anywhere (E-7,
// pkg/proxy/topology.go:CategorizeEndpoints).
func Usable(s *api.ServiceSpec, endpoints []api.Endpoint, node, zone string) (cluster, local []api.Endpoint, any bool) {
	inside := s.InternalTrafficPolicy != nil && *s.InternalTrafficPolicy == api.PolicyLocal
	outside := s.Type == api.NodePort || s.Type == api.LoadBalancer || len(s.ExternalIPs) > 0
	if len(endpoints) == 0 {
		return nil, nil, false
	}
	if !inside || outside {
		near := nearness(endpoints, node, zone)
		cluster = pick(endpoints, func(e *api.Endpoint) bool { return e.Conditions.Ready && near(e) })
		if len(cluster) == 0 {
			cluster = pick(endpoints, lastResort)
		}
		any = len(cluster) > 0
	}
	if !inside && !(outside && s.ExternalTrafficPolicy == api.PolicyLocal) {
		return cluster, nil, any
	}
	local = pick(endpoints, func(e *api.Endpoint) bool { return e.NodeName == node && e.Conditions.Ready })
	if len(local) == 0 {
		local = pick(endpoints, func(e *api.Endpoint) bool { return e.NodeName == node && lastResort(e) })
	}
	any = any || slices.ContainsFunc(endpoints, func(e api.Endpoint) bool { return e.Conditions.Ready || lastResort(&e) })
	return cluster, local, any
}

// lastResort says whether an endpoint is used when none is ready.
func lastResort(e *api.Endpoint) bool { return e.Conditions.Serving && e.Conditions.Terminating }

func pick(endpoints []api.Endpoint, which func(*api.Endpoint) bool) []api.Endpoint {
	return slices.DeleteFunc(slices.Clone(endpoints), func(e api.Endpoint) bool { return !which(&e) })
}

// nearness returns which endpoints a proxy prefers: those hinted for its node or its zone, if every ready endpoint has a hint and one
// is for it, otherwise all (topologyModeFromHints).
func nearness(endpoints []api.Endpoint, node, zone string) func(*api.Endpoint) bool {
	forNode := func(e *api.Endpoint) []api.Hint { return e.Hints.ForNodes }
	forZone := func(e *api.Endpoint) []api.Hint { return e.Hints.ForZones }
	for _, by := range []struct {
		hints func(*api.Endpoint) []api.Hint
		name  string
	}{{forNode, node}, {forZone, zone}} {
		mine := func(e *api.Endpoint) bool { return slices.Contains(by.hints(e), api.Hint{Name: by.name}) }
		all, some := true, false
		for i := range endpoints {
			if e := &endpoints[i]; e.Conditions.Ready {
				hinted := e.Hints != nil && len(by.hints(e)) > 0
				all, some = all && hinted, some || hinted && mine(e)
			}
		}
		if all && some {
			return mine
		}
	}
	return func(*api.Endpoint) bool { return true }
}
