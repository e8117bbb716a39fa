package validate

import (
	"encoding/json"

	"github.com/rollplay/rollplay/engine/api"
)

// statefulSetUpdate checks a changed spec: what makes the identity of the pods stays as it is (S-4).
func (es *FieldErrors) statefulSetUpdate(s, old *api.StatefulSetSpec) {
	es.statefulSetSpec(s, old)
	es.immutableSelector(s.Selector, old.Selector)
	if !api.Equal(&s.VolumeClaimTemplates, &old.VolumeClaimTemplates) {
		es.invalid("spec.volumeClaimTemplates", internalClaims(s.VolumeClaimTemplates), "field is immutable")
	}
	es.immutable("spec.serviceName", s.ServiceName, old.ServiceName)
	es.immutable("spec.podManagementPolicy", s.PodManagementPolicy, old.PodManagementPolicy)
}

func (es *FieldErrors) immutable(field, value, old string) {
	es.when(value != old).invalid(field, value, "field is immutable")
}

// statefulSetSpec checks a spec (S-3). In a changed one it skips what cannot change anyway.
func (es *FieldErrors) statefulSetSpec(s, old *api.StatefulSetSpec) {
	p := s.PodManagementPolicy
	es.when(p != api.OrderedReady && p != api.Parallel).invalid("spec.podManagementPolicy", p, "must be 'OrderedReady' or 'Parallel'")
	es.statefulSetStrategy(&s.UpdateStrategy)
	if p := s.PersistentVolumeClaimRetentionPolicy; p != nil {
		es.oneOf("spec.persistentVolumeClaimRetentionPolicy.whenDeleted", p.WhenDeleted, "Retain", "Delete")
		es.oneOf("spec.persistentVolumeClaimRetentionPolicy.whenScaled", p.WhenScaled, "Retain", "Delete")
	}
	if old == nil {
		es.claims(s.VolumeClaimTemplates)
	}
	es.negative("spec.replicas", int64(*s.Replicas))
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	if s.Ordinals != nil {
		es.negative("spec.ordinals.start", int64(s.Ordinals.Start))
	}
	es.when(old == nil && s.ServiceName != "").invalids("spec.serviceName", s.ServiceName, checkLabelName(s.ServiceName))
	es.statefulSetTemplate(s, old)
}

// statefulSetStrategy checks how pods are replaced (S-3). Invalid values print as the API server's own type.
func (es *FieldErrors) statefulSetStrategy(u *api.StatefulSetUpdateStrategy) {
	const field = "spec.updateStrategy"
	r := u.RollingUpdate
	switch u.Type {
	case api.OnDelete:
		es.when(r != nil).invalid(field+".rollingUpdate", internalRollingUpdate(r), "only allowed for updateStrategy 'RollingUpdate'")
	case api.RollingUpdate:
		if r != nil {
			es.rollingUpdateStatefulSet(field+".rollingUpdate", r)
		}
	default:
		es.invalid(field, struct {
			Type          string
			RollingUpdate any
		}{u.Type, internalRollingUpdate(r)}, "must be 'RollingUpdate' or 'OnDelete'")
	}
}

func (es *FieldErrors) rollingUpdateStatefulSet(field string, r *api.RollingUpdateStatefulSet) {
	es.negative(field+".partition", int64(*r.Partition))
	if r.MaxUnavailable == nil { // a version before 1.37 drops it
		return
	}
	v := *r.MaxUnavailable
	es.intOrPercent(field+".maxUnavailable", v)
	es.when(looseNumber(v) == 0).invalid(field+".maxUnavailable", v, "cannot be 0")
	es.notMoreThanAll(field+".maxUnavailable", v)
}

// internalRollingUpdate returns the bounds as the API server prints its own type; the partition is a plain number there.
func internalRollingUpdate(r *api.RollingUpdateStatefulSet) any {
	if r == nil {
		return nil
	}
	return struct {
		Partition      int32
		MaxUnavailable *api.IntOrString
	}{api.Given(r.Partition), r.MaxUnavailable}
}

