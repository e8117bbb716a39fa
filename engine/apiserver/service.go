package apiserver

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// allocate gives a Service its address and its ports on the nodes, if it does not ask for others (E-9).
//
// Simplified: they are computed from its name, not taken from a range; every cluster has IPv4 addresses alone.
func allocate(svc *api.Service) {
	s := &svc.Spec
	if s.Type == api.ExternalName {
		s.ClusterIP, s.ClusterIPs, s.IPFamilies, s.IPFamilyPolicy = "", nil, nil, nil
		return
	}
	s.ClusterIP = cmp.Or(s.ClusterIP, api.ServiceIP(svc))
	s.ClusterIPs, s.IPFamilies = []string{s.ClusterIP}, []string{"IPv4"}
	s.IPFamilyPolicy = cmp.Or(s.IPFamilyPolicy, api.Ptr("SingleStack"))
	s.Ports = slices.Clone(s.Ports)
	for i := range s.Ports {
		if p := &s.Ports[i]; p.NodePort == 0 && onNodes(s) {
			b := api.Digest(16, "port", svc.Namespace, svc.Name, strconv.Itoa(i))
			p.NodePort = 30_000 + (int32(b[14])<<8|int32(b[15]))%2768 // the front is nearly the same for all short names
		}
	}
}

// onNodes says whether the ports of a Service get ports of the nodes.
func onNodes(s *api.ServiceSpec) bool {
	wanted := s.AllocateLoadBalancerNodePorts
	return mayBeOnNodes(s) && (s.Type != api.LoadBalancer || wanted == nil || *wanted)
}

func mayBeOnNodes(s *api.ServiceSpec) bool {
	return s.Type == api.NodePort || s.Type == api.LoadBalancer
}

// dropOfType drops what a Service got for its type before, unless somebody has changed that as well
// (registry/core/service/strategy.go:dropTypeDependentFields).
func dropOfType(s, was *api.ServiceSpec) {
	if mayBeOnNodes(was) && !mayBeOnNodes(s) && !newNodePorts(s.Ports, was.Ports) {
		for i := range s.Ports {
			s.Ports[i].NodePort = 0
		}
	}
	if was.Type == api.LoadBalancer && s.Type != api.LoadBalancer {
		if api.Given(s.AllocateLoadBalancerNodePorts) == api.Given(was.AllocateLoadBalancerNodePorts) {
			s.AllocateLoadBalancerNodePorts = nil
		}
		if api.Given(s.LoadBalancerClass) == api.Given(was.LoadBalancerClass) {
			s.LoadBalancerClass = nil
		}
	}
	if was.External() && !s.External() && s.ExternalTrafficPolicy == was.ExternalTrafficPolicy {
		s.ExternalTrafficPolicy = ""
	}
}

// newNodePorts says whether a Service has ports of nodes that it did not have.
func newNodePorts(ports, were []api.ServicePort) bool {
	for i := range ports {
		if n := ports[i].NodePort; n != 0 && !hasNodePort(were, n) {
			return true
		}
	}
	return false
}

func hasNodePort(ports []api.ServicePort, n int32) bool {
	for i := range ports {
		if ports[i].NodePort == n {
			return true
		}
	}
	return false
}

// keepAllocated takes over the address, and for ports of the same name those of the nodes (registry/core/service/storage/storage.go:
// patchAllocatedValues).
func keepAllocated(s, was *api.ServiceSpec) {
	if s.Type != api.ExternalName && s.ClusterIP == "" {
		s.ClusterIP, s.ClusterIPs = was.ClusterIP, was.ClusterIPs
	}
	if !onNodes(s) || !onNodes(was) {
		return
	}
	given := slices.Clone(s.Ports)
	for i := range s.Ports {
		breath.Often()
		for _, old := range was.Ports {
			if p := &s.Ports[i]; p.NodePort == 0 && p.Name == old.Name && !hasNodePort(given, old.NodePort) {
				p.NodePort = old.NodePort
			}
		}
	}
}
