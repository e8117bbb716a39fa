// Package validate finds the errors that the API server finds in an object, in its words and its order.
//
// Objects come with their defaults filled in. Pod specs are checked as trees (see api.Fields), because the typed view of a
// spec holds only what the simulation reads.
package validate

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Object returns the errors of a new object; some say that rollplay does not simulate a value (see NotSimulated).
func Object(o api.Object) FieldErrors {
	var es FieldErrors
	name := checkSubdomain
	switch kind := kinds.Of(o.Key().Kind); {
	case kind.Name == api.KindStatefulSet, kind.Name == api.KindService, kind.Name == "Namespace": // parts of names in the DNS
		name = checkLabelName
	case kind.Name == api.KindPodDisruptionBudget, kind.Group == "rbac.authorization.k8s.io":
		name = checkPathSegment // nothing is named after them: system:auth-delegator is a name
	}
	if b, ok := o.(*api.PodDisruptionBudget); ok { // its errors hide those of its metadata
		if es.disruptionBudgetSpec(&b.Spec); len(es) > 0 {
			return es
		}
	}
	es.metaNamed(o, name)
	switch o := o.(type) {
	case *api.Service:
		es.serviceSpec(&o.Spec)
	case *api.StatefulSet:
		es.statefulSetSpec(&o.Spec, nil)
	case *api.Deployment:
		es.deploymentSpec(&o.Spec, nil)
	case *api.ReplicaSet:
		es.replicaSetSpec(&o.Spec, nil)
	case *api.DaemonSet:
		es.daemonSetSpec(&o.Spec, nil)
	case *api.HorizontalPodAutoscaler:
		es.autoscalerSpec(&o.Spec)
	case *api.Pod: // created without a controller
		es.deletionCost("metadata.annotations", o.Annotations)
		es.podSpec("spec", o.Spec.Tree())
	case *api.Node:
		es.taints("metadata.taints", o.Spec.Taints)
		es.resources("status.capacity", o.Status.Capacity, forNode)
		es.resources("status.allocatable", o.Status.Allocatable, forNode)
	case *api.ResourceQuota:
		es.resources("spec.hard", o.Spec.Hard, forQuota)
	}
	return es
}

// Update returns the errors of a changed object. For the kinds whose changes have no rules of their
// own here, it validates the new state.
func Update(o, stored api.Object) FieldErrors {
	var es FieldErrors
	es.metaUpdate(o.Meta(), stored.Meta(), o.Key().Kind != api.KindPodDisruptionBudget)
	switch o := o.(type) {
	case *api.Deployment:
		old := &stored.(*api.Deployment).Spec
		es.deploymentSpec(&o.Spec, &old.Template)
		es.immutableSelector(o.Spec.Selector, old.Selector)
	case *api.ReplicaSet:
		old := &stored.(*api.ReplicaSet).Spec
		es.replicaSetSpec(&o.Spec, &old.Template)
		es.immutableSelector(o.Spec.Selector, old.Selector)
	case *api.StatefulSet:
		es.statefulSetUpdate(&o.Spec, &stored.(*api.StatefulSet).Spec)
	case *api.DaemonSet:
		old := &stored.(*api.DaemonSet).Spec
		es.immutableSelector(o.Spec.Selector, old.Selector)
		es.daemonSetSpec(&o.Spec, &old.Template)
	case *api.PodDisruptionBudget:
		es.disruptionBudgetSpec(&o.Spec)
	case *api.HorizontalPodAutoscaler:
		es.autoscalerSpec(&o.Spec)
	case *api.Service:
		es.serviceUpdate(&o.Spec, &stored.(*api.Service).Spec)
	case *api.Pod: // of its spec only images may change; its volumes may come from a StatefulSet
		es.images("spec.containers", o.Spec.Containers)
		es.images("spec.initContainers", o.Spec.InitContainers)
		es.deletionCost("metadata.annotations", o.Annotations)
	default:
		return Object(o)
	}
	return es
}

// images checks the images of a pod that exists (validation.go:ValidateContainerUpdates).
func (es *FieldErrors) images(field string, list []api.Container) {
	for i := range list {
		image, at := list[i].Image, fmt.Sprintf("%s[%d].image", field, i)
		es.when(image == "").required(at, "")
		es.when(strings.TrimSpace(image) != image).invalid(at, image, "must not have leading or trailing whitespace")
	}
}

// Status returns the errors of a status that a controller writes. For a StatefulSet those are numbers below zero, and more
// ready, current, updated or available pods than pods: a controller that decrements once too often cannot store that
// (validation.go:ValidateStatefulSetStatus). The other controllers never write such a status.
func Status(o api.Object) FieldErrors {
	s, ok := o.(*api.StatefulSet)
	if !ok {
		return nil
	}
	var es FieldErrors
	st := &s.Status
	numbers := [...]struct {
		field string
		value int32
	}{{"replicas", st.Replicas}, {"readyReplicas", st.ReadyReplicas}, {"currentReplicas", st.CurrentReplicas},
		{"updatedReplicas", st.UpdatedReplicas}, {"availableReplicas", st.AvailableReplicas}}
	for _, n := range numbers {
		es.negative("status."+n.field, int64(n.value))
	}
	for _, n := range numbers[1:] {
		es.when(n.value > st.Replicas).invalid("status."+n.field, n.value, "cannot be greater than status.replicas")
	}
	es.when(st.AvailableReplicas > st.ReadyReplicas).
		invalid("status.availableReplicas", st.AvailableReplicas, "cannot be greater than status.readyReplicas")
	return es
}
