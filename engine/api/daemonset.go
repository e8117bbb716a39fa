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

// DaemonSetUpdateStrategy has the fields of a Deployment's strategy; its bounds round up (DS-3).
type DaemonSetUpdateStrategy = DeploymentStrategy

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

// SpecEqual compares the specs.
func (d *DaemonSet) SpecEqual(other Object) bool {
	a, b := &d.Spec, &other.(*DaemonSet).Spec
	return a.Selector.Equal(b.Selector) && a.Template.Equal(&b.Template) && a.UpdateStrategy.equal(&b.UpdateStrategy) &&
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
