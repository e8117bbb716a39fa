package api

import "slices"

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

// DeploymentSpec is what the user asks for. After Default no pointer is nil but those of RollingUpdate
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

// SpecEqual compares the specs.
func (d *Deployment) SpecEqual(other Object) bool {
	a, b := &d.Spec, &other.(*Deployment).Spec
	return equalPtr(a.Replicas, b.Replicas) && a.Selector.Equal(b.Selector) && a.Template.Equal(&b.Template) &&
		a.Strategy.equal(&b.Strategy) && a.MinReadySeconds == b.MinReadySeconds && a.Paused == b.Paused &&
		equalPtr(a.RevisionHistoryLimit, b.RevisionHistoryLimit) &&
		equalPtr(a.ProgressDeadlineSeconds, b.ProgressDeadlineSeconds)
}

// StatusEqual compares the statuses.
func (d *Deployment) StatusEqual(other Object) bool {
	return d.Status.Equal(&other.(*Deployment).Status)
}

// Equal compares statuses field by field, conditions in order.
func (s *DeploymentStatus) Equal(o *DeploymentStatus) bool {
	return s.ObservedGeneration == o.ObservedGeneration && s.Replicas == o.Replicas &&
		s.UpdatedReplicas == o.UpdatedReplicas && s.ReadyReplicas == o.ReadyReplicas &&
		s.AvailableReplicas == o.AvailableReplicas && s.UnavailableReplicas == o.UnavailableReplicas &&
		equalPtr(s.TerminatingReplicas, o.TerminatingReplicas) && equalPtr(s.CollisionCount, o.CollisionCount) &&
		slices.Equal(s.Conditions, o.Conditions)
}

func (s *DeploymentStrategy) equal(o *DeploymentStrategy) bool {
	if s.Type != o.Type || (s.RollingUpdate == nil) != (o.RollingUpdate == nil) {
		return false
	}
	return s.RollingUpdate == nil || equalIntOrString(s.RollingUpdate.MaxSurge, o.RollingUpdate.MaxSurge) &&
		equalIntOrString(s.RollingUpdate.MaxUnavailable, o.RollingUpdate.MaxUnavailable)
}
