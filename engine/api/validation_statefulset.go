package api

import "strconv"

// ValidateStatefulSet returns what the API server refuses about a new StatefulSet (S-3).
func ValidateStatefulSet(s *StatefulSet) FieldErrors {
	var es FieldErrors
	es.validateMetaNamed(&s.ObjectMeta, true, checkLabelName)
	es.validateStatefulSetSpec(&s.Spec, nil)
	return es
}

// ValidateStatefulSetUpdate returns what the API server refuses about a changed StatefulSet: what makes the identity of
// its pods stays as it is (S-4).
func ValidateStatefulSetUpdate(s, old *StatefulSet) FieldErrors {
	var es FieldErrors
	es.validateMetaUpdate(&s.ObjectMeta, &old.ObjectMeta)
	es.validateStatefulSetSpec(&s.Spec, &old.Spec)
	es.immutableSelector(s.Spec.Selector, old.Spec.Selector)
	if !sameClaims(s.Spec.VolumeClaimTemplates, old.Spec.VolumeClaimTemplates) {
		es.invalid("spec.volumeClaimTemplates", internalClaims(s.Spec.VolumeClaimTemplates), "field is immutable")
	}
	es.immutable("spec.serviceName", s.Spec.ServiceName, old.Spec.ServiceName)
	es.immutable("spec.podManagementPolicy", s.Spec.PodManagementPolicy, old.Spec.PodManagementPolicy)
	return es
}

func (es *FieldErrors) immutable(field, value, old string) {
	if value != old {
		es.invalid(field, value, "field is immutable")
	}
}

// validateStatefulSetSpec checks a spec, and of one that replaces another not what cannot change anyway.
func (es *FieldErrors) validateStatefulSetSpec(s, old *StatefulSetSpec) {
	if p := s.PodManagementPolicy; p != OrderedReady && p != Parallel {
		es.invalid("spec.podManagementPolicy", p, "must be 'OrderedReady' or 'Parallel'")
	}
	es.validateStatefulSetStrategy(&s.UpdateStrategy)
	if p := s.PersistentVolumeClaimRetentionPolicy; p != nil {
		es.oneOf("spec.persistentVolumeClaimRetentionPolicy.whenDeleted", p.WhenDeleted, "Retain", "Delete")
		es.oneOf("spec.persistentVolumeClaimRetentionPolicy.whenScaled", p.WhenScaled, "Retain", "Delete")
	}
	if old == nil {
		es.validateClaims(s.VolumeClaimTemplates)
	}
	es.negativePtr("spec.replicas", s.Replicas)
	es.negative("spec.minReadySeconds", int64(s.MinReadySeconds))
	if s.Ordinals != nil {
		es.negative("spec.ordinals.start", int64(s.Ordinals.Start))
	}
	if old == nil && s.ServiceName != "" {
		es.invalids("spec.serviceName", s.ServiceName, checkLabelName(s.ServiceName))
	}
	es.validateStatefulSetTemplate(s, old)
}

// validateStatefulSetStrategy checks how pods are replaced (S-3). What is refused is printed as the API server's own type.
func (es *FieldErrors) validateStatefulSetStrategy(u *StatefulSetUpdateStrategy) {
	const field = "spec.updateStrategy"
	r := u.RollingUpdate
	switch u.Type {
	case OnDelete:
		if r != nil {
			es.invalid(field+".rollingUpdate", r.internal(), "only allowed for updateStrategy 'RollingUpdate'")
		}
	case RollingUpdate:
		if r != nil {
			es.validateRollingUpdateStatefulSet(field+".rollingUpdate", r)
		}
	default:
		es.invalid(field, struct {
			Type          string
			RollingUpdate any
		}{u.Type, r.internal()}, "must be 'RollingUpdate' or 'OnDelete'")
	}
}

func (es *FieldErrors) validateRollingUpdateStatefulSet(field string, r *RollingUpdateStatefulSet) {
	es.negativePtr(field+".partition", r.Partition)
	if r.MaxUnavailable == nil {
		return
	}
	v := *r.MaxUnavailable
	es.validateIntOrPercent(field+".maxUnavailable", v)
	if looseNumber(v) == 0 {
		es.invalid(field+".maxUnavailable", v, "cannot be 0")
	}
	es.notMoreThanAll(field+".maxUnavailable", v)
}

// internal returns the bounds as the API server prints its own type; the partition is a plain number there.
func (r *RollingUpdateStatefulSet) internal() any {
	if r == nil {
		return nil
	}
	v := struct {
		Partition      int32
		MaxUnavailable *IntOrString
	}{MaxUnavailable: r.MaxUnavailable}
	if r.Partition != nil {
		v.Partition = *r.Partition
	}
	return v
}

