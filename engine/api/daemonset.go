package api

// DaemonSet is apps/v1 DaemonSet. TemplateGeneration is the deprecated count of template changes, which upstream keeps in
// an annotation of the version that is served; pods made from the template carry it as a label (DS-9).
type DaemonSet struct {
	ObjectMeta         `json:"metadata"`
	Spec               DaemonSetSpec   `json:"spec"`
	TemplateGeneration int64           `json:"-"`
	Status             DaemonSetStatus `json:"status,omitzero"`
}

// DaemonSetSpec is the desired state. After Default only RollingUpdate may be nil, under OnDelete.
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
