package endpointslice

import (
	"github.com/rollplay/rollplay/engine/api"
)

// view is what a Service makes of the pods, by their names. It only saves work: objects never change, so a pod that is still the same
// object on the same node has the endpoint that it had.
type view struct {
	svc  *api.Service
	pods map[string]*member
}

// member is a pod as a Service sees it.
type member struct {
	pod      *api.Pod
	node     api.Object // nil if it does not exist
	counts   bool       // selected, not finished, with an address
	ports    []api.EndpointPort
	key      string // of the ports
	endpoint *api.Endpoint

	// In one sync:
	group  *group
	placed bool // in a slice
}

// view returns what is known for a Service, which is nothing when the Service has changed.
func (c *Controller) view(svc *api.Service) *view {
	v := c.views[svc.Key()]
	if v == nil || v.svc != svc {
		v = &view{svc, map[string]*member{}}
		c.views[svc.Key()] = v
	}
	return v
}

// member looks at a pod.
func (c *Controller) member(v *view, pod *api.Pod) *member {
	node := c.nodes.Cache.Get(api.Key{Kind: api.KindNode, Name: pod.NodeName})
	m := v.pods[pod.Name]
	if m != nil && m.pod == pod && m.node == node {
		m.group = nil
		return m
	}
	m = &member{pod: pod, node: node, counts: v.svc.Selects(pod.Namespace, pod.Labels) && !pod.Finished() && pod.HasIP()}
	if m.counts {
		m.ports = portsOf(v.svc, pod)
		m.key, m.endpoint = portsKey(m.ports), endpoint(v.svc, pod, node)
	}
	v.pods[pod.Name] = m
	return m
}

// keep returns the members of a group that a slice has and that are still wanted, and whether the slice changes. They are placed then.
func (v *view) keep(g *group, slice *api.EndpointSlice) (kept []*member, differs bool) {
	kept = make([]*member, 0, len(slice.Endpoints))
	for i := range slice.Endpoints {
		old := &slice.Endpoints[i]
		m := v.pods[old.TargetRef.Name]
		if m == nil || m.group != g || m.placed || !same(m.endpoint, old) {
			differs = true
			continue
		}
		e := m.endpoint
		differs = differs || e.Conditions != old.Conditions || e.NodeName != old.NodeName || e.Zone != old.Zone || e.TargetRef != old.TargetRef
		kept, m.placed = append(kept, m), true
	}
	return kept, differs
}

// same says whether two endpoints are one, whatever their conditions.
func same(a, b *api.Endpoint) bool {
	return a.Addresses[0] == b.Addresses[0] && a.Hostname == b.Hostname && a.TargetRef.Namespace == b.TargetRef.Namespace &&
		a.TargetRef.Name == b.TargetRef.Name
}

// endpointsOf returns the endpoints of members.
func endpointsOf(members []*member) []api.Endpoint {
	list := make([]api.Endpoint, len(members))
	for i, m := range members {
		list[i] = *m.endpoint
	}
	return list
}
