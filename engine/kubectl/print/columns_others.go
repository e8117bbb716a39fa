package print

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// TargetsText prints the first two metrics with their targets: cpu: 45%/80%.
func TargetsText(h *api.HorizontalPodAutoscaler) string {
	var list []string
	for i := range h.Spec.Metrics {
		r := h.Spec.Metrics[i].Resource
		now := "<unknown>"
		if m := h.Status.CurrentMetrics; i < len(m) && m[i].Resource != nil {
			now = fmt.Sprintf("%d%%", *m[i].Resource.Current.AverageUtilization)
		}
		list = append(list, fmt.Sprintf("%s: %s/%d%%", r.Name, now, *r.Target.AverageUtilization))
	}
	if len(list) > 2 {
		return strings.Join(list[:2], ", ") + fmt.Sprintf(" + %d more...", len(list)-2)
	}
	return strings.Join(list, ", ")
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
