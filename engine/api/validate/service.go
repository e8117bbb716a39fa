package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// serviceSpec checks a Service (core/validation/validation.go:validateService).
//
// Simplified: addresses are not checked.
func (es *FieldErrors) serviceSpec(s *api.ServiceSpec) {
	headless := s.ClusterIP == api.HeadlessIP
	switch {
	case len(s.Ports) == 0 && !headless && s.Type != api.ExternalName:
		es.required("spec.ports", "")
	case headless && (s.Type == api.LoadBalancer || s.Type == api.NodePort):
		es.invalid("spec.clusterIPs[0]", api.HeadlessIP, "may not be set to 'None' for "+s.Type+" services")
	}
	es.when(s.Type == api.ExternalName).needed("spec.externalName", strings.TrimSuffix(s.ExternalName, "."), "", checkSubdomain)
	es.servicePorts(s)
	es.labels("spec.selector", s.Selector)
	es.oneOf("spec.sessionAffinity", s.SessionAffinity, "ClientIP", "None")
	seconds := s.SessionAffinityConfig.Object("clientIP").Number("timeoutSeconds")
	es.when(s.SessionAffinity == "ClientIP" && (seconds < 1 || seconds > 86400)).
		invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, "must be greater than 0 and less than 86400")
	es.when(slices.Contains(s.IPFamilies, "IPv6")).invalid("spec.ipFamilies[0]", "IPv6", "not configured on this cluster")
	es.oneOf("spec.type", s.Type, api.ClusterIP, api.ExternalName, api.LoadBalancer, api.NodePort)
	es.duplicatePorts(s)
	es.servicePolicies(s)
}

func (es *FieldErrors) servicePorts(s *api.ServiceSpec) {
	names := map[string]bool{}
	for i, p := range s.Ports {
		path := item("spec.ports", i)
		switch {
		case p.Name == "" && len(s.Ports) > 1:
			es.required(path+".name", "")
		case p.Name != "":
			es.invalids(path+".name", p.Name, checkLabelName(p.Name))
			es.when(names[p.Name]).duplicate(path+".name", p.Name)
			names[p.Name] = true
		}
		es.invalids(path+".port", p.Port, checkPort(int64(p.Port)))
		es.oneOf(path+".protocol", p.Protocol, "SCTP", "TCP", "UDP")
		es.portOrName(path+".targetPort", p.TargetPort)
		if p.AppProtocol != nil {
			es.invalids(path+".appProtocol", *p.AppProtocol, checkKey(*p.AppProtocol))
		}
	}
}

// duplicatePorts finds ports of nodes that a Service may not have, and ports that two entries have.
func (es *FieldErrors) duplicatePorts(s *api.ServiceSpec) {
	for i, p := range s.Ports {
		es.when(p.NodePort != 0 && s.Type == api.ClusterIP).
			forbidden(item("spec.ports", i)+".nodePort", "may not be used when `type` is 'ClusterIP'")
	}
	seen := map[string]bool{}
	for i, p := range s.Ports {
		onNode := fmt.Sprint(p.Protocol, p.NodePort)
		es.when(p.NodePort != 0 && seen[onNode]).duplicate(item("spec.ports", i)+".nodePort", p.NodePort)
		seen[onNode] = true
	}
	clear(seen)
	for i, p := range s.Ports {
		own := fmt.Sprint(p.Protocol, p.Port)
		if seen[own] {
			es.duplicate(item("spec.ports", i), struct { // as the API server prints its own type
				Name, Protocol             string
				AppProtocol                any
				Port, TargetPort, NodePort int32
			}{Protocol: p.Protocol, Port: p.Port})
		}
		seen[own] = true
	}
}

func (es *FieldErrors) servicePolicies(s *api.ServiceSpec) {
	es.when(s.AllocateLoadBalancerNodePorts != nil && s.Type != api.LoadBalancer).
		forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")
	switch policy := s.ExternalTrafficPolicy; {
	case !s.External() && policy != "":
		es.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
	case s.External():
		es.oneOf("spec.externalTrafficPolicy", policy, "Cluster", api.PolicyLocal)
	}
	es.oneOfPtr("spec.internalTrafficPolicy", s.InternalTrafficPolicy, "Cluster", api.PolicyLocal)
	es.oneOfPtr("spec.trafficDistribution", s.TrafficDistribution, api.PreferClose, api.PreferSameZone, api.PreferSameNode)
}

// serviceUpdate checks a changed Service: its address stays.
func (es *FieldErrors) serviceUpdate(s, old *api.ServiceSpec) {
	both := s.Type != api.ExternalName && old.Type != api.ExternalName && s.ClusterIP != "" && old.ClusterIP != ""
	es.when(both && s.ClusterIP != old.ClusterIP).invalid("spec.clusterIPs[0]", []string{s.ClusterIP}, "may not change once set")
	es.serviceSpec(s)
}
