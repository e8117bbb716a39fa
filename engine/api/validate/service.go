package validate

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// serviceSpec checks a Service (core/validation/validation.go:validateService).
//
// Simplified: externalIPs and the ranges of a load balancer's clients are not checked.
func (es *FieldErrors) serviceSpec(s *api.ServiceSpec) {
	headless := len(s.ClusterIPs) == 1 && s.ClusterIPs[0] == api.HeadlessIP || len(s.ClusterIPs) == 0 && s.ClusterIP == api.HeadlessIP
	switch {
	case len(s.Ports) == 0 && !headless && s.Type != api.ExternalName:
		es.required("spec.ports", "")
	case headless && (s.Type == api.LoadBalancer || s.Type == api.NodePort):
		es.invalid("spec.clusterIPs[0]", api.HeadlessIP, "may not be set to 'None' for "+s.Type+" services")
	}
	if s.Type == api.ExternalName {
		es.when(len(s.ClusterIPs) > 0).forbidden("spec.clusterIPs", "may not be set for ExternalName services")
		es.when(len(s.IPFamilies) > 0).forbidden("spec.ipFamilies", "may not be set for ExternalName services")
		es.when(s.IPFamilyPolicy != nil).forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services")
		es.needed("spec.externalName", strings.TrimSuffix(s.ExternalName, "."), "", checkSubdomain)
	}
	es.servicePorts(s)
	es.labels("spec.selector", s.Selector)
	es.oneOf("spec.sessionAffinity", s.SessionAffinity, "ClientIP", "None")
	seconds := s.SessionAffinityConfig.Object("clientIP").Number("timeoutSeconds")
	es.when(s.SessionAffinity == "ClientIP" && (seconds < 1 || seconds > 86400)).
		invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, "must be greater than 0 and less than 86400")
	*es = append(*es, Addresses(s)...)
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
	if class := s.LoadBalancerClass; class != nil && s.Type == api.LoadBalancer {
		es.invalids("spec.loadBalancerClass", *class, checkKey(*class))
	} else if class != nil {
		es.forbidden("spec.loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")
	}
	switch policy := s.ExternalTrafficPolicy; {
	case !s.External() && policy != "":
		es.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
	case s.External():
		es.oneOf("spec.externalTrafficPolicy", policy, "Cluster", api.PolicyLocal)
	}
	const healthPort = "spec.healthCheckNodePort"
	switch n := s.HealthCheckNodePort; {
	case n == 0: // the server gives one
	case s.ChecksNodes():
		es.invalids(healthPort, n, checkPort(int64(n)))
	default:
		es.invalid(healthPort, n, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")
	}
	es.oneOfPtr("spec.internalTrafficPolicy", s.InternalTrafficPolicy, "Cluster", api.PolicyLocal)
	es.oneOfPtr("spec.trafficDistribution", s.TrafficDistribution, api.PreferClose, api.PreferSameZone, api.PreferSameNode)
}

// serviceUpdate checks a changed Service: its address and its load balancer's class stay.
func (es *FieldErrors) serviceUpdate(s, old *api.ServiceSpec) {
	if s.Type != api.ExternalName && old.Type != api.ExternalName && !(s.ClusterIP == api.HeadlessIP && old.ClusterIP == api.HeadlessIP) {
		es.keptAddresses(s, old)
	}
	es.when(s.Type == api.LoadBalancer && old.Type == api.LoadBalancer && api.Given(s.LoadBalancerClass) != api.Given(old.LoadBalancerClass)).
		invalid("spec.loadBalancerClass", s.LoadBalancerClass, "may not change once set")
	es.when(s.ChecksNodes() && old.ChecksNodes() && s.HealthCheckNodePort != old.HealthCheckNodePort).
		forbidden("spec.healthCheckNodePort", "field is immutable")
	es.serviceSpec(s)
}

// keptAddresses checks that the first address stays (validation.go:validateUpgradeDowngradeClusterIPs).
func (es *FieldErrors) keptAddresses(s, old *api.ServiceSpec) {
	switch {
	case len(s.ClusterIPs) == 0 && len(old.ClusterIPs) > 0:
		es.invalid("spec.clusterIPs[0]", s.ClusterIPs, "primary clusterIP can not be unset")
	case len(old.ClusterIPs) > 0 && s.ClusterIPs[0] != old.ClusterIPs[0]:
		es.invalid("spec.clusterIPs[0]", s.ClusterIPs, "may not change once set")
	}
}