// validateStatefulSetTemplate checks the selector and the template (D-15, D-19). What the controller writes over is not
// looked at: the host name, the subdomain, and volumes that a claim takes the place of.
func (es *FieldErrors) validateStatefulSetTemplate(s, old *StatefulSetSpec) {
	var oldTemplate *PodTemplateSpec
	if old != nil {
		oldTemplate = &old.Template
	}
	if s.Selector == nil {
		es.required("spec.selector", "")
	} else {
		before := len(*es)
		es.validateSelector("spec.selector", s.Selector)
		unreadable := len(*es) > before
		if s.Selector.Empty() {
			es.invalid("spec.selector", s.Selector, "empty selector is invalid for statefulset")
		}
		if unreadable {
			es.invalid("spec.selector", s.Selector, "")
			return
		}
	}
	if !s.Selector.Matches(s.Template.Labels) {
		es.invalid("spec.template.metadata.labels", s.Template.Labels, "`selector` does not match template `labels`")
	}
	es.validateTemplate(&s.Template, oldTemplate, "StatefulSet", func(spec map[string]any) {
		delete(spec, "hostname")
		delete(spec, "subdomain")
		if len(s.VolumeClaimTemplates) > 0 {
			spec["volumes"] = volumesWithClaims(s.VolumeClaimTemplates, items(spec, "volumes"))
		}
	})
}

// volumesWithClaims returns the volumes of the pods: one for each claim, and those of the template that none replaces.
func volumesWithClaims(claims []PersistentVolumeClaim, volumes []map[string]any) (all []any) {
	claimed := map[string]bool{}
	for i := range claims {
		name := claims[i].Name
		if !claimed[name] {
			all = append(all, map[string]any{"name": name, "persistentVolumeClaim": map[string]any{"claimName": name}})
		}
		claimed[name] = true
	}
	for _, v := range volumes {
		if !claimed[text(v, "name")] {
			all = append(all, v)
		}
	}
	return all
}

// validateClaims checks the claim templates.
//
// Simplified: of a claim's spec the access modes, the size and the volume mode are checked.
func (es *FieldErrors) validateClaims(claims []PersistentVolumeClaim) {
	for i := range claims {
		field := "spec.volumeClaimTemplates[" + strconv.Itoa(i) + "].spec"
		spec := claims[i].Spec
		modes, _ := spec["accessModes"].([]any)
		if len(modes) == 0 {
			es.required(field+".accessModes", "at least 1 access mode is required")
		}
		for _, m := range modes {
			mode, _ := m.(string)
			es.oneOf(field+".accessModes", mode, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
		}
		if size, ok := object(object(spec, "resources"), "requests")["storage"].(string); !ok {
			es.required(field+".resources[storage]", "")
		} else if q, err := ParseQuantity(size); err == nil && q.Cmp(Quantity{}) <= 0 {
			es.invalid(field+".resources[storage]", q.String(), "must be greater than zero")
		}
		if mode := text(spec, "volumeMode"); mode != "" {
			es.oneOf(field+".volumeMode", mode, "Block", "Filesystem")
		}
	}
}

// internalClaims returns claim templates as the API server prints its own type: without the names that people know, and
// with all that is not there. Of the metadata only what people give.
func internalClaims(claims []PersistentVolumeClaim) any {
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
	list := make([]claim, len(claims))
	for i := range claims {
		c, o := &list[i], &claims[i]
		c.Name, c.Namespace, c.Labels, c.Annotations = o.Name, o.Namespace, o.Labels, o.Annotations
		resources := object(o.Spec, "resources")
		s := &c.Spec
		s.AccessModes, s.Selector = o.Spec["accessModes"], o.Spec["selector"]
		s.Resources.Limits, s.Resources.Requests = resources["limits"], resources["requests"]
		s.VolumeName = text(o.Spec, "volumeName")
		s.StorageClassName, s.VolumeMode = o.Spec["storageClassName"], o.Spec["volumeMode"]
		s.DataSource, s.DataSourceRef = o.Spec["dataSource"], o.Spec["dataSourceRef"]
		s.VolumeAttributesClassName = o.Spec["volumeAttributesClassName"]
		c.Status.Phase = o.Status.Phase
	}
	return list
}

// Warning is what the API server says about a field of an object that it takes.
type Warning struct{ Field, Detail string }

// String returns the warning as the API server words it.
func (w Warning) String() string { return w.Field + ": " + w.Detail }

// Warnings returns what the API server warns of.
//
// Simplified: of its warnings only that about a history without end (S-4).
func Warnings(o Object) []Warning {
	if s, ok := o.(*StatefulSet); ok && s.Spec.RevisionHistoryLimit != nil && *s.Spec.RevisionHistoryLimit < 0 {
		return []Warning{{"spec.revisionHistoryLimit", "a negative value retains all historical revisions; a value >= 0 is recommended"}}
	}
	return nil
}
