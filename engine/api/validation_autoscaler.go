package api

import (
	"strconv"
	"strings"
)

// The longest period of a policy, and the longest window, in seconds.
const (
	policyPeriodMax  = 1800
	stabilizationMax = 3600
)

// ValidateHorizontalPodAutoscaler returns what the API server refuses about a new HorizontalPodAutoscaler (HPA-12), or what
// is not simulated of it.
func ValidateHorizontalPodAutoscaler(h *HorizontalPodAutoscaler) FieldErrors {
	var es FieldErrors
	es.validateMeta(&h.ObjectMeta, true)
	es.validateAutoscalerSpec(&h.Spec)
	return es
}

// ValidateHorizontalPodAutoscalerUpdate returns what the API server refuses about a changed HorizontalPodAutoscaler.
func ValidateHorizontalPodAutoscalerUpdate(h, old *HorizontalPodAutoscaler) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&h.ObjectMeta, &old.ObjectMeta)
	es.validateAutoscalerSpec(&h.Spec)
	return es
}

func (es *FieldErrors) validateAutoscalerSpec(s *HorizontalPodAutoscalerSpec) {
	low := int32(1)
	if s.MinReplicas != nil {
		low = *s.MinReplicas
		es.negative("spec.minReplicas", int64(low))
	}
	switch {
	case s.MaxReplicas == 0:
		es.required("spec.maxReplicas", "must be set and greater than 0")
	case s.MaxReplicas < 0:
		es.invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to 1")
	}
	if s.MinReplicas != nil && s.MaxReplicas < low {
		es.invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to `minReplicas`")
	}
	es.validateScaleTarget("spec.scaleTargetRef", &s.ScaleTargetRef)
	for i := range s.Metrics {
		es.validateMetric("spec.metrics["+strconv.Itoa(i)+"]", &s.Metrics[i])
	}
	if low == 0 {
		es.forbidden("spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas")
	}
	if s.Behavior != nil {
		es.validateScalingRules("spec.behavior.scaleUp", s.Behavior.ScaleUp)
		es.validateScalingRules("spec.behavior.scaleDown", s.Behavior.ScaleDown)
	}
}

// validateScaleTarget checks what is scaled; whether it exists is looked at when it is.
func (es *FieldErrors) validateScaleTarget(field string, ref *CrossVersionObjectReference) {
	for _, part := range [...]struct{ name, value string }{{"kind", ref.Kind}, {"name", ref.Name}} {
		if part.value == "" {
			es.required(field+"."+part.name, "")
		} else {
			es.invalids(field+"."+part.name, part.value, checkPathSegment(part.value))
		}
	}
	switch strings.Count(ref.APIVersion, "/") {
	case 0:
		es.invalid(field+".apiVersion", ref.APIVersion, "apiVersion must specify API group")
	case 1:
	default:
		es.invalid(field+".apiVersion", ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	}
}

// validateMetric checks a metric. Simplified: only the utilization of cpu is simulated, and everything else is refused by
// name, since nothing here would measure it.
func (es *FieldErrors) validateMetric(field string, m *MetricSpec) {
	switch m.Type {
	case ResourceMetric:
	case "":
		es.required(field+".type", "must specify a metric source type")
		return
	case "ContainerResource", "External", "Object", "Pods":
		es.forbidden(field+".type", "rollplay simulates metrics of type Resource only, for the utilization of cpu")
		return
	default:
		es.notSupported(field+".type", m.Type, "ContainerResource", "External", "Object", "Pods", ResourceMetric)
		return
	}
	for _, other := range [...]struct {
		name  string
		value any
	}{{"containerResource", m.ContainerResource}, {"external", m.External}, {"object", m.Object}, {"pods", m.Pods}} {
		if other.value != nil {
			es.forbidden(field+"."+other.name, "must populate the given metric source only")
		}
	}
	if m.Resource == nil {
		es.required(field+".resource", "must populate information for the given metric source")
		return
	}
	es.validateResourceMetric(field+".resource", m.Resource)
}

func (es *FieldErrors) validateResourceMetric(field string, r *ResourceMetricSource) {
	target := field + ".target"
	switch r.Name {
	case "cpu":
	case "":
		es.required(field+".name", "must specify a resource name")
	default:
		es.forbidden(field+".name", "rollplay simulates the use of cpu only")
	}
	switch r.Target.Type {
	case UtilizationTarget, "Value", "AverageValue":
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
	case r.Target.AverageValue != nil:
		es.forbidden(target+".averageValue", "rollplay simulates averageUtilization only")
	case r.Target.AverageUtilization == nil:
		es.required(target+".averageUtilization", "must set either a target raw value or a target utilization")
	}
}

func (es *FieldErrors) validateScalingRules(field string, r *HPAScalingRules) {
	if r == nil {
		return
	}
	if w := r.StabilizationWindowSeconds; w != nil && *w < 0 {
		es.invalid(field+".stabilizationWindowSeconds", *w, "must be greater than or equal to zero")
	} else if w != nil && *w > stabilizationMax {
		es.invalid(field+".stabilizationWindowSeconds", *w, "must be less than or equal to "+strconv.Itoa(stabilizationMax))
	}
	if r.SelectPolicy != nil {
		es.oneOf(field+".selectPolicy", *r.SelectPolicy, DisabledPolicy, MaxChangePolicy, MinChangePolicy)
	}
	if len(r.Policies) == 0 {
		es.required(field+".policies", "must specify at least one Policy")
	}
	for i, p := range r.Policies {
		at := field + ".policies[" + strconv.Itoa(i) + "]"
		es.oneOf(at+".type", p.Type, PercentScalingPolicy, PodsScalingPolicy)
		if p.Value <= 0 {
			es.invalid(at+".value", p.Value, "must be greater than zero")
		}
		if p.PeriodSeconds <= 0 {
			es.invalid(at+".periodSeconds", p.PeriodSeconds, "must be greater than zero")
		} else if p.PeriodSeconds > policyPeriodMax {
			es.invalid(at+".periodSeconds", p.PeriodSeconds, "must be less than or equal to "+strconv.Itoa(policyPeriodMax))
		}
	}
	if r.Tolerance != nil {
		es.validateAmount(field+".tolerance", *r.Tolerance)
	}
}
