package endpointslice

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
)

// endpoint returns a pod as an endpoint of a Service (E-1, podToEndpoint).
func endpoint(svc *api.Service, pod *api.Pod, node api.Object) *api.Endpoint {
	e := &api.Endpoint{Addresses: []string{pod.IP()}, NodeName: pod.NodeName,
		TargetRef: api.ObjectReference{Kind: api.KindPod, Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}}
	e.Conditions.Serving, e.Conditions.Terminating = pod.IsReady(), pod.Terminating()
	e.Conditions.Ready = svc.Spec.PublishNotReadyAddresses || e.Conditions.Serving && !e.Conditions.Terminating
	if node != nil {
		e.Zone = node.Meta().Labels[api.ZoneLabel]
	}
	if pod.Hostname != "" && pod.Subdomain == svc.Name {
		e.Hostname = pod.Hostname
	}
	return e
}

// portsOf returns the ports of a Service that a pod has (getEndpointPorts).
func portsOf(svc *api.Service, pod *api.Pod) []api.EndpointPort {
	ports := []api.EndpointPort{}
	for i := range svc.Spec.Ports {
		breath.Often()
		p := &svc.Spec.Ports[i]
		if n := findPort(pod, p); n != 0 {
			ports = append(ports, api.EndpointPort{Name: p.Name, Protocol: p.Protocol, Port: n, AppProtocol: p.AppProtocol})
		}
	}
	sort.Slice(ports, func(i, k int) bool { return ports[i].Name < ports[k].Name })
	return ports
}

// findPort returns the number of a port in a pod: a name is looked up in its containers and sidecars. It is 0 if no port has the name.
func findPort(pod *api.Pod, p *api.ServicePort) int32 {
	if !p.TargetPort.IsString {
		return p.TargetPort.Int
	}
	for i, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		for _, port := range c.Ports {
			has := i < len(pod.Spec.Containers) || c.IsSidecar()
			if has && port.Name == p.TargetPort.Str && port.Protocol == p.Protocol {
				return port.ContainerPort
			}
		}
	}
	return 0
}

// portsKey is equal for equal ports.
func portsKey(ports []api.EndpointPort) string {
	key := ""
	for _, p := range ports {
		app := ""
		if p.AppProtocol != nil {
			app = "=" + *p.AppProtocol
		}
		key += fmt.Sprintf("%s/%s/%d%s ", p.Name, p.Protocol, p.Port, app)
	}
	return key
}

// newSlice returns an empty slice of a Service (newEndpointSlice).
func newSlice(svc *api.Service, ports []api.EndpointPort) *api.EndpointSlice {
	slice := &api.EndpointSlice{AddressType: "IPv4", Ports: ports, Endpoints: []api.Endpoint{}}
	slice.Namespace, slice.GenerateName = svc.Namespace, svc.Name+"-"
	slice.OwnerReferences = []api.OwnerReference{apiserver.ControllerRef(svc)}
	slice.Labels = labelsOf(svc)
	return slice
}

// labelsOf returns the labels of a slice: those of the Service, and three of the controller (setEndpointSliceLabels).
func labelsOf(svc *api.Service) map[string]string {
	labels := ownLabels(svc.Labels)
	if svc.Headless() {
		labels[api.HeadlessLabel] = ""
	}
	labels[api.ServiceNameLabel], labels[api.SliceManagedByLabel] = svc.Name, api.EndpointSliceController
	return labels
}

// ownLabels returns labels without the reserved ones.
func ownLabels(labels map[string]string) map[string]string {
	own := map[string]string{}
	maps.Copy(own, labels)
	for _, reserved := range []string{api.ServiceNameLabel, api.SliceManagedByLabel, api.HeadlessLabel} {
		delete(own, reserved)
	}
	return own
}

// isPlaceholder reports whether a slice is the empty slice of a Service without endpoints. A label with an empty value counts as a
// missing label (placeholderSliceCompare).
func isPlaceholder(slice *api.EndpointSlice, svc *api.Service) bool {
	want := labelsOf(svc)
	return len(slice.Endpoints)+len(slice.Ports) == 0 && covers(slice.Labels, want) && covers(want, slice.Labels)
}

// covers says whether a has the values of b.
func covers(a, b map[string]string) bool {
	for k, v := range b {
		if a[k] != v {
			return false
		}
	}
	return true
}
