package frames

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
)

// isWorkload says whether an object is one whose pods are counted.
func IsWorkload(kind api.Kind) bool {
	return kind == api.KindDeployment || kind == api.KindStatefulSet || kind == api.KindDaemonSet
}

// templateOf returns the pod template of a workload.
func TemplateOf(o api.Object) *api.PodTemplateSpec {
	switch o := o.(type) {
	case *api.Deployment:
		return &o.Spec.Template
	case *api.StatefulSet:
		return &o.Spec.Template
	case *api.DaemonSet:
		return &o.Spec.Template
	}
	return nil
}

// minReadySecondsOf returns for how long a pod of an owner must be Ready to count as available.
func MinReadySecondsOf(o api.Object) int32 {
	switch o := o.(type) {
	case *api.Deployment:
		return o.Spec.MinReadySeconds
	case *api.ReplicaSet:
		return o.Spec.MinReadySeconds
	case *api.StatefulSet:
		return o.Spec.MinReadySeconds
	case *api.DaemonSet:
		return o.Spec.MinReadySeconds
	}
	return 0
}

// minReadySeconds is 0 for a group that no workload controls.
func (g *group) minReadySeconds() int32 {
	if g.owner == nil {
		return g.MinReadySeconds(nil)
	}
	return g.MinReadySeconds(g.owner.object)
}

// promise fills in what a workload asks for, and the bounds that it promises to keep on the way. Of a StatefulSet or a
// DaemonSet under OnDelete it is as of one that may take nothing away: its controller does not.
func (w *workload) promise(f *Frame, minor int) {
	switch o := w.object.(type) {
	case *api.Deployment:
		if !w.gone {
			maxSurge, maxUnavailable := deployment.Bounds(o)
			f.Desired = int(*o.Spec.Replicas)
			f.Upper, f.Lower = f.Desired+int(maxSurge), f.Desired-int(maxUnavailable)
		}
		if o.Spec.Strategy.Type == api.Recreate {
			f.Lower = 0 // it promises nothing
		}
	case *api.StatefulSet:
		if !w.gone {
			f.Desired = int(*o.Spec.Replicas)
			f.Upper, f.Lower = f.Desired, max(0, f.Desired-statefulset.Bound(o, minor))
		}
	case *api.DaemonSet:
		if !w.gone {
			maxSurge, maxUnavailable := daemon.Bounds(o, w.desired)
			if o.Spec.UpdateStrategy.Type == api.OnDelete {
				maxSurge, maxUnavailable = 0, 0
			}
			f.Desired = w.desired
			f.Upper, f.Lower = f.Desired+maxSurge, max(0, f.Desired-maxUnavailable)
		}
	}
}

// eligible counts the nodes that should run a DaemonSet (DS-6); it says whether there are more or fewer than before.
func (c *Counter) eligible(w *workload) (changed bool) {
	ds, ok := w.object.(*api.DaemonSet)
	if !ok {
		return false
	}
	n := 0
	for _, node := range c.nodes {
		if run, _ := daemon.NodeShouldRunDaemonPod(ds, node); run {
			n++
		}
	}
	changed = n != w.desired
	w.desired = n
	return changed
}

// RevisionOf returns the revision that an object is annotated with, 0 if there is no number.
func RevisionOf(m *api.ObjectMeta) int {
	n, _ := strconv.Atoi(m.Annotations[api.RevisionAnnotation])
	return n
}
