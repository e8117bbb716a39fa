package validate

import "github.com/rollplay/rollplay/engine/api"

// daemonSetSpec checks a spec. Unlike with the other kinds, a missing selector only fails to match the template, and an
// unreadable selector does not hide the errors of the template.
func (es *FieldErrors) daemonSetSpec(s *api.DaemonSetSpec, oldTemplate *api.PodTemplateSpec) {
	mismatch := es.selector(s.Selector) && !s.Selector.Matches(s.Template.Labels)
	es.when(mismatch).invalid("spec.template.metadata.labels", s.Template.Labels, "`selector` does not match template `labels`")
	es.when(s.Selector != nil && s.Selector.Empty()).invalid("spec.selector", s.Selector, "empty selector is invalid for daemonset")
	es.template(&s.Template, oldTemplate, "DaemonSet", nil)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.daemonSetStrategy(&s.UpdateStrategy)
	es.negative("spec.revisionHistoryLimit", int64(*s.RevisionHistoryLimit))
}

// daemonSetStrategy checks how pods are replaced: of the two bounds exactly one must be more than 0 (DS-2).
func (es *FieldErrors) daemonSetStrategy(u *api.DaemonSetUpdateStrategy) {
	const maxUnavailable, maxSurge = "spec.updateStrategy.rollingUpdate.maxUnavailable", "spec.updateStrategy.rollingUpdate.maxSurge"
	switch {
	case u.Type == api.OnDelete:
		return
	case u.Type != api.RollingUpdate:
		es.notSupported("spec.updateStrategy", internalStrategy(u), api.RollingUpdate, api.OnDelete)
		return
	}
	unavailable, surge := api.Given(u.RollingUpdate.MaxUnavailable), api.Given(u.RollingUpdate.MaxSurge)
	es.intOrPercent(maxUnavailable, unavailable)
	es.intOrPercent(maxSurge, surge)
	es.notMoreThanAll(maxUnavailable, unavailable)
	es.notMoreThanAll(maxSurge, surge)
	switch hasUnavailable, hasSurge := looseNumber(unavailable) != 0, looseNumber(surge) != 0; {
	case hasUnavailable && hasSurge:
		es.invalid(maxSurge, surge, "may not be set when maxUnavailable is non-zero")
	case !hasUnavailable && !hasSurge:
		es.required(maxUnavailable, "cannot be 0 when maxSurge is 0")
	}
}
