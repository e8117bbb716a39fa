package validate

import (
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

// duplicatePorts finds ports that two entries have.
func (es *FieldErrors) duplicatePorts(s *api.ServiceSpec) {
	type port struct {
		protocol string
		number   int32
	}
	seen, nodePorts := map[port]bool{}, map[port]bool{}
	for i, p := range s.Ports {
		path, own, onNode := item("spec.ports", i), port{p.Protocol, p.Port}, port{p.Protocol, p.NodePort}
		switch {
		case p.NodePort != 0 && s.Type == api.ClusterIP:
			es.forbidden(path+".nodePort", "may not be used when `type` is 'ClusterIP'")
		case p.NodePort != 0 && nodePorts[onNode]:
			es.duplicate(path+".nodePort", p.NodePort)
		}
		es.when(seen[own]).duplicate(path, api.ServicePort{Protocol: p.Protocol, Port: p.Port})
		seen[own], nodePorts[onNode] = true, true
	}
}

func (es *FieldErrors) servicePolicies(s *api.ServiceSpec) {
	es.when(s.AllocateLoadBalancerNodePorts != nil && s.Type != api.LoadBalancer).
		forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")
	external := s.Type == api.NodePort || s.Type == api.LoadBalancer || len(s.ExternalIPs) > 0
	switch policy := s.ExternalTrafficPolicy; {
	case !external && policy != "":
		es.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
	case external:
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
