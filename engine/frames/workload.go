package frames

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
)

// IsWorkload says whether the pods of a kind are counted.
func IsWorkload(kind api.Kind) bool { return kinds.Of(kind).Revisions }

// minReadySeconds is 0 for a group that no workload controls.
func (g *group) minReadySeconds() int32 {
	if g.owner == nil {
		return g.MinReadySeconds(nil)
	}
	return g.MinReadySeconds(g.owner.object)
}

// promise sets the desired count of a workload and the bounds that its controller enforces. Under OnDelete, the controller of
// a StatefulSet or a DaemonSet removes nothing, so its bounds are those without maxSurge and maxUnavailable.
func (w *workload) promise(f *Frame, minor int) {
	if w.gone {
		return
	}
	switch o := w.object.(type) {
	case *api.Deployment:
		maxSurge, maxUnavailable := deployment.Bounds(o)
		f.Desired = int(*o.Spec.Replicas)
		f.Upper, f.Lower = f.Desired+int(maxSurge), f.Desired-int(maxUnavailable)
		if o.Spec.Strategy.Type == api.Recreate {
			f.Lower = 0 // it promises nothing
		}
	case *api.StatefulSet:
		f.Desired = int(*o.Spec.Replicas)
		f.Upper, f.Lower = f.Desired, max(0, f.Desired-statefulset.Bound(o, minor))
	case *api.DaemonSet:
		maxSurge, maxUnavailable := daemon.Bounds(o, w.desired)
		if o.Spec.UpdateStrategy.Type == api.OnDelete {
			maxSurge, maxUnavailable = 0, 0
		}
		f.Desired = w.desired
		f.Upper, f.Lower = f.Desired+maxSurge, max(0, f.Desired-maxUnavailable)
	}
}
