package compare

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/history"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// collisionsMax is the most collisions of hashes that one reconcile may find.
const collisionsMax = 3

// hashesOf returns the hashes that the reconcile of a key may use in names, on both sides. It reads the engine's cache, as
// the reconcile does.
func (j *judge) hashesOf(key api.Key) (list []upstream.Hashes) {
	switch o := j.store.Informer(key.Kind).Cache.Get(key).(type) {
	case *api.Deployment:
		real := j.converter.Convert(o).(*appsv1.Deployment)
		count := o.Status.CollisionCount
		list = append(list, upstream.Hashes{Real: controller.ComputeHash(&real.Spec.Template, count), Ours: o.Spec.Template.Hash(count)})
	case *api.DaemonSet:
		real := j.converter.Convert(o).(*appsv1.DaemonSet)
		count := o.Status.CollisionCount
		list = append(list, upstream.Hashes{Real: controller.ComputeHash(&real.Spec.Template, count), Ours: o.Spec.Template.Hash(count)})
	case *api.StatefulSet:
		real := j.converter.Convert(o).(*appsv1.StatefulSet)
		r := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: convert.TemplatePatch(&real.Spec.Template)}}
		count := int32(0)
		if o.Status.CollisionCount != nil {
			count = *o.Status.CollisionCount
		}
		for range collisionsMax {
			list = append(list, upstream.Hashes{Real: history.HashControllerRevision(r, &count), Ours: o.Spec.Template.Hash(&count)})
			count++
		}
	}
	return list
}
