package api

// ValidateStatus returns what the API server refuses about a status that a controller writes. Of a StatefulSet it minds
// numbers below zero, and of pods of some sort more than there are pods: a controller that counts down once too often
// cannot store that (validation.go:ValidateStatefulSetStatus). The other controllers never write such a status.
func ValidateStatus(o Object) FieldErrors {
	s, ok := o.(*StatefulSet)
	if !ok {
		return nil
	}
	var es FieldErrors
	st := &s.Status
	for _, n := range [...]struct {
		field string
		value int32
	}{{"replicas", st.Replicas}, {"readyReplicas", st.ReadyReplicas}, {"currentReplicas", st.CurrentReplicas},
		{"updatedReplicas", st.UpdatedReplicas}, {"availableReplicas", st.AvailableReplicas}} {
		es.negative("status."+n.field, int64(n.value))
	}
	for _, n := range [...]struct {
		field string
		value int32
	}{{"readyReplicas", st.ReadyReplicas}, {"currentReplicas", st.CurrentReplicas}, {"updatedReplicas", st.UpdatedReplicas},
		{"availableReplicas", st.AvailableReplicas}} {
		if n.value > st.Replicas {
			es.invalid("status."+n.field, n.value, "cannot be greater than status.replicas")
		}
	}
	if st.AvailableReplicas > st.ReadyReplicas {
		es.invalid("status.availableReplicas", st.AvailableReplicas, "cannot be greater than status.readyReplicas")
	}
	return es
}
