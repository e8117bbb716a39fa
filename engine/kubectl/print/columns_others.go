package print

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// statefulSetCells prints a StatefulSet (K-42).
func statefulSetCells(o api.Object, now int64, wide bool) []string {
	s := o.(*api.StatefulSet)
	cells := []string{s.Name, Count(s.Status.ReadyReplicas) + "/" + Count(Given(s.Spec.Replicas)), AgeOf(&s.ObjectMeta, now)}
	if wide {
		cells = append(cells, templateCells(&s.Spec.Template, nil, wide)[:2]...)
	}
	return cells
}

// daemonSetCells prints a DaemonSet (K-43).
func daemonSetCells(o api.Object, now int64, wide bool) []string {
	d := o.(*api.DaemonSet)
	s := &d.Status
	return append([]string{d.Name, Count(s.DesiredNumberScheduled), Count(s.CurrentNumberScheduled), Count(s.NumberReady),
		Count(s.UpdatedNumberScheduled), Count(s.NumberAvailable), LabelText(d.Spec.Template.Spec.NodeSelector), AgeOf(&d.ObjectMeta, now)},
		templateCells(&d.Spec.Template, d.Spec.Selector, wide)...)
}

// autoscalerCells prints a HorizontalPodAutoscaler.
func autoscalerCells(o api.Object, now int64, _ bool) []string {
	h := o.(*api.HorizontalPodAutoscaler)
	s := &h.Spec
	return []string{h.Name, s.ScaleTargetRef.Kind + "/" + s.ScaleTargetRef.Name, TargetsText(h), Count(Given(s.MinReplicas)),
		Count(s.MaxReplicas), Count(h.Status.CurrentReplicas), AgeOf(&h.ObjectMeta, now)}
}

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