// statefulSetTemplate checks the selector and the template (D-15, D-19). What the controller writes over is not
// looked at: the host name, the subdomain, and volumes that a claim takes the place of.
func (es *FieldErrors) statefulSetTemplate(s, old *api.StatefulSetSpec) {
	var oldTemplate *api.PodTemplateSpec
	if old != nil {
		oldTemplate = &old.Template
	}
	if !es.selectorOf(&s.Template, s.Selector, "statefulset", "") {
		es.endless(s.Template.Spec.Tree(), "StatefulSet")
		return
	}
	es.template(&s.Template, oldTemplate, "StatefulSet", func(spec api.Fields) {
		delete(spec, "hostname")
		delete(spec, "subdomain")
		if len(s.VolumeClaimTemplates) > 0 {
			spec["volumes"] = volumesWithClaims(s.VolumeClaimTemplates, spec.Items("volumes"))
		}
	})
}

// volumesWithClaims returns the volumes of the pods: one for each claim, and those of the template that none replaces.
func volumesWithClaims(claims []api.PersistentVolumeClaim, volumes []api.Fields) (all []any) {
	claimed := map[string]bool{}
	for i := range claims {
		name := claims[i].Name
		if !claimed[name] {
			all = append(all, map[string]any{"name": name, "persistentVolumeClaim": map[string]any{"claimName": name}})
		}
		claimed[name] = true
	}
	for _, v := range volumes {
		if !claimed[v.Text("name")] {
			all = append(all, map[string]any(v))
		}
	}
	return all
}

// claims checks the claim templates.
//
// Simplified: of a claim's spec the access modes, the size and the volume mode are checked.
func (es *FieldErrors) claims(claims []api.PersistentVolumeClaim) {
	for i := range claims {
		field := item("spec.volumeClaimTemplates", i) + ".spec"
		spec := claims[i].Spec
		modes, _ := spec["accessModes"].([]any)
		es.when(len(modes) == 0).required(field+".accessModes", "at least 1 access mode is required")
		for _, m := range modes {
			mode, _ := m.(string)
			es.oneOf(field+".accessModes", mode, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
		}
		if size, ok := spec.Object("resources").Object("requests")["storage"].(string); !ok {
			es.required(field+".resources[storage]", "")
		} else if q, err := api.ParseQuantity(size); err == nil && q.Cmp(api.Quantity{}) <= 0 {
			es.invalid(field+".resources[storage]", q.String(), "must be greater than zero")
		}
		mode, given := spec["volumeMode"].(string)
		es.when(given).oneOf(field+".volumeMode", mode, "Block", "Filesystem")
	}
}

// internalClaims returns claim templates as the API server prints its own type: without the names that people know, and
// with all that is not there. Of the metadata only what people give.
func internalClaims(claims []api.PersistentVolumeClaim) any {
	type claim struct {
		Name        string            `json:"name,omitempty"`
		Namespace   string            `json:"namespace,omitempty"`
		Labels      map[string]string `json:"labels,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
		Spec        struct {
			AccessModes, Selector                                                              any
			Resources                                                                          struct{ Limits, Requests any }
			VolumeName                                                                         string
			StorageClassName, VolumeMode, DataSource, DataSourceRef, VolumeAttributesClassName any
		}
		Status struct {
			Phase                                                                            string
			AccessModes, Capacity, Conditions, AllocatedResources, AllocatedResourceStatuses any
			CurrentVolumeAttributesClassName, ModifyVolumeStatus, HealthStatus               any
		}
	}
	var list []claim
	if claims != nil {
		list = make([]claim, len(claims))
	}
	for i := range claims {
		c, o := &list[i], &claims[i]
		c.Name, c.Namespace, c.Labels, c.Annotations = o.Name, o.Namespace, o.Labels, o.Annotations
		if err := json.Unmarshal(api.JSON(o.Spec), &c.Spec); err != nil { // the names differ in the case of the first letter
			panic("validate: a checked claim cannot be read: " + err.Error())
		}
		c.Status.Phase = o.Status.Phase
	}
	return list
}
