package api

import (
	"math"
	"strconv"
	"strings"
)

// ValidateDeployment returns what the API server refuses about a new Deployment (D-8 to D-19).
func ValidateDeployment(d *Deployment) FieldErrors {
	var es FieldErrors
	es.validateMeta(&d.ObjectMeta, true)
	es.validateDeploymentSpec(&d.Spec, nil)
	return es
}

// ValidateDeploymentUpdate returns what the API server refuses about a changed Deployment (D-16).
func ValidateDeploymentUpdate(d, old *Deployment) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&d.ObjectMeta, &old.ObjectMeta)
	es.validateDeploymentSpec(&d.Spec, &old.Spec.Template)
	es.immutableSelector(d.Spec.Selector, old.Spec.Selector)
	return es
}

// ValidateReplicaSet returns what the API server refuses about a new ReplicaSet.
func ValidateReplicaSet(r *ReplicaSet) FieldErrors {
	var es FieldErrors
	es.validateMeta(&r.ObjectMeta, true)
	es.validateReplicaSetSpec(&r.Spec, nil)
	return es
}

// ValidateReplicaSetUpdate returns what the API server refuses about a changed ReplicaSet.
func ValidateReplicaSetUpdate(r, old *ReplicaSet) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&r.ObjectMeta, &old.ObjectMeta)
	es.validateReplicaSetSpec(&r.Spec, &old.Spec.Template)
	es.immutableSelector(r.Spec.Selector, old.Spec.Selector)
	return es
}

func (es *FieldErrors) validateDeploymentSpec(s *DeploymentSpec, oldTemplate *PodTemplateSpec) {
	es.negativePtr("spec.replicas", s.Replicas)
	es.validateSelectorAndTemplate(s.Selector, &s.Template, oldTemplate)
	es.validateStrategy(&s.Strategy)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.negativePtr("spec.revisionHistoryLimit", s.RevisionHistoryLimit)
	es.negativePtr("spec.progressDeadlineSeconds", s.ProgressDeadlineSeconds)
	if p := s.ProgressDeadlineSeconds; p != nil && *p <= s.MinReadySeconds {
		es.invalid("spec.progressDeadlineSeconds", *p, "must be greater than minReadySeconds")
	}
}

func (es *FieldErrors) validateReplicaSetSpec(s *ReplicaSetSpec, oldTemplate *PodTemplateSpec) {
	es.negativePtr("spec.replicas", s.Replicas)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.validateSelectorAndTemplate(s.Selector, &s.Template, oldTemplate)
}

// validateSelectorAndTemplate checks what Deployment and ReplicaSet have in common (D-15, D-19); the text about the
// empty selector speaks of a deployment for both. A selector that is missing matches nothing and so not the template
// either; one that cannot be read hides the errors of the template.
func (es *FieldErrors) validateSelectorAndTemplate(s *LabelSelector, t, old *PodTemplateSpec) {
	if s == nil {
		es.required("spec.selector", "")
	} else {
		before := len(*es)
		es.validateSelector("spec.selector", s)
		unreadable := len(*es) > before
		if s.Empty() {
			es.invalid("spec.selector", s, "empty selector is invalid for deployment")
		}
		if unreadable {
			es.invalid("spec.selector", s, "invalid label selector")
			return
		}
	}
	if !s.Matches(t.Labels) {
		es.invalid("spec.template.metadata.labels", t.Labels, "`selector` does not match template `labels`")
	}
	es.validateTemplate(t, old, "ReplicaSet", nil)
}

// validateTemplate checks a pod template (D-19). The path of its labels lacks `metadata`, as upstream's does. For a
// Deployment the texts speak of its ReplicaSet. A change, if there is one, is made to the spec before it is looked at.
func (es *FieldErrors) validateTemplate(t, old *PodTemplateSpec, kind string, change func(spec map[string]any)) {
	es.validateLabels("spec.template.labels", t.Labels)
	es.validateAnnotations("spec.template.annotations", t.Annotations)
	es.validateDeletionCost("spec.template.annotations", t.Annotations)
	if old != nil && old.Spec == t.Spec {
		return // it was valid when it was stored, and specs do not change
	}
	tree := t.Spec.tree()
	if change != nil {
		change(tree)
	}
	es.validatePodSpec("spec.template.spec", tree)
	if len(items(tree, "ephemeralContainers")) > 0 {
		es.forbidden("spec.template.spec.ephemeralContainers", "ephemeral containers not allowed in pod template")
	}
	es.oneOf("spec.template.spec.restartPolicy", text(tree, "restartPolicy"), "Always")
	if _, ok := tree["activeDeadlineSeconds"]; ok {
		es.forbidden("spec.template.spec.activeDeadlineSeconds", "activeDeadlineSeconds in "+kind+" is not Supported")
	}
}

