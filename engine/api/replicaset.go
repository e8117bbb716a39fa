package api

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
