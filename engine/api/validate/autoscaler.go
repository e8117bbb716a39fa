package validate

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// The longest period of a policy, and the longest window, in seconds.
const (
	policyPeriodMax  = 1800
	stabilizationMax = 3600
)

// autoscalerSpec checks a HorizontalPodAutoscaler (HPA-12), and rejects values that are not simulated.
func (es *FieldErrors) autoscalerSpec(s *api.HorizontalPodAutoscalerSpec) {
	low := *s.MinReplicas
	es.when(s.MaxReplicas < low).invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to `minReplicas`")
	es.scaleTarget("spec.scaleTargetRef", &s.ScaleTargetRef)
	for i := range s.Metrics {
		es.metric(item("spec.metrics", i), &s.Metrics[i])
	}
	es.when(low == 0).forbidden("spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas")
	if s.Behavior != nil {
		es.scalingRules("spec.behavior.scaleUp", s.Behavior.ScaleUp)
		es.scalingRules("spec.behavior.scaleDown", s.Behavior.ScaleDown)
	}
	// These are declared in the types, and such checks come last.
	es.negative("spec.minReplicas", int64(low))
	switch {
	case s.MaxReplicas == 0:
		es.required("spec.maxReplicas", "")
	case s.MaxReplicas < 0:
		es.invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to 1")
	}
}

// scaleTarget checks the reference; the controller finds out whether the object exists.
func (es *FieldErrors) scaleTarget(field string, ref *api.CrossVersionObjectReference) {
	es.needed(field+".kind", ref.Kind, "", checkPathSegment)
	es.needed(field+".name", ref.Name, "", checkPathSegment)
	switch strings.Count(ref.APIVersion, "/") {
	case 0:
		es.invalid(field+".apiVersion", ref.APIVersion, "apiVersion must specify API group")
	case 1:
	default:
		es.invalid(field+".apiVersion", ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	}
}

// metric checks a metric. Simplified: only the utilization of cpu is simulated, and no pod has a metric of memory. Everything else is
// rejected with a message, since nothing here would measure it.
func (es *FieldErrors) metric(field string, m *api.MetricSpec) {
	switch m.Type {
	case api.ResourceMetric:
	case "":
		es.required(field+".type", "must specify a metric source type")
		return
	case "ContainerResource", "External", "Object", "Pods":
		es.forbidden(field+".type", "rollplay simulates metrics of type Resource only")
		return
	default:
		es.notSupported(field+".type", m.Type, "ContainerResource", "External", "Object", "Pods", api.ResourceMetric)
		return
	}
	for _, other := range [...]struct {
		name  string
		value any
	}{{"containerResource", m.ContainerResource}, {"external", m.External}, {"object", m.Object}, {"pods", m.Pods}} {
		es.when(other.value != nil).forbidden(field+"."+other.name, "must populate the given metric source only")
	}
	if m.Resource == nil {
		es.required(field+".resource", "must populate information for the given metric source")
		return
	}
	es.resourceMetric(field+".resource", m.Resource)
}

func (es *FieldErrors) resourceMetric(field string, r *api.ResourceMetricSource) {
	target := field + ".target"
	switch r.Name {
	case "cpu", "memory":
	case "":
		es.required(field+".name", "must specify a resource name")
	default:
		es.forbidden(field+".name", "rollplay simulates cpu and memory only")
	}
	switch r.Target.Type {
	case api.UtilizationTarget, "Value", "AverageValue":
	case "":
		es.required(target+".type", "must specify a metric target type")
		fallthrough
	default:
		es.invalid(target+".type", r.Target.Type, "must be either Utilization, Value, or AverageValue")
	}
	if u := r.Target.AverageUtilization; u != nil && *u < 1 {
		es.invalid(target+".averageUtilization", *u, "must be greater than 0")
	}
	switch {
	case r.Target.AverageValue != nil && r.Target.AverageUtilization != nil:
		es.forbidden(target+".averageValue", "may not set both a target raw value and a target utilization")
	case r.Target.AverageValue != nil && r.Name == "cpu":
		es.forbidden(target+".averageValue", "rollplay simulates averageUtilization only")
	case r.Target.AverageValue != nil && r.Target.AverageValue.Cmp(api.Quantity{}) <= 0:
		es.invalid(target+".averageValue", r.Target.AverageValue, "must be positive")
	case r.Target.AverageValue == nil && r.Target.AverageUtilization == nil:
		es.required(target+".averageUtilization", "must set either a target raw value or a target utilization")
	}
}

func (es *FieldErrors) scalingRules(field string, r *api.HPAScalingRules) {
	if r == nil {
		return
	}
	if w := r.StabilizationWindowSeconds; w != nil && *w < 0 {
		es.invalid(field+".stabilizationWindowSeconds", *w, "must be greater than or equal to zero")
	} else if w != nil && *w > stabilizationMax {
		es.invalid(field+".stabilizationWindowSeconds", *w, "must be less than or equal to "+strconv.Itoa(stabilizationMax))
	}
	es.oneOfPtr(field+".selectPolicy", r.SelectPolicy, api.DisabledPolicy, api.MaxChangePolicy, api.MinChangePolicy)
	es.when(len(r.Policies) == 0).required(field+".policies", "must specify at least one Policy")
	for i, p := range r.Policies {
		at := item(field+".policies", i)
		es.oneOf(at+".type", p.Type, api.PercentScalingPolicy, api.PodsScalingPolicy)
		es.positive(at+".value", int64(p.Value))
		es.positive(at+".periodSeconds", int64(p.PeriodSeconds))
		es.when(p.PeriodSeconds > policyPeriodMax).
			invalid(at+".periodSeconds", p.PeriodSeconds, "must be less than or equal to "+strconv.Itoa(policyPeriodMax))
	}
	if r.Tolerance != nil {
		es.amount(field+".tolerance", *r.Tolerance)
	}
}
