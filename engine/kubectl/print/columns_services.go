package print

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

func serviceCells(o api.Object, now int64, wide bool) []string {
	s := o.(*api.Service)
	var ports []string
	for _, p := range s.Spec.Ports {
		number := Count(p.Port)
		if p.NodePort > 0 {
			number += ":" + Count(p.NodePort)
		}
		ports = append(ports, number+"/"+p.Protocol)
	}
	cells := []string{s.Name, s.Spec.Type, OrNone(s.Spec.ClusterIP), externalIP(&s.Spec), OrNone(strings.Join(ports, ",")), AgeOf(&s.ObjectMeta, now)}
	if wide {
		cells = append(cells, LabelText(s.Spec.Selector))
	}
	return cells
}

func externalIP(s *api.ServiceSpec) string {
	switch {
	case s.Type == api.ExternalName:
		return s.ExternalName
	case len(s.ExternalIPs) == 0 && s.Type == api.LoadBalancer:
		return "<pending>"
	}
	return OrNone(strings.Join(s.ExternalIPs, ","))
}

func sliceCells(o api.Object, now int64, _ bool) []string {
	s := o.(*api.EndpointSlice)
	var ports, addresses []string
	for _, p := range s.Ports {
		ports = append(ports, Count(p.Port))
	}
	for _, e := range s.Endpoints {
		addresses = append(addresses, e.Addresses...)
	}
	return []string{s.Name, s.AddressType, cmp.Or(FirstThree(ports), "<unset>"), cmp.Or(FirstThree(addresses), "<unset>"), AgeOf(&s.ObjectMeta, now)}
}

// FirstThree joins three texts, and says how many there are besides.
func FirstThree(list []string) string {
	if len(list) > 3 {
		return strings.Join(list[:3], ",") + fmt.Sprintf(" + %d more...", len(list)-3)
	}
	return strings.Join(list, ",")
}

// EndpointAddresses lists the ready endpoints of some slices for a port of their Service, and all of them for a Service without
// ports.
func EndpointAddresses(list []*api.EndpointSlice, port string) (addresses []string) {
	for _, s := range list {
		for _, e := range s.Endpoints {
			breath.Often()
			if !e.Conditions.Ready {
				continue
			}
			if len(s.Ports) == 0 {
				addresses = append(addresses, e.Addresses[0])
			}
			for _, p := range s.Ports {
				if p.Name == port {
					addresses = append(addresses, e.Addresses[0]+":"+strconv.Itoa(int(p.Port)))
				}
			}
		}
	}
	return addresses
}
