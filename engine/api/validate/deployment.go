package validate

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// deploymentSpec checks a Deployment (D-8 to D-19), a changed one too (D-16).
func (es *FieldErrors) deploymentSpec(s *api.DeploymentSpec, oldTemplate *api.PodTemplateSpec) {
	es.negative("spec.replicas", int64(*s.Replicas))
	es.selectorAndTemplate(s.Selector, &s.Template, oldTemplate)
	es.strategy(&s.Strategy)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.negative("spec.revisionHistoryLimit", int64(*s.RevisionHistoryLimit))
	deadline := *s.ProgressDeadlineSeconds
	es.negative("spec.progressDeadlineSeconds", int64(deadline))
	es.when(deadline <= s.MinReadySeconds).invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")
}

// replicaSetSpec checks a ReplicaSet.
func (es *FieldErrors) replicaSetSpec(s *api.ReplicaSetSpec, oldTemplate *api.PodTemplateSpec) {
	es.negative("spec.replicas", int64(*s.Replicas))
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	es.selectorAndTemplate(s.Selector, &s.Template, oldTemplate)
}

// selectorAndTemplate checks what Deployment and ReplicaSet have in common (D-15, D-19); the text about the empty selector
// speaks of a deployment for both.
func (es *FieldErrors) selectorAndTemplate(s *api.LabelSelector, t, old *api.PodTemplateSpec) {
	if es.selectorOf(t, s, "deployment", "invalid label selector") {
		es.template(t, old, "ReplicaSet", nil)
	}
}

// selectorOf checks the selector of a template. A missing selector matches nothing, so not the template either. It returns
// false for a selector that cannot be read: its errors hide those of the template.
func (es *FieldErrors) selectorOf(t *api.PodTemplateSpec, s *api.LabelSelector, kind, unreadable string) bool {
	if s == nil {
		es.required("spec.selector", "")
	} else {
		readable := es.selector(s)
		es.when(s.Empty()).invalid("spec.selector", s, "empty selector is invalid for "+kind)
		if !readable {
			es.invalid("spec.selector", s, unreadable)
			return false
		}
	}
	es.when(!s.Matches(t.Labels)).invalid("spec.template.metadata.labels", t.Labels, "`selector` does not match template `labels`")
	return true
}

// template checks a pod template (D-19). The path of its labels lacks `metadata`, as upstream's does. For a
// Deployment the texts speak of its ReplicaSet. change, unless nil, edits the spec that is checked.
func (es *FieldErrors) template(t, old *api.PodTemplateSpec, kind string, change func(spec api.Fields)) {
	es.labelsAndAnnotations("spec.template", t.Labels, t.Annotations)
	es.deletionCost("spec.template.annotations", t.Annotations)
	if old != nil && old.Spec == t.Spec {
		return // it was valid when it was stored, and specs do not change
	}
	tree := t.Spec.Tree()
	if change != nil {
		tree = maps.Clone(tree)
		change(tree)
	}
	es.podSpec("spec.template.spec", tree)
	ephemeral := len(tree.Items("ephemeralContainers")) > 0
	es.when(ephemeral).forbidden("spec.template.spec.ephemeralContainers", "ephemeral containers not allowed in pod template")
	es.endless(tree, kind)
}

// endless checks that the pods of a template run until they are deleted.
func (es *FieldErrors) endless(spec api.Fields, kind string) {
	es.oneOf("spec.template.spec.restartPolicy", spec.Text("restartPolicy"), "Always")
	_, ends := spec["activeDeadlineSeconds"]
	es.when(ends).forbidden("spec.template.spec.activeDeadlineSeconds", "activeDeadlineSeconds in "+kind+" is not Supported")
}

// deletionCost checks the annotation that ranks pods for deletion. A plus sign and leading zeros are invalid.
func (es *FieldErrors) deletionCost(field string, annotations map[string]string) {
	v, ok := annotations[api.PodDeletionCostAnnotation]
	_, err := strconv.ParseInt(v, 10, 32)
	wrong := err != nil || v[0] == '+' || v[0] == '0' && v != "0"
	es.when(ok && wrong).invalid(field+"["+api.PodDeletionCostAnnotation+"]", v, "must be a 32bit integer")
}

// strategy checks the strategy (D-8 to D-14). What is not supported is printed as Go's JSON of the API
// server's internal type, without the field names that people know.
func (es *FieldErrors) strategy(s *api.DeploymentStrategy) {
	switch s.Type {
	case api.Recreate:
		es.when(s.RollingUpdate != nil).forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
	case api.RollingUpdate:
		es.rollingUpdate(s.RollingUpdate)
	default:
		es.notSupported("spec.strategy", internalStrategy(s), api.Recreate, api.RollingUpdate)
	}
}

// internalStrategy returns a strategy as the API server prints its own type.
func internalStrategy(s *api.DeploymentStrategy) any {
	type rollingUpdate struct{ MaxUnavailable, MaxSurge api.IntOrString }
	v := struct {
		Type          string
		RollingUpdate *rollingUpdate
	}{Type: s.Type}
	if r := s.RollingUpdate; r != nil {
		v.RollingUpdate = &rollingUpdate{api.Given(r.MaxUnavailable), api.Given(r.MaxSurge)}
	}
	return v
}

func (es *FieldErrors) rollingUpdate(r *api.RollingUpdateDeployment) {
	const maxUnavailable, maxSurge = "spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy.rollingUpdate.maxSurge"
	unavailable, surge := api.Given(r.MaxUnavailable), api.Given(r.MaxSurge)
	es.intOrPercent(maxUnavailable, unavailable)
	es.intOrPercent(maxSurge, surge)
	es.when(looseNumber(unavailable) == 0 && looseNumber(surge) == 0).invalid(maxUnavailable, unavailable, "may not be 0 when `maxSurge` is 0")
	es.notMoreThanAll(maxUnavailable, unavailable)
}

// notMoreThanAll rejects more than 100% (D-9); a number has no upper limit.
func (es *FieldErrors) notMoreThanAll(field string, v api.IntOrString) {
	es.when(v.IsString && len(checkPercent(v.Str)) == 0 && looseNumber(v) > 100).invalid(field, v, "must not be greater than 100%")
}

func (es *FieldErrors) intOrPercent(field string, v api.IntOrString) {
	if v.IsString {
		es.invalids(field, v, checkPercent(v.Str))
		return
	}
	es.negative(field, int64(v.Int))
}

// looseNumber returns the number of a bound, with or without the % sign; 0 for any other text (D-12).
func looseNumber(v api.IntOrString) int64 {
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

func (es *FieldErrors) immutableSelector(s, old *api.LabelSelector) {
	es.when(!api.Equal(&s, &old)).invalid("spec.selector", s, "field is immutable")
}
