package realserver

import (
	"context"
	"encoding/json"
	"net"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	services "k8s.io/kubernetes/pkg/registry/core/service/storage"

	"github.com/rollplay/rollplay/engine/api"
)

// serviceREST is the registry of Services. It tells the ranges which of them it writes.
type serviceREST struct {
	*services.REST
	ranges *ranges
}

// ranges are the addresses and the ports of nodes that Services have. Upstream draws the next free value; here, our own rule chooses it.
type ranges struct {
	memory *Memory
	ips    ipallocator.Interface
	ports  portallocator.Interface

	mu              sync.Mutex
	namespace, name string // of the Service that is being written
}

// cidr is the range of a cluster that kubeadm has set up.
var cidr = net.IPNet{IP: net.IPv4(10, 96, 0, 0).To4(), Mask: net.CIDRMask(12, 32)}

// newServices makes the registry of Services, and that of their status.
func newServices(m *Memory) (*serviceREST, *services.StatusREST, error) {
	r := &ranges{memory: m}
	m.loaded = r.fill
	m.loaded()
	store, status, _, err := services.NewREST(m, core.IPv4Protocol, map[core.IPFamily]ipallocator.Interface{core.IPv4Protocol: addresses{r.ips, r, false}},
		nodePorts{r.ports, r}, nil, nil, nil)
	return &serviceREST{store, r}, status, err
}

// fill makes new ranges, in which the values of all stored Services are taken. The caller holds the memory's lock.
func (r *ranges) fill() {
	var err error
	if r.ips, err = ipallocator.NewInMemory(&cidr); err == nil {
		r.ports, err = portallocator.NewInMemory(utilnet.PortRange{Base: 30_000, Size: 2768})
	}
	if err != nil {
		panic("realserver: a range of Services: " + err.Error())
	}
	for _, key := range r.memory.under("/services/", true) {
		var s corev1.Service
		if err := json.Unmarshal(r.memory.entries[key].JSON, &s); err != nil {
			panic("realserver: " + key + ": " + err.Error())
		}
		_ = r.ips.Allocate(net.ParseIP(s.Spec.ClusterIP)) // None is no address
		for _, p := range s.Spec.Ports {
			_ = r.ports.Allocate(int(p.NodePort))
		}
		_ = r.ports.Allocate(int(s.Spec.HealthCheckNodePort))
	}
}

// Create implements rest.Creater.
func (s *serviceREST) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	defer s.ranges.about(ctx, obj.(*core.Service).Name)()
	return s.REST.Create(ctx, obj, validate, options)
}

// Update implements rest.Updater.
func (s *serviceREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, allowed bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	defer s.ranges.about(ctx, name)()
	return s.REST.Update(ctx, name, info, create, update, allowed, options)
}

// about says which Service is written until the function that it returns is called.
func (r *ranges) about(ctx context.Context, name string) func() {
	r.mu.Lock()
	r.namespace, r.name = request.NamespaceValue(ctx), name
	return r.mu.Unlock
}

// addresses answer as those of a cluster with one ServiceCIDR (ipallocator.MetaAllocator), without an object for each.
type addresses struct {
	ipallocator.Interface
	ranges *ranges
	dry    bool
}

// Allocate implements ipallocator.Interface.
func (a addresses) Allocate(ip net.IP) error {
	if !a.dry && !cidr.Contains(ip) {
		return ipallocator.ErrMismatchedNetwork
	}
	err := a.ranges.ips.Allocate(ip)
	if a.dry {
		if err == nil {
			return a.ranges.ips.Release(ip)
		}
		if err == ipallocator.ErrAllocated {
			return nil
		}
	}
	return err
}

// AllocateNext implements ipallocator.Interface.
func (a addresses) AllocateNext() (net.IP, error) {
	if a.dry {
		return cidr.IP, nil
	}
	for try := 0; ; try++ {
		ip := net.ParseIP(api.ServiceIP(a.ranges.namespace, a.ranges.name, try))
		if err := a.ranges.ips.Allocate(ip); err != ipallocator.ErrAllocated {
			return ip, err
		}
	}
}

// Release implements ipallocator.Interface.
func (a addresses) Release(ip net.IP) error { return a.ranges.ips.Release(ip) }

// DryRun implements ipallocator.Interface.
func (a addresses) DryRun() ipallocator.Interface { a.dry = true; return a }

// nodePorts are the ports of the nodes.
type nodePorts struct {
	portallocator.Interface
	ranges *ranges
}

// Allocate implements portallocator.Interface.
func (p nodePorts) Allocate(port int) error { return p.ranges.ports.Allocate(port) }

// AllocateNext implements portallocator.Interface.
func (p nodePorts) AllocateNext() (int, error) {
	for try := 0; ; try++ {
		port := int(api.ServiceNodePort(p.ranges.namespace, p.ranges.name, try))
		if err := p.ranges.ports.Allocate(port); err != portallocator.ErrAllocated {
			return port, err
		}
	}
}

// Release implements portallocator.Interface.
func (p nodePorts) Release(port int) error { return p.ranges.ports.Release(port) }

// Has implements portallocator.Interface.
func (p nodePorts) Has(port int) bool { return p.ranges.ports.Has(port) }
