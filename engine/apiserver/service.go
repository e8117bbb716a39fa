package apiserver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// Allocate gives a Service its address and its ports on the nodes: those that it asks for, or others (E-9;
// registry/core/service/storage). Then it loses what only its type before needed. stored is the Service before, nil for a new one. A dry run
// takes nothing, and gives examples. Whatever has been given is given again; objects of other kinds stay as they are.
//
// Simplified: what comes next follows from the Service's name, not from chance; every cluster has IPv4 addresses alone.
func (c *Client) Allocate(o, stored api.Object, dry bool) error {
	svc, ok := o.(*api.Service)
	if !ok {
		return nil
	}
	a := allocation{services: c.server.Store.Table(api.KindService), about: svc, spec: &svc.Spec, was: &api.ServiceSpec{}, dry: dry}
	a.spec.Ports = slices.Clone(a.spec.Ports)
	if was, ok := stored.(*api.Service); ok {
		a.was = &was.Spec
		keepAllocated(a.spec, a.was)
	}
	for _, step := range []func(){a.families, a.address, a.nodePorts, a.healthPort} {
		if step(); a.err == nil && len(a.wrong) > 0 {
			a.err = &api.StatusError{Reason: api.ReasonInvalid, Message: a.wrong.KubectlMessage(api.KindService, svc.Name)}
		}
		if a.err != nil {
			return a.err
		}
	}
	if stored != nil {
		dropOfType(a.spec, a.was)
	}
	return nil
}

// allocation is what one Service gets.
type allocation struct {
	services  *sim.Table
	about     *api.Service
	spec, was *api.ServiceSpec // was is empty for a new Service
	dry       bool
	took      []int32 // ports of the nodes
	wrong     validate.FieldErrors
	err       error
}

