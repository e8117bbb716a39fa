package main

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/history"

	"github.com/rollplay/rollplay/engine/api"
)

// collisionsMax is how many collisions of hashes one reconcile may find.
const collisionsMax = 3

// hashesOf returns the hashes that the reconcile of a key may give to what it creates, in the eyes of both sides. It asks
// the engine's cache, as the reconcile will.
func (j *judge) hashesOf(key api.Key) (list []hashes) {
	switch o := j.store.Informer(key.Kind).Cache.Get(key).(type) {
	case *api.Deployment:
		real := j.converter.convert(o).(*appsv1.Deployment)
		count := o.Status.CollisionCount
		list = append(list, hashes{controller.ComputeHash(&real.Spec.Template, count), o.Spec.Template.Hash(count)})
	case *api.DaemonSet:
		real := j.converter.convert(o).(*appsv1.DaemonSet)
		count := o.Status.CollisionCount
		list = append(list, hashes{controller.ComputeHash(&real.Spec.Template, count), o.Spec.Template.Hash(count)})
	case *api.StatefulSet:
		real := j.converter.convert(o).(*appsv1.StatefulSet)
		r := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: templatePatch(&real.Spec.Template)}}
		count := int32(0)
		if o.Status.CollisionCount != nil {
			count = *o.Status.CollisionCount
		}
		for range collisionsMax {
			list = append(list, hashes{history.HashControllerRevision(r, &count), o.Spec.Template.Hash(&count)})
			count++
		}
	}
	return list
}

// templatePatch returns what a revision of a template holds upstream: a patch that restores it.
func templatePatch(t *corev1.PodTemplateSpec) []byte {
	b, err := json.Marshal(t)
	must(err)
	var tree map[string]any
	must(json.Unmarshal(b, &tree))
	tree["$patch"] = "replace"
	b, err = json.Marshal(map[string]any{"spec": map[string]any{"template": tree}})
	must(err)
	return b
}
