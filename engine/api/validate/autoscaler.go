package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
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
		breath.Often()
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
	group, _, grouped := strings.Cut(ref.APIVersion, "/")
	switch slashes := strings.Count(ref.APIVersion, "/"); {
	case slashes > 1:
		es.invalid(field+".apiVersion", ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	case !grouped || group == "":
		es.invalid(field+".apiVersion", ref.APIVersion, "apiVersion must specify API group")
	}
}

// metric checks a metric. Simplified: only the utilization of cpu is simulated, and no pod has a metric of memory. Everything else is
// rejected with a message, since nothing here would measure it.
func (es *FieldErrors) metric(field string, m *api.MetricSpec) {
	switch m.Type {
	case "ContainerResource", "External", "Object", "Pods":
		es.forbidden(field+".type", "rollplay simulates metrics of type Resource only")
		return
	}
	known := m.Type == api.ResourceMetric
	es.when(m.Type == "").required(field+".type", "must specify a metric source type")
	es.when(!known).notSupported(field+".type", m.Type, "ContainerResource", "External", "Object", "Pods", api.ResourceMetric)
	if m.Resource != nil {
		es.resourceMetric(field+".resource", m.Resource)
	}
	es.when(known && m.Resource == nil).required(field+".resource", "must populate information for the given metric source")
	var sources []string
	for i, source := range [...]any{m.ContainerResource, m.External, m.Object, m.Pods} {
		if source != nil {
			sources = append(sources, [...]string{"containerResource", "external", "object", "pods"}[i])
		}
	}
	if m.Resource != nil {
		sources = append(sources, "resource")
	}
	for _, name := range sources {
		wrong := len(sources) > 1 && !(known && name == "resource")
		es.when(wrong).forbidden(field+"."+name, "must populate the given metric source only")
	}
}

func (es *FieldErrors) resourceMetric(field string, r *api.ResourceMetricSource) {
	target, t := field+".target", &r.Target
	switch r.Name {
	case "cpu", "memory":
	case "":
		es.required(field+".name", "must specify a resource name")
	default:
		es.forbidden(field+".name", "rollplay simulates cpu and memory only")
	}
	es.when(t.Type == "").required(target+".type", "must specify a metric target type")
	if !slices.Contains([]string{api.UtilizationTarget, "Value", "AverageValue"}, t.Type) {
		es.invalid(target+".type", t.Type, "must be either Utilization, Value, or AverageValue")
	}
	es.positiveAmount(target+".value", t.Value)
	es.positiveAmount(target+".averageValue", t.AverageValue)
	if u := t.AverageUtilization; u != nil && *u < 1 {
		es.invalid(target+".averageUtilization", *u, "must be greater than 0")
	}
	switch {
	case t.AverageValue != nil && t.AverageUtilization != nil:
		es.forbidden(target+".averageValue", "may not set both a target raw value and a target utilization")
	case t.AverageValue != nil && r.Name == "cpu":
		es.forbidden(target+".averageValue", "rollplay simulates averageUtilization only")
	case t.AverageValue == nil && t.AverageUtilization == nil:
		es.required(target+".averageUtilization", "must set either a target raw value or a target utilization")
	}
}

func (es *FieldErrors) positiveAmount(field string, q *api.Quantity) {
	if q != nil && q.Cmp(api.Quantity{}) <= 0 {
		es.invalid(field, q, "must be positive")
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
