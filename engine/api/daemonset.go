package api

import "slices"

// DaemonSet is apps/v1 DaemonSet. TemplateGeneration is the deprecated count of template changes, which upstream keeps in
// an annotation of the version that is served; pods made from the template carry it as a label (DS-9).
type DaemonSet struct {
	ObjectMeta         `json:"metadata"`
	Spec               DaemonSetSpec   `json:"spec"`
	Status             DaemonSetStatus `json:"status,omitzero"`
	TemplateGeneration int64           `json:"-"`
}

// DaemonSetSpec is what the user asks for. After Default no pointer is nil but RollingUpdate under OnDelete.
type DaemonSetSpec struct {
	Selector             *LabelSelector          `json:"selector,omitempty"`
	Template             PodTemplateSpec         `json:"template"`
	UpdateStrategy       DaemonSetUpdateStrategy `json:"updateStrategy,omitzero"`
	MinReadySeconds      int32                   `json:"minReadySeconds,omitempty"`
	RevisionHistoryLimit *int32                  `json:"revisionHistoryLimit,omitempty"`
}

// DaemonSetUpdateStrategy says how pods are replaced. Its bounds are those of a Deployment by name; they round up (DS-3).
type DaemonSetUpdateStrategy struct {
	Type          string                   `json:"type,omitempty"`
	RollingUpdate *RollingUpdateDeployment `json:"rollingUpdate,omitempty"`
}

// DaemonSetStatus is what the DaemonSet controller last wrote (DS-30).
type DaemonSetStatus struct {
	CurrentNumberScheduled int32       `json:"currentNumberScheduled"`
	NumberMisscheduled     int32       `json:"numberMisscheduled"`
	DesiredNumberScheduled int32       `json:"desiredNumberScheduled"`
	NumberReady            int32       `json:"numberReady"`
	ObservedGeneration     int64       `json:"observedGeneration,omitempty"`
	UpdatedNumberScheduled int32       `json:"updatedNumberScheduled,omitempty"`
	NumberAvailable        int32       `json:"numberAvailable,omitempty"`
	NumberUnavailable      int32       `json:"numberUnavailable,omitempty"`
	CollisionCount         *int32      `json:"collisionCount,omitempty"`
	Conditions             []Condition `json:"conditions,omitempty"`
}

// Key names the DaemonSet.
func (d *DaemonSet) Key() Key { return Key{KindDaemonSet, d.Namespace, d.Name} }

// Shallow returns a copy whose fields can be set. Its collections are those of the original.
func (d *DaemonSet) Shallow() *DaemonSet {
	c := *d
	return &c
}

// DeepCopy returns a copy that can be changed. The pod template is shared: it is never changed in place.
func (d *DaemonSet) DeepCopy() *DaemonSet {
	c := *d
	c.ObjectMeta = d.clone()
	c.Status.Conditions = slices.Clone(d.Status.Conditions)
	return &c
}

// Copy is DeepCopy as an Object.
func (d *DaemonSet) Copy() Object { return d.DeepCopy() }

// WithSpecOf keeps the stored spec.
func (d *DaemonSet) WithSpecOf(stored Object) Object {
	c := *d
	s := stored.(*DaemonSet)
	c.Spec, c.TemplateGeneration = s.Spec, s.TemplateGeneration
	return &c
}

// WithStatusOf keeps the stored status.
func (d *DaemonSet) WithStatusOf(stored Object) Object {
	c := *d
	c.Status = stored.(*DaemonSet).Status
	return &c
}

// SpecEqual compares the specs.
func (d *DaemonSet) SpecEqual(other Object) bool {
	a, b := &d.Spec, &other.(*DaemonSet).Spec
	x, y := DeploymentStrategy(a.UpdateStrategy), DeploymentStrategy(b.UpdateStrategy)
	return a.Selector.Equal(b.Selector) && a.Template.Equal(&b.Template) && x.equal(&y) &&
		a.MinReadySeconds == b.MinReadySeconds && equalPtr(a.RevisionHistoryLimit, b.RevisionHistoryLimit) &&
		d.TemplateGeneration == other.(*DaemonSet).TemplateGeneration
}

// StatusEqual compares the statuses.
func (d *DaemonSet) StatusEqual(other Object) bool {
	return d.Status.Equal(&other.(*DaemonSet).Status)
}

// Equal compares statuses field by field, conditions in order.
func (s *DaemonSetStatus) Equal(o *DaemonSetStatus) bool {
	return s.CurrentNumberScheduled == o.CurrentNumberScheduled && s.NumberMisscheduled == o.NumberMisscheduled &&
		s.DesiredNumberScheduled == o.DesiredNumberScheduled && s.NumberReady == o.NumberReady &&
		s.ObservedGeneration == o.ObservedGeneration && s.UpdatedNumberScheduled == o.UpdatedNumberScheduled &&
		s.NumberAvailable == o.NumberAvailable && s.NumberUnavailable == o.NumberUnavailable &&
		equalPtr(s.CollisionCount, o.CollisionCount) && slices.Equal(s.Conditions, o.Conditions)
}