// validateDeletionCost checks the annotation that ranks pods for deletion. A plus sign and leading zeros are
// refused.
func (es *FieldErrors) validateDeletionCost(field string, annotations map[string]string) {
	v, ok := annotations[PodDeletionCostAnnotation]
	if !ok {
		return
	}
	_, err := strconv.ParseInt(v, 10, 32)
	if err != nil || v[0] == '+' || v[0] == '0' && v != "0" {
		es.invalid(field+"["+PodDeletionCostAnnotation+"]", v, "must be a 32bit integer")
	}
}

// validateStrategy checks the strategy (D-8 to D-14). What is not supported is printed as Go's JSON of the API
// server's internal type, without the field names that people know.
func (es *FieldErrors) validateStrategy(s *DeploymentStrategy) {
	switch s.Type {
	case Recreate:
		if s.RollingUpdate != nil {
			es.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
		}
	case RollingUpdate:
		if s.RollingUpdate == nil {
			es.required("spec.strategy.rollingUpdate", "this should be defaulted and never be nil")
			return
		}
		es.validateRollingUpdate(s.RollingUpdate)
	default:
		es.notSupported("spec.strategy", s.internal(), Recreate, RollingUpdate)
	}
}

// internal returns a strategy as the API server prints its own type.
func (s *DeploymentStrategy) internal() any {
	type rollingUpdate struct{ MaxUnavailable, MaxSurge IntOrString }
	v := struct {
		Type          string
		RollingUpdate *rollingUpdate
	}{Type: s.Type}
	if r := s.RollingUpdate; r != nil {
		v.RollingUpdate = &rollingUpdate{valueOf(r.MaxUnavailable), valueOf(r.MaxSurge)}
	}
	return v
}

func (es *FieldErrors) validateRollingUpdate(r *RollingUpdateDeployment) {
	const maxUnavailable, maxSurge = "spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy.rollingUpdate.maxSurge"
	unavailable, surge := valueOf(r.MaxUnavailable), valueOf(r.MaxSurge)
	es.validateIntOrPercent(maxUnavailable, unavailable)
	es.validateIntOrPercent(maxSurge, surge)
	if looseNumber(unavailable) == 0 && looseNumber(surge) == 0 {
		es.invalid(maxUnavailable, unavailable, "may not be 0 when `maxSurge` is 0")
	}
	es.notMoreThanAll(maxUnavailable, unavailable)
}

// notMoreThanAll refuses more than 100% (D-9); a number may be as large as it likes.
func (es *FieldErrors) notMoreThanAll(field string, v IntOrString) {
	if v.IsString && len(checkPercent(v.Str)) == 0 && looseNumber(v) > 100 {
		es.invalid(field, v, "must not be greater than 100%")
	}
}

func (es *FieldErrors) validateIntOrPercent(field string, v IntOrString) {
	if v.IsString {
		es.invalids(field, v, checkPercent(v.Str))
		return
	}
	es.negative(field, int64(v.Int))
}

// looseNumber returns the number of a bound, with or without the % sign; 0 for any other text (D-12).
func looseNumber(v IntOrString) int64 {
	if !v.IsString {
		return int64(v.Int)
	}
	s := v.Str
	if len(checkPercent(s)) == 0 {
		s = strings.TrimSuffix(s, "%")
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && n != math.MaxInt64 {
		return 0
	}
	return n
}

func valueOf(v *IntOrString) IntOrString {
	if v == nil {
		return IntOrString{}
	}
	return *v
}

func (es *FieldErrors) immutableSelector(s, old *LabelSelector) {
	if !s.Equal(old) {
		es.invalid("spec.selector", s, "field is immutable")
	}
}

func (es *FieldErrors) negativePtr(field string, n *int32) {
	if n != nil {
		es.negative(field, int64(*n))
	}
}
