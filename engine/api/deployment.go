package api

// Annotations and labels that the Deployment controller keeps (D-28 to D-31).
const (
	RevisionAnnotation        = "deployment.kubernetes.io/revision"
	RevisionHistoryAnnotation = "deployment.kubernetes.io/revision-history"
	DesiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas"
	MaxReplicasAnnotation     = "deployment.kubernetes.io/max-replicas"
	RollbackToAnnotation      = "deprecated.deployment.rollback.to"
	LastAppliedAnnotation     = "kubectl.kubernetes.io/last-applied-configuration"
	ChangeCauseAnnotation     = "kubernetes.io/change-cause"
	RestartedAtAnnotation     = "kubectl.kubernetes.io/restartedAt"
	PodTemplateHashLabel      = "pod-template-hash"
)

// Strategy types.
const (
	RollingUpdate = "RollingUpdate"
	Recreate      = "Recreate"
)

// Deployment is apps/v1 Deployment.
type Deployment struct {
	ObjectMeta `json:"metadata"`
	Spec       DeploymentSpec   `json:"spec"`
	Status     DeploymentStatus `json:"status,omitzero"`
}

// DeploymentSpec is the desired state. After Default only the pointers of RollingUpdate may be nil
// under Recreate.
type DeploymentSpec struct {
	Replicas                *int32             `json:"replicas,omitempty"`
	Selector                *LabelSelector     `json:"selector,omitempty"`
	Template                PodTemplateSpec    `json:"template"`
	Strategy                DeploymentStrategy `json:"strategy,omitzero"`
	MinReadySeconds         int32              `json:"minReadySeconds,omitempty"`
	RevisionHistoryLimit    *int32             `json:"revisionHistoryLimit,omitempty"`
	Paused                  bool               `json:"paused,omitempty"`
	ProgressDeadlineSeconds *int32             `json:"progressDeadlineSeconds,omitempty"`
}

// DeploymentStrategy says how pods are replaced.
type DeploymentStrategy struct {
	Type          string                   `json:"type,omitempty"`
	RollingUpdate *RollingUpdateDeployment `json:"rollingUpdate,omitempty"`
}

// RollingUpdateDeployment holds the two bounds of a rolling update.
type RollingUpdateDeployment struct {
	MaxUnavailable *IntOrString `json:"maxUnavailable,omitempty"`
	MaxSurge       *IntOrString `json:"maxSurge,omitempty"`
}

// DeploymentStatus is what the Deployment controller last wrote (D-60).
type DeploymentStatus struct {
	ObservedGeneration  int64       `json:"observedGeneration,omitempty"`
	Replicas            int32       `json:"replicas,omitempty"`
	UpdatedReplicas     int32       `json:"updatedReplicas,omitempty"`
	ReadyReplicas       int32       `json:"readyReplicas,omitempty"`
	AvailableReplicas   int32       `json:"availableReplicas,omitempty"`
	UnavailableReplicas int32       `json:"unavailableReplicas,omitempty"`
	TerminatingReplicas *int32      `json:"terminatingReplicas,omitempty"`
	Conditions          []Condition `json:"conditions,omitempty"`
	CollisionCount      *int32      `json:"collisionCount,omitempty"`
}
