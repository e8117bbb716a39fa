package api

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
