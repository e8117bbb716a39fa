package api

import (
	"maps"
	"slices"
)

// Policies for the eviction of pods that are not Ready (P-11).
const (
	IfHealthyBudget = "IfHealthyBudget"
	AlwaysAllow     = "AlwaysAllow"
)

// PodDisruptionBudget is policy/v1 PodDisruptionBudget.
type PodDisruptionBudget struct {
	ObjectMeta `json:"metadata"`
	Spec       PodDisruptionBudgetSpec   `json:"spec,omitzero"`
	Status     PodDisruptionBudgetStatus `json:"status,omitzero"`
}

// PodDisruptionBudgetSpec is how many pods must stay healthy, or may be missing (P-1).
type PodDisruptionBudgetSpec struct {
	MinAvailable               *IntOrString   `json:"minAvailable,omitempty"`
	Selector                   *LabelSelector `json:"selector,omitempty"`
	MaxUnavailable             *IntOrString   `json:"maxUnavailable,omitempty"`
	UnhealthyPodEvictionPolicy *string        `json:"unhealthyPodEvictionPolicy,omitempty"` // nil is IfHealthyBudget
}

// PodDisruptionBudgetStatus is what the disruption controller and the eviction API last wrote (P-3 to P-9).
type PodDisruptionBudgetStatus struct {
	ObservedGeneration int64           `json:"observedGeneration,omitempty"`
	DisruptedPods      map[string]Time `json:"disruptedPods,omitempty"` // evicted pods that were not seen to go yet
	DisruptionsAllowed int32           `json:"disruptionsAllowed"`
	CurrentHealthy     int32           `json:"currentHealthy"`
	DesiredHealthy     int32           `json:"desiredHealthy"`
	ExpectedPods       int32           `json:"expectedPods"`
	Conditions         []Condition     `json:"conditions,omitempty"`
}

// SpecEqual compares the specs.
func (p *PodDisruptionBudget) SpecEqual(other Object) bool {
	a, b := &p.Spec, &other.(*PodDisruptionBudget).Spec
	return equalIntOrString(a.MinAvailable, b.MinAvailable) && equalIntOrString(a.MaxUnavailable, b.MaxUnavailable) &&
		a.Selector.Equal(b.Selector) && equalPtr(a.UnhealthyPodEvictionPolicy, b.UnhealthyPodEvictionPolicy)
}

// StatusEqual compares the statuses.
func (p *PodDisruptionBudget) StatusEqual(other Object) bool {
	a, b := &p.Status, &other.(*PodDisruptionBudget).Status
	return a.ObservedGeneration == b.ObservedGeneration && a.DisruptionsAllowed == b.DisruptionsAllowed &&
		a.CurrentHealthy == b.CurrentHealthy && a.DesiredHealthy == b.DesiredHealthy && a.ExpectedPods == b.ExpectedPods &&
		maps.Equal(a.DisruptedPods, b.DisruptedPods) && slices.Equal(a.Conditions, b.Conditions)
}
