package describe

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// autoscaler adds a HorizontalPodAutoscaler (describe.go:describeHorizontalPodAutoscalerV2).
func (d *description) autoscaler(h *api.HorizontalPodAutoscaler) {
	s := &h.Spec
	d.head(h)
	d.labelled(h)
	d.line("CreationTimestamp:\t%s", date(h.CreationTimestamp))
	d.line("Reference:\t%s/%s", s.ScaleTargetRef.Kind, s.ScaleTargetRef.Name)
	d.line("Metrics:\t( current / target )")
	for i := range s.Metrics {
		r := s.Metrics[i].Resource
		current := print.UtilizationText(h, i, "")
		if current == "" {
			current = "<unknown>"
		} else {
			current += " (" + h.Status.CurrentMetrics[i].Resource.Current.AverageValue.String() + ")"
		}
		d.line("  resource %s on pods  (as a percentage of request):\t%s / %d%%", r.Name, current, *r.Target.AverageUtilization)
	}
	d.line("Min replicas:\t%d", print.Given(s.MinReplicas))
	d.line("Max replicas:\t%d", s.MaxReplicas)
	if s.Behavior != nil {
		d.add("Behavior:")
		d.scalingRules("Scale Up", s.Behavior.ScaleUp)
		d.scalingRules("Scale Down", s.Behavior.ScaleDown)
	}
	d.line("%s pods:\t%d current / %d desired", s.ScaleTargetRef.Kind, h.Status.CurrentReplicas, h.Status.DesiredReplicas)
	d.conditions("Conditions:\n  Type\tStatus\tReason\tMessage\n  ----\t------\t------\t-------", h.Status.Conditions, func(c *api.Condition) {
		d.line("  %s\t%s\t%s\t%s", c.Type, c.Status, c.Reason, c.Message)
	})
}

// scalingRules adds how fast the replicas may change in one direction.
func (d *description) scalingRules(direction string, r *api.HPAScalingRules) {
	d.line("  %s:", direction)
	if w := r.StabilizationWindowSeconds; w != nil {
		d.line("    Stabilization Window: %d seconds", *w)
	}
	d.line("    Select Policy: %s\n    Policies:", *r.SelectPolicy)
	for _, p := range r.Policies {
		d.line("      - Type: %s\tValue: %d\tPeriod: %d seconds", p.Type, p.Value, p.PeriodSeconds)
	}
}
