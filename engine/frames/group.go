package frames

import (
	"cmp"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Group is the pods of one template: those of a ReplicaSet, or those of a ControllerRevision of a StatefulSet or DaemonSet.
type Group struct {
	Set      *api.ReplicaSet         // nil for a revision
	Revision *api.ControllerRevision // nil for a ReplicaSet, and while only pods of the revision are known
	Name     string                  // of the ReplicaSet or the ControllerRevision
	Number   int                     // the revision number, 0 if it has none yet
}

// OfSet returns the group of a ReplicaSet.
func OfSet(rs *api.ReplicaSet) Group {
	n, _ := rs.RevisionNumber()
	return Group{Set: rs, Name: rs.Name, Number: int(n)}
}

// OfRevision returns the group of a ControllerRevision.
func OfRevision(r *api.ControllerRevision) Group {
	return Group{Revision: r, Name: r.Name, Number: int(r.Revision)}
}

// revisionLabel returns the label value of a revision's pods: its name (S-5), or for a DaemonSet its hash alone (DS-9).
func revisionLabel(r *api.ControllerRevision) string {
	if r.ControllerKey().Kind == api.KindDaemonSet {
		return r.Labels[api.ControllerRevisionHashLabel]
	}
	return r.Name
}

// Has says whether a pod of the workload with this UID belongs to the group.
func (g *Group) Has(pod *api.Pod, workload string) bool {
	ref := pod.ControllerOf()
	switch {
	case ref == nil:
		return false
	case g.Set != nil:
		return g.Set.UID == ref.UID
	}
	return ref.UID == workload && revisionLabel(g.Revision) == pod.Labels[api.ControllerRevisionHashLabel]
}

// Replaces says whether this group, rather than one found before it, is the group of the present template. If several
// match, the oldest ReplicaSet counts (D-32), or the revision with the highest number (S-7).
func (g *Group) Replaces(found *Group, template *api.PodTemplateSpec) bool {
	switch {
	case g.Set != nil:
		return found == nil && g.Set.Spec.Template.EqualIgnoreHash(template)
	case g.Revision != nil:
		return g.Revision.Template.Equal(template) && (found == nil || g.Number > found.Number)
	}
	return false
}

// Template returns what the pods are made from; a revision must be known.
func (g *Group) Template() *api.PodTemplateSpec {
	if g.Set != nil {
		return &g.Set.Spec.Template
	}
	return &g.Revision.Template
}

// Size returns spec.replicas of a ReplicaSet; a revision has no size of its own, so its pods count.
func (g *Group) Size(pods int) int {
	if g.Set != nil {
		return int(*g.Set.Spec.Replicas)
	}
	return pods
}

// MinReadySeconds returns the value of the ReplicaSet, which may lag behind its Deployment's, or of the workload.
func (g *Group) MinReadySeconds(workload api.Object) int32 {
	if g.Set != nil {
		return g.Set.Spec.MinReadySeconds
	}
	return api.MinReadySecondsOf(workload)
}

// ByBirth orders the groups of a workload, oldest first, ties by name (D-33).
func ByBirth(a, b *Group) int {
	return cmp.Or(int(a.born()-b.born()), strings.Compare(a.Name, b.Name))
}

// born returns when the group's object was created.
func (g *Group) born() api.Time {
	switch {
	case g.Set != nil:
		return g.Set.CreationTimestamp
	case g.Revision != nil:
		return g.Revision.CreationTimestamp
	}
	return 0
}
