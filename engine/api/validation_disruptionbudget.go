package api

// ValidatePodDisruptionBudget returns what the API server refuses about a new PodDisruptionBudget (P-1). Nothing is named
// after a budget, so its name may be nearly anything; it is looked at only if nothing else is wrong.
func ValidatePodDisruptionBudget(p *PodDisruptionBudget) FieldErrors {
	var es FieldErrors
	es.validateDisruptionBudgetSpec(&p.Spec)
	if len(es) == 0 {
		es.validateMetaNamed(&p.ObjectMeta, true, checkPathSegment)
	}
	return es
}

// ValidatePodDisruptionBudgetUpdate returns what the API server refuses about a changed PodDisruptionBudget.
func ValidatePodDisruptionBudgetUpdate(p, old *PodDisruptionBudget) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&p.ObjectMeta, &old.ObjectMeta)
	es.validateDisruptionBudgetSpec(&p.Spec)
	return es
}

func (es *FieldErrors) validateDisruptionBudgetSpec(s *PodDisruptionBudgetSpec) {
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		es.invalid("spec", s.internal(), "minAvailable and maxUnavailable cannot be both set")
	}
	for _, bound := range [...]struct {
		field string
		value *IntOrString
	}{{"spec.minAvailable", s.MinAvailable}, {"spec.maxUnavailable", s.MaxUnavailable}} {
		if bound.value != nil {
			es.validateIntOrPercent(bound.field, *bound.value)
			es.notMoreThanAll(bound.field, *bound.value)
		}
	}
	if s.Selector != nil {
		es.validateSelector("spec.selector", s.Selector)
	}
	if p := s.UnhealthyPodEvictionPolicy; p != nil {
		es.oneOf("spec.unhealthyPodEvictionPolicy", *p, AlwaysAllow, IfHealthyBudget)
	}
}

// internal returns a spec as the API server prints its own type.
func (s *PodDisruptionBudgetSpec) internal() any {
	return struct {
		MinAvailable               *IntOrString
		Selector                   *LabelSelector
		MaxUnavailable             *IntOrString
		UnhealthyPodEvictionPolicy *string
	}{s.MinAvailable, s.Selector, s.MaxUnavailable, s.UnhealthyPodEvictionPolicy}
}
