package api

import "slices"

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
	DisruptedPods      map[string]Time `json:"disruptedPods,omitempty"` // evicted pods whose deletion has not been observed yet
	DisruptionsAllowed int32           `json:"disruptionsAllowed"`
	CurrentHealthy     int32           `json:"currentHealthy"`
	DesiredHealthy     int32           `json:"desiredHealthy"`
	ExpectedPods       int32           `json:"expectedPods"`
	Conditions         []Condition     `json:"conditions,omitempty"`
}

// DisruptionTarget is the condition of a pod that something other than its owner is about to delete (P-13, G-43).
const DisruptionTarget = "DisruptionTarget"

// DisruptionAllowed is the condition of a PodDisruptionBudget, with its reasons (P-6, P-7).
const (
	DisruptionAllowed = "DisruptionAllowed"
	SufficientPods    = "SufficientPods"
	InsufficientPods  = "InsufficientPods"
	SyncFailed        = "SyncFailed"
)

// disruptionCondition is the condition that fits a number of disruptions (P-6).
func disruptionCondition(allowed int32) Condition {
	if allowed > 0 {
		return Condition{Type: DisruptionAllowed, Status: "True", Reason: SufficientPods}
	}
	return Condition{Type: DisruptionAllowed, Status: "False", Reason: InsufficientPods}
}

// SetDisruptionAllowed makes the condition fit the number of disruptions, in a copy of the list
// (component-helpers/apps/poddisruptionbudget/helpers.go:UpdateDisruptionAllowedCondition).
func (s *PodDisruptionBudgetStatus) SetDisruptionAllowed(now Time) {
	s.SetCondition(disruptionCondition(s.DisruptionsAllowed), now)
}

// SetCondition puts a condition in place of the one of its type, in a copy of the list. The transition time stays if the
// status does.
func (s *PodDisruptionBudgetStatus) SetCondition(c Condition, now Time) {
	s.Conditions = SetPodCondition(slices.Clone(s.Conditions), c, now)
}

// ConditionsUpToDate says whether the condition fits the number of disruptions, and the status the present spec
// (component-helpers/apps/poddisruptionbudget/helpers.go:ConditionsAreUpToDate).
func (p *PodDisruptionBudget) ConditionsUpToDate() bool {
	have, want := FindCondition(p.Status.Conditions, DisruptionAllowed), disruptionCondition(p.Status.DisruptionsAllowed)
	return have != nil && p.Status.ObservedGeneration == p.Generation && have.Status == want.Status && have.Reason == want.Reason
}
