package recorded

import (
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
)

// stateOf returns what our server has stored, in the form of the recordings.
func stateOf(s *apiserver.Server) State {
	var state State
	if d, ok := s.Store.Get(deploymentKey).(*api.Deployment); ok {
		state.Deployment = deploymentState(d)
	}
	for o := range s.Store.Table(api.KindReplicaSet).All() {
		rs := o.(*api.ReplicaSet)
		state.ReplicaSets = append(state.ReplicaSets, replicaSetState(rs))
	}
	return state
}

func deploymentState(d *api.Deployment) *Deployment {
	surge, unavailable := deployment.Bounds(d)
	st := &d.Status
	return &Deployment{
		Generation: d.Generation, Observed: st.ObservedGeneration, Revision: d.Annotations[api.RevisionAnnotation],
		Image: imageOf(&d.Spec.Template), Replicas: *d.Spec.Replicas, Paused: d.Spec.Paused, Strategy: d.Spec.Strategy.Type,
		Surge: surge, Unavailable: unavailable, MinReady: d.Spec.MinReadySeconds, Deadline: *d.Spec.ProgressDeadlineSeconds,
		History: *d.Spec.RevisionHistoryLimit, Annotations: ownAnnotations(&d.ObjectMeta),
		Status:      [5]int32{st.Replicas, st.UpdatedReplicas, st.ReadyReplicas, st.AvailableReplicas, st.UnavailableReplicas},
		Terminating: st.TerminatingReplicas, Collisions: st.CollisionCount, Conditions: conditionStates(st.Conditions),
	}
}

func replicaSetState(rs *api.ReplicaSet) ReplicaSet {
	st := &rs.Status
	r := ReplicaSet{
		Name: rs.Name, Image: imageOf(&rs.Spec.Template), Revision: rs.Annotations[api.RevisionAnnotation],
		History: rs.Annotations[api.RevisionHistoryAnnotation], Created: secondsOf(rs.CreationTimestamp),
		Generation: rs.Generation, Observed: st.ObservedGeneration, Replicas: *rs.Spec.Replicas,
		Status:      [4]int32{st.Replicas, st.FullyLabeledReplicas, st.ReadyReplicas, st.AvailableReplicas},
		Terminating: st.TerminatingReplicas, Desired: rs.Annotations[api.DesiredReplicasAnnotation],
		Max: rs.Annotations[api.MaxReplicasAnnotation], MinReady: rs.Spec.MinReadySeconds,
		Annotations: ownAnnotations(&rs.ObjectMeta), Conditions: conditionStates(st.Conditions),
	}
	for i := range r.Conditions {
		r.Conditions[i].Updated = 0 // a ReplicaSet's conditions have no such time
	}
	return r
}

// ownAnnotations returns the annotations without the Deployment controller's own.
func ownAnnotations(m *api.ObjectMeta) map[string]string {
	own := maps.Clone(m.Annotations)
	for _, key := range []string{api.RevisionAnnotation, api.RevisionHistoryAnnotation,
		api.DesiredReplicasAnnotation, api.MaxReplicasAnnotation} {
		delete(own, key)
	}
	return own
}

func conditionStates(list []api.Condition) []Condition {
	var out []Condition
	for _, c := range list {
		out = append(out, Condition{Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message,
			Updated: secondsOf(c.LastUpdateTime), Transition: secondsOf(c.LastTransitionTime)})
	}
	return out
}

// secondsOf returns a stored time as a recorded one.
func secondsOf(t api.Time) int64 { return t.Milli() / 1000 }