// keepAllocated takes over the address, the port for the checks, and for ports of the same name those of the nodes (storage.go:patchAllocatedValues).
func keepAllocated(s, was *api.ServiceSpec) {
	if s.Type != api.ExternalName && was.Type != api.ExternalName {
		s.ClusterIP = cmp.Or(s.ClusterIP, was.ClusterIP)
		if len(s.ClusterIPs) == 0 {
			s.ClusterIPs = was.ClusterIPs
		}
	}
	if s.ChecksNodes() && was.ChecksNodes() {
		s.HealthCheckNodePort = cmp.Or(s.HealthCheckNodePort, was.HealthCheckNodePort)
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

// families fills in the kinds of addresses (storage.go:normalizeClusterIPs, alloc.go:initIPFamilyFields).
func (a *allocation) families() {
	s := a.spec
	switch changed := s.ClusterIP != a.was.ClusterIP; {
	case changed && s.ClusterIP != "" && slices.Equal(s.ClusterIPs, a.was.ClusterIPs):
		s.ClusterIPs = []string{s.ClusterIP}
	case changed && s.ClusterIP == "" && slices.Equal(s.ClusterIPs, a.was.ClusterIPs):
		s.ClusterIPs = nil
	}
	if s.Type == api.ExternalName {
		return
	}
	bare := s.ClusterIP == api.HeadlessIP && len(s.Selector) == 0 // somebody else adds its endpoints
	policy := "SingleStack"
	if bare {
		policy = "RequireDualStack"
	}
	s.IPFamilyPolicy = cmp.Or(s.IPFamilyPolicy, a.was.IPFamilyPolicy, &policy)
	policy = *s.IPFamilyPolicy
	if policy == "SingleStack" && len(s.IPFamilies) > 1 && slices.Equal(s.IPFamilies, a.was.IPFamilies) {
		s.IPFamilies = s.IPFamilies[:1]
	}
	if policy != "SingleStack" && len(s.IPFamilies) > 0 && len(s.IPFamilies) < len(a.was.IPFamilies) {
		a.wrong = validate.Invalid("spec.ipFamilyPolicy", policy, "must be 'SingleStack' to release the secondary IP family")
		return
	}
	if a.wrong = validate.Addresses(s); len(a.wrong) > 0 {
		return
	}
	if s.IPFamilies = slices.Clone(s.IPFamilies); len(s.IPFamilies) == 0 {
		s.IPFamilies = []string{"IPv4"}
	}
	if bare && policy != "SingleStack" && len(s.IPFamilies) == 1 {
		s.IPFamilies = append(s.IPFamilies, map[string]string{"IPv4": "IPv6", "IPv6": "IPv4"}[s.IPFamilies[0]])
	}
}

// address gives a Service its address, unless it has one (alloc.go:allocClusterIPs).
func (a *allocation) address() {
	s := a.spec
	if s.Type == api.ExternalName || s.ClusterIP == api.HeadlessIP || a.was.Type != "" && a.was.Type != api.ExternalName {
		return
	}
	ip, wanted, refused := s.ClusterIP, s.ClusterIP != "", ""
	inside := validate.InServiceRange(ip)
	switch {
	case !wanted && a.dry:
		ip = api.FirstServiceIP
	case !wanted:
	case !inside && a.dry, ip == api.FirstServiceIP, ip == api.LastServiceIP:
		refused = "the provided IP (" + ip + ") is not in the valid range. The range of valid IPs is 10.96.0.0/12"
	case !inside:
		refused = "the provided network does not match the current range"
	case !a.dry && a.hasAddress(ip):
		refused = "provided IP is already allocated"
	}
	for try := 0; ip == "" || !wanted && a.hasAddress(ip); try++ {
		ip = api.ServiceIP(a.about.Namespace, a.about.Name, try)
	}
	if refused != "" {
		a.wrong = validate.Invalid("spec.clusterIPs", s.ClusterIPs, "failed to allocate IP "+ip+": "+refused)
	}
	s.ClusterIP, s.ClusterIPs = ip, []string{ip}
}

func (a *allocation) hasAddress(ip string) bool {
	for o := range a.services.All() {
		if o.(*api.Service).Spec.ClusterIP == ip {
			return true
		}
	}
	return false
}

// nodePorts gives each port of a Service a port of the nodes (alloc.go:initNodePorts, updateNodePorts). In a new Service, two protocols of one port
// share it.
func (a *allocation) nodePorts() {
	if !mayBeOnNodes(a.spec) {
		return
	}
	shared := map[int32]int32{}
	for i := range a.spec.Ports {
		p := &a.spec.Ports[i]
		field := "spec.ports[" + strconv.Itoa(i) + "].nodePort"
		switch n := shared[p.Port]; {
		case p.NodePort == 0 && !onNodes(a.spec):
		case a.was.Type != "":
			if p.NodePort == 0 || !hasNodePort(a.was.Ports, p.NodePort) && !slices.Contains(a.took, p.NodePort) {
				p.NodePort = a.takePort(field, p.NodePort)
			}
			if k := slices.IndexFunc(a.spec.Ports[:i], func(o api.ServicePort) bool { return o.NodePort == p.NodePort && o.Protocol == p.Protocol }); k >= 0 {
				a.err = &api.StatusError{Message: fmt.Sprintf("duplicate nodePort: {%s %d}", p.Protocol, p.NodePort)}
			}
		case n == 0:
			wish := p.NodePort
			for _, o := range a.spec.Ports {
				if o.Port == p.Port {
					wish = cmp.Or(wish, o.NodePort)
				}
			}
			p.NodePort = a.takePort(field, wish)
			shared[p.Port] = p.NodePort
		case p.NodePort == 0:
			p.NodePort = n
		case p.NodePort != n:
			a.takePort(field, p.NodePort)
		}
		if a.err != nil || len(a.wrong) > 0 {
			return
		}
	}
}

// healthPort gives a Service whose nodes are checked a port for that (alloc.go:allocHealthCheckNodePort).
func (a *allocation) healthPort() {
	if a.spec.ChecksNodes() && !a.was.ChecksNodes() {
		a.spec.HealthCheckNodePort = a.takePort("", a.spec.HealthCheckNodePort)
	}
}

// takePort takes a port of the nodes that a field asks for, or if that is 0, the next one (portallocator).
func (a *allocation) takePort(field string, n int32) int32 {
	refused, wanted := "", n != 0
	switch {
	case !wanted && a.dry:
		n = slices.Max(append(a.took, 32768)) + 1
	case wanted && !a.dry && (n < api.FirstNodePort || n >= api.FirstNodePort+api.NodePorts):
		refused = "provided port is not in the valid range. The range of valid ports is 30000-32767"
	case wanted && a.hasPort(n):
		refused = "provided port is already allocated"
	}
	for try := 0; !wanted && !a.dry && (n == 0 || a.hasPort(n)); try++ {
		if n = api.ServiceNodePort(a.about.Namespace, a.about.Name, try); try == api.NodePorts {
			refused = "range is full"
			break
		}
	}
	a.took = append(a.took, n)
	switch {
	case refused == "":
	case field == "":
		a.err = &api.StatusError{Reason: api.ReasonInternalError,
			Message: fmt.Sprintf("Internal error occurred: failed to allocate requested HealthCheck NodePort %d: %s", n, refused)}
	case !wanted:
		a.err = &api.StatusError{Reason: api.ReasonInternalError, Message: "Internal error occurred: failed to allocate a nodePort: " + refused}
	default:
		a.wrong = validate.Invalid(field, n, refused)
	}
	return n
}

func (a *allocation) hasPort(n int32) bool {
	for o := range a.services.All() {
		if s := &o.(*api.Service).Spec; s.HealthCheckNodePort == n || hasNodePort(s.Ports, n) {
			return true
		}
	}
	return slices.Contains(a.took, n)
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
	if was.Type != api.ExternalName && s.Type == api.ExternalName {
		if s.ClusterIP == was.ClusterIP && slices.Equal(s.ClusterIPs, was.ClusterIPs) {
			s.ClusterIP, s.ClusterIPs = "", nil
		}
		if slices.Equal(s.IPFamilies, was.IPFamilies) {
			s.IPFamilies = nil
		}
		if api.Given(s.IPFamilyPolicy) == api.Given(was.IPFamilyPolicy) {
			s.IPFamilyPolicy = nil
		}
	}
	if was.ChecksNodes() && !s.ChecksNodes() && s.HealthCheckNodePort == was.HealthCheckNodePort {
		s.HealthCheckNodePort = 0
	}
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
	return slices.ContainsFunc(ports, func(p api.ServicePort) bool { return p.NodePort != 0 && !hasNodePort(were, p.NodePort) })
}

func hasNodePort(ports []api.ServicePort, n int32) bool {
	return slices.ContainsFunc(ports, func(p api.ServicePort) bool { return p.NodePort == n })
}
