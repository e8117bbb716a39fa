package api

// ValidateDaemonSet returns what the API server refuses about a new DaemonSet (DS-2).
func ValidateDaemonSet(d *DaemonSet) FieldErrors {
	var es FieldErrors
	es.validateMeta(&d.ObjectMeta, true)
	es.validateDaemonSetSpec(&d.Spec, nil)
	return es
}

// ValidateDaemonSetUpdate returns what the API server refuses about a changed DaemonSet. Its selector stays (D-16).
func ValidateDaemonSetUpdate(d, old *DaemonSet) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&d.ObjectMeta, &old.ObjectMeta)
	es.immutableSelector(d.Spec.Selector, old.Spec.Selector)
	es.validateDaemonSetSpec(&d.Spec, &old.Spec.Template)
	return es
}

// validateDaemonSetSpec checks a spec. Unlike with the other kinds, a selector that is missing is only found not to match
// the template, and one that cannot be read does not hide what is wrong there.
func (es *FieldErrors) validateDaemonSetSpec(s *DaemonSetSpec, oldTemplate *PodTemplateSpec) {
	unreadable := false
	if s.Selector != nil {
		before := len(*es)
		es.validateSelector("spec.selector", s.Selector)
		unreadable = len(*es) > before
	}
	if !unreadable && !s.Selector.Matches(s.Template.Labels) {
		es.invalid("spec.template.metadata.labels", s.Template.Labels, "`selector` does not match template `labels`")
	}
	if s.Selector != nil && s.Selector.Empty() {
		es.invalid("spec.selector", s.Selector, "empty selector is invalid for daemonset")
	}
	es.validateTemplate(&s.Template, oldTemplate, "DaemonSet", nil)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.validateDaemonSetStrategy(&s.UpdateStrategy)
	es.negativePtr("spec.revisionHistoryLimit", s.RevisionHistoryLimit)
}

// validateDaemonSetStrategy checks how pods are replaced: of the two bounds exactly one must be more than 0 (DS-2).
func (es *FieldErrors) validateDaemonSetStrategy(u *DaemonSetUpdateStrategy) {
	const maxUnavailable, maxSurge = "spec.updateStrategy.rollingUpdate.maxUnavailable", "spec.updateStrategy.rollingUpdate.maxSurge"
	switch {
	case u.Type == OnDelete:
		return
	case u.Type != RollingUpdate:
		s := DeploymentStrategy(*u)
		es.notSupported("spec.updateStrategy", s.internal(), RollingUpdate, OnDelete)
		return
	case u.RollingUpdate == nil:
		es.required("spec.updateStrategy.rollingUpdate", "")
		return
	}
	unavailable, surge := valueOf(u.RollingUpdate.MaxUnavailable), valueOf(u.RollingUpdate.MaxSurge)
	es.validateIntOrPercent(maxUnavailable, unavailable)
	es.validateIntOrPercent(maxSurge, surge)
	es.notMoreThanAll(maxUnavailable, unavailable)
	es.notMoreThanAll(maxSurge, surge)
	switch hasUnavailable, hasSurge := looseNumber(unavailable) != 0, looseNumber(surge) != 0; {
	case hasUnavailable && hasSurge:
		es.invalid(maxSurge, surge, "may not be set when maxUnavailable is non-zero")
	case !hasUnavailable && !hasSurge:
		es.required(maxUnavailable, "cannot be 0 when maxSurge is 0")
	}
}
