package api

import "slices"

// ReplicaSet is apps/v1 ReplicaSet.
type ReplicaSet struct {
	ObjectMeta `json:"metadata"`
	Spec       ReplicaSetSpec   `json:"spec"`
	Status     ReplicaSetStatus `json:"status,omitzero"`
}

// ReplicaSetSpec is the template of the pods and their number.
type ReplicaSetSpec struct {
	Replicas        *int32          `json:"replicas,omitempty"`
	MinReadySeconds int32           `json:"minReadySeconds,omitempty"`
	Selector        *LabelSelector  `json:"selector,omitempty"`
	Template        PodTemplateSpec `json:"template"`
}

// ReplicaSetStatus is what the ReplicaSet controller last wrote. TerminatingReplicas is nil until the first sync.
type ReplicaSetStatus struct {
	Replicas             int32       `json:"replicas"`
	FullyLabeledReplicas int32       `json:"fullyLabeledReplicas,omitempty"`
	ReadyReplicas        int32       `json:"readyReplicas,omitempty"`
	AvailableReplicas    int32       `json:"availableReplicas,omitempty"`
	TerminatingReplicas  *int32      `json:"terminatingReplicas,omitempty"`
	ObservedGeneration   int64       `json:"observedGeneration,omitempty"`
	Conditions           []Condition `json:"conditions,omitempty"`
}

// SpecEqual compares the specs.
func (r *ReplicaSet) SpecEqual(other Object) bool {
	a, b := &r.Spec, &other.(*ReplicaSet).Spec
	return equalPtr(a.Replicas, b.Replicas) && a.MinReadySeconds == b.MinReadySeconds &&
		a.Selector.Equal(b.Selector) && a.Template.Equal(&b.Template)
}

// StatusEqual compares the statuses.
func (r *ReplicaSet) StatusEqual(other Object) bool {
	return r.Status.Equal(&other.(*ReplicaSet).Status)
}

// Equal compares statuses field by field, conditions in order.
func (s *ReplicaSetStatus) Equal(o *ReplicaSetStatus) bool {
	return s.Replicas == o.Replicas && s.FullyLabeledReplicas == o.FullyLabeledReplicas &&
		s.ReadyReplicas == o.ReadyReplicas && s.AvailableReplicas == o.AvailableReplicas &&
		equalPtr(s.TerminatingReplicas, o.TerminatingReplicas) && s.ObservedGeneration == o.ObservedGeneration &&
		slices.Equal(s.Conditions, o.Conditions)
}
