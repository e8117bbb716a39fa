package recorded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// addSets adds the StatefulSet or the DaemonSet of our cluster to a state, and its pods.
func addSets(s *apiserver.Server, state *State) {
	switch set := cmp.Or(s.Store.Get(statefulSetKey), s.Store.Get(daemonSetKey)).(type) {
	case *api.StatefulSet:
		st := &set.Status
		state.StatefulSet = &StatefulSet{
			Generation: set.Generation, Observed: st.ObservedGeneration, Image: imageOf(&set.Spec.Template),
			Replicas: *set.Spec.Replicas, Strategy: set.Spec.UpdateStrategy.Type, Policy: set.Spec.PodManagementPolicy,
			Current: st.CurrentRevision, Update: st.UpdateRevision,
			Status:    [5]int32{st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas},
			Revisions: revisionsOf(s, set.UID),
		}
	case *api.DaemonSet:
		st := &set.Status
		state.DaemonSet = &DaemonSet{
			Generation: set.Generation, Observed: st.ObservedGeneration, Image: imageOf(&set.Spec.Template),
			Status: [7]int32{st.DesiredNumberScheduled, st.CurrentNumberScheduled, st.NumberMisscheduled, st.NumberReady,
				st.UpdatedNumberScheduled, st.NumberAvailable, st.NumberUnavailable},
			Revisions: revisionsOf(s, set.UID),
		}
	default:
		if s.Store.Table(api.KindReplicaSet).Len() > 0 || s.Store.Get(deploymentKey) != nil {
			return
		}
	}
	for o := range s.Store.Table(api.KindPod).All() {
		state.Pods = append(state.Pods, podState(o.(*api.Pod)))
	}
}

func revisionsOf(s *apiserver.Server, uid string) (list []Revision) {
	for o := range s.Store.Table(api.KindControllerRevision).OwnedBy(uid) {
		r := o.(*api.ControllerRevision)
		list = append(list, Revision{Name: r.Name, Number: r.Revision, Image: imageOf(&r.Template)})
	}
	slices.SortFunc(list, func(a, b Revision) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

func podState(p *api.Pod) SetPod {
	s := SetPod{Name: p.Name, Image: p.Spec.Containers[0].Image, Revision: p.Labels[api.ControllerRevisionHashLabel],
		Node:  p.NodeName,
		Phase: p.Status.Phase, Ready: -1, Born: secondsOf(p.CreationTimestamp), Term: p.Terminating()}
	if ready := p.ReadyCondition(); ready != nil {
		s.Ready = secondsOf(ready.LastTransitionTime)
	}
	for _, c := range p.Status.ContainerStatuses {
		s.Restarts = c.RestartCount
	}
	return s
}

// sets compares StatefulSets, DaemonSets and their pods. Names of revisions differ by construction: their numbers and
// images are compared instead.
func (d *differ) sets(want, got *State) {
	if (want.StatefulSet == nil) != (got.StatefulSet == nil) || (want.DaemonSet == nil) != (got.DaemonSet == nil) {
		d.add("workload exists", want.StatefulSet != nil || want.DaemonSet != nil, got.StatefulSet != nil || got.DaemonSet != nil)
		return
	}
	var wantRevisions, gotRevisions []Revision
	switch {
	case want.StatefulSet != nil:
		w, g := want.StatefulSet, got.StatefulSet
		wantRevisions, gotRevisions = w.Revisions, g.Revisions
		d.values("StatefulSet", [][3]any{
			{"generation", w.Generation, g.Generation}, {"observedGeneration", w.Observed, g.Observed},
			{"image", w.Image, g.Image}, {"replicas", w.Replicas, g.Replicas},
			{"strategy", w.Strategy, g.Strategy}, {"policy", w.Policy, g.Policy},
			{"replicas/ready/available/current/updated", w.Status, g.Status},
			{"current revision", number(w.Revisions, w.Current), number(g.Revisions, g.Current)},
			{"update revision", number(w.Revisions, w.Update), number(g.Revisions, g.Update)}})
	case want.DaemonSet != nil:
		w, g := want.DaemonSet, got.DaemonSet
		wantRevisions, gotRevisions = w.Revisions, g.Revisions
		d.values("DaemonSet", [][3]any{{"generation", w.Generation, g.Generation},
			{"observedGeneration", w.Observed, g.Observed}, {"image", w.Image, g.Image},
			{"desired/current/misscheduled/ready/updated/available/unavailable", w.Status, g.Status}})
	}
	if w, g := revisionTexts(wantRevisions), revisionTexts(gotRevisions); w != g {
		d.add("revisions", w, g)
	}
	if w, g := podTexts(want, wantRevisions), podTexts(got, gotRevisions); !slices.Equal(w, g) {
		d.add("pods", only(w, g), only(g, w))
	}
}

func revisionTexts(list []Revision) (text string) {
	for _, r := range list {
		text += fmt.Sprintf("%d=%s ", r.Number, r.Image)
	}
	return text
}

// number returns the number of a revision that is named in full, or by its hash; 0 if it is gone.
func number(list []Revision, name string) int64 {
	for _, r := range list {
		if r.Name == name || strings.HasSuffix(r.Name, "-"+name) {
			return r.Number
		}
	}
	return 0
}

// podTexts returns the pods in a fixed order; those of a DaemonSet have random names.
func podTexts(s *State, revisions []Revision) (list []string) {
	for _, p := range s.Pods {
		if s.StatefulSet == nil {
			p.Name = ""
		}
		p.Revision = fmt.Sprint(number(revisions, p.Revision))
		list = append(list, fmt.Sprintf("%+v", p))
	}
	slices.Sort(list)
	return list
}
