package validate

import "github.com/rollplay/rollplay/engine/api"

// disruptionBudgetSpec checks a PodDisruptionBudget (P-1).
func (es *FieldErrors) disruptionBudgetSpec(s *api.PodDisruptionBudgetSpec) {
	es.when(s.MinAvailable != nil && s.MaxUnavailable != nil).invalid("spec", internalBudget(*s), "minAvailable and maxUnavailable cannot be both set")
	for _, bound := range [...]struct {
		field string
		value *api.IntOrString
	}{{"spec.minAvailable", s.MinAvailable}, {"spec.maxUnavailable", s.MaxUnavailable}} {
		if bound.value != nil {
			es.intOrPercent(bound.field, *bound.value)
			es.notMoreThanAll(bound.field, *bound.value)
		}
	}
	es.selector(s.Selector)
	es.oneOfPtr("spec.unhealthyPodEvictionPolicy", s.UnhealthyPodEvictionPolicy, api.AlwaysAllow, api.IfHealthyBudget)
}

// internalBudget is a spec as the API server prints its own type.
type internalBudget struct {
	MinAvailable               *api.IntOrString
	Selector                   *api.LabelSelector
	MaxUnavailable             *api.IntOrString
	UnhealthyPodEvictionPolicy *string
}
