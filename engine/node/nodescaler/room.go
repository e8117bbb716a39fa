package nodescaler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// room is the capacity that a machine has left beside the pods of DaemonSets.
type room struct {
	node      *api.Node
	left      [3]int64 // cpu in thousandths, memory in bytes, pods
	limited   [3]bool
	keepsAway []api.Taint
}

var resources = [...]string{"cpu", "memory", "pods"}

// roomOf returns the room of a new machine of a group.
func (s *Scaler) roomOf(g *Group) *room {
	r := &room{node: g.Node}
	for i, name := range resources {
		q, ok := g.Node.Status.Allocatable[name]
		if r.limited[i] = ok; name == "cpu" {
			r.left[i] = q.Milli()
		} else {
			r.left[i] = q.Value()
		}
	}
	for _, t := range g.Node.Spec.Taints {
		if t.Effect == api.NoSchedule || t.Effect == api.NoExecute {
			r.keepsAway = append(r.keepsAway, t)
		}
	}
	for o := range s.store.Table(api.KindDaemonSet).All() {
		if spec := o.(*api.DaemonSet).Spec.Template.Spec; r.admits(spec, spec.Tolerations) {
			r.subtract(spec)
		}
	}
	return r
}

// admits says whether the labels and taints of the machine let a pod in.
func (r *room) admits(spec *api.PodSpec, tolerations []api.Toleration) bool {
	return spec.NodeName == "" && spec.MatchesNode(r.node) &&
		!slices.ContainsFunc(r.keepsAway, func(t api.Taint) bool { return !api.Tolerated(tolerations, &t) })
}

func (r *room) has(p *api.Pod) bool {
	for i, need := range p.Spec.Needs() {
		if r.limited[i] && need > 0 && need > r.left[i] {
			return false
		}
	}
	return r.admits(p.Spec, p.Tolerations())
}

func (r *room) subtract(spec *api.PodSpec) {
	for i, need := range spec.Needs() {
		r.left[i] -= need
	}
}

// take puts a pod into the first room that has place for it.
func take(rooms []*room, p *api.Pod) bool {
	for _, r := range rooms {
		if r.has(p) {
			r.subtract(p.Spec)
			return true
		}
	}
	return false
}
