package print

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

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
		list = append(list, fmt.Sprintf("%s: %s/%d%%", r.Name, UtilizationText(h, i, "<unknown>"), *r.Target.AverageUtilization))
	}
	if len(list) > 2 {
		return strings.Join(list[:2], ", ") + fmt.Sprintf(" + %d more...", len(list)-2)
	}
	return strings.Join(list, ", ")
}

// UtilizationText prints the present value of a metric in percent.
func UtilizationText(h *api.HorizontalPodAutoscaler, i int, unknown string) string {
	if m := h.Status.CurrentMetrics; i < len(m) && m[i].Resource != nil {
		return fmt.Sprintf("%d%%", *m[i].Resource.Current.AverageUtilization)
	}
	return unknown
}
