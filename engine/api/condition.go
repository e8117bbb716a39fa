package api

// Condition is a condition of a Deployment, a ReplicaSet or a Pod. LastUpdateTime is only used by Deployments.
type Condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"` // True, False or Unknown
	LastUpdateTime     Time   `json:"lastUpdateTime,omitzero"`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero"`
	Reason             string `json:"reason,omitempty"`
	Message            string `json:"message,omitempty"`
}

// FindCondition returns the condition of a type, or nil.
func FindCondition(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// SetPodCondition puts a condition among those of a pod, in place of the one of its type. The caller owns the slice.
// The transition time is now, or stays if the status does (pkg/api/v1/pod/util.go:UpdatePodCondition).
func SetPodCondition(conditions []Condition, c Condition, now Time) []Condition {
	c.LastTransitionTime = now
	old := FindCondition(conditions, c.Type)
	if old == nil {
		return append(conditions, c)
	}
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	*old = c
	return conditions
}
