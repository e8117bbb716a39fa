package describe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// service adds a Service (describe.go:describeService).
func (d *description) service(o *api.Service) {
	d.head(o)
	d.labelled(o)
	s := &o.Spec
	d.line("Selector:\t%s\nType:\t%s", print.LabelText(s.Selector), s.Type)
	d.given("IP Family Policy", print.Given(s.IPFamilyPolicy))
	d.line("IP Families:\t%s\nIP:\t%s\nIPs:\t%s", print.OrNone(strings.Join(s.IPFamilies, ",")), s.ClusterIP, print.OrNone(strings.Join(s.ClusterIPs, ",")))
	d.given("External IPs", strings.Join(s.ExternalIPs, ","))
	d.given("Desired LoadBalancer IP", s.LoadBalancerIP)
	d.given("External Name", s.ExternalName)
	list := d.slicesOf(o)
	for i := range s.Ports {
		d.servicePort(&s.Ports[i], list)
	}
	d.line("Session Affinity:\t%s", s.SessionAffinity)
	d.given("External Traffic Policy", s.ExternalTrafficPolicy)
	d.given("Internal Traffic Policy", print.Given(s.InternalTrafficPolicy))
	d.given("Traffic Distribution", print.Given(s.TrafficDistribution))
}

// servicePort adds a port with its endpoints.
func (d *description) servicePort(p *api.ServicePort, list []*api.EndpointSlice) {
	name := cmp.Or(p.Name, "<unset>")
	d.line("Port:\t%s\t%d/%s\nTargetPort:\t%s/%s", name, p.Port, p.Protocol, p.TargetPort, p.Protocol)
	d.given("AppProtocol", print.Given(p.AppProtocol))
	if p.NodePort != 0 {
		d.line("NodePort:\t%s\t%d/%s", name, p.NodePort, p.Protocol)
	}
	endpoints := print.FirstThree(print.EndpointAddresses(list, p.Name))
	if len(list) == 0 {
		endpoints = print.None
	}
	d.line("Endpoints:\t%s", endpoints)
}

// slicesOf lists the slices of a Service.
func (d *description) slicesOf(s *api.Service) []*api.EndpointSlice {
	return api.Pick(slices.Values(d.All(api.KindEndpointSlice)), func(slice *api.EndpointSlice) bool {
		return slice.Namespace == s.Namespace && slice.Labels[api.ServiceNameLabel] == s.Name
	})
}

// slice adds an EndpointSlice (describe.go:describeEndpointSliceV1).
func (d *description) slice(o *api.EndpointSlice) {
	d.head(o)
	d.labelled(o)
	d.line("AddressType:\t%s", o.AddressType)
	if len(o.Ports) == 0 {
		d.add("Ports: <unset>")
	} else {
		d.add("Ports:\n  Name\tPort\tProtocol\n  ----\t----\t--------")
		for _, p := range o.Ports {
			d.line("  %s\t%d\t%s", cmp.Or(p.Name, "<unset>"), p.Port, p.Protocol)
		}
	}
	if len(o.Endpoints) == 0 {
		d.add("Endpoints: <none>")
		return
	}
	d.add("Endpoints:")
	for _, e := range o.Endpoints {
		d.line("  - Addresses:\t%s\n    Conditions:\n      Ready:\t%t\n    Hostname:\t%s\n    TargetRef:\t%s/%s\n    NodeName:\t%s\n    Zone:\t%s",
			strings.Join(e.Addresses, ", "), e.Conditions.Ready, cmp.Or(e.Hostname, "<unset>"), e.TargetRef.Kind, e.TargetRef.Name,
			cmp.Or(e.NodeName, "<unset>"), cmp.Or(e.Zone, "<unset>"))
	}
}
