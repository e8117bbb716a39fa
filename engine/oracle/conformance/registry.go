package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // registers defaults and conversions
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	"k8s.io/kubernetes/pkg/controller/history"
	daemonsetregistry "k8s.io/kubernetes/pkg/registry/apps/daemonset"
	deploymentregistry "k8s.io/kubernetes/pkg/registry/apps/deployment"
	replicasetregistry "k8s.io/kubernetes/pkg/registry/apps/replicaset"
	statefulsetregistry "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	budgetregistry "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"

	"github.com/rollplay/rollplay/engine/api"
)

// create stores a new object, after the real registry's checks if it is a ReplicaSet.
func (s *server) create(key api.Key, o object) (object, error) {
	o.SetNamespace(key.Namespace)
	switch o := o.(type) {
	case *corev1.Pod:
		return s.createPod(o)
	case *appsv1.ReplicaSet:
		s.translateReplicaSet(o)
		key.Name = o.Name
		if s.stored(key) != nil {
			return nil, apierrors.NewAlreadyExists(resourceOf(key.Kind), key.Name)
		}
		internal := toInternal(o)
		rest.FillObjectMetaSystemFields(internal)
		if err := rest.BeforeCreate(replicasetregistry.Strategy, requestContext(key, "create", ""), internal); err != nil {
			return nil, err
		}
		return s.write("create", fromInternal(internal)), nil
	case *appsv1.ControllerRevision:
		o.Name = s.translate(o.Name)
		s.translateLabels(o.Labels)
		return s.createPlain(o)
	case *corev1.PersistentVolumeClaim:
		return s.createPlain(o)
	}
	return nil, fmt.Errorf("conformance: creation of a %T", o)
}

// translateReplicaSet replaces the real hash by the engine's.
func (s *server) translateReplicaSet(rs *appsv1.ReplicaSet) {
	rs.Name = s.translate(rs.Name)
	for _, m := range []map[string]string{rs.Labels, rs.Spec.Selector.MatchLabels, rs.Spec.Template.Labels} {
		s.translateLabels(m)
	}
}

func (s *server) translateLabels(labels map[string]string) {
	for _, name := range []string{api.PodTemplateHashLabel, api.ControllerRevisionHashLabel, history.ControllerRevisionHashLabel} {
		if labels[name] != "" {
			labels[name] = s.translate(labels[name])
		}
	}
}

// createPlain stores an object of which the registry only looks at the name.
func (s *server) createPlain(o object) (object, error) {
	key := keyFor(o)
	if s.stored(key) != nil {
		return nil, apierrors.NewAlreadyExists(resourceOf(key.Kind), key.Name)
	}
	o.SetCreationTimestamp(metav1.Now().Rfc3339Copy())
	return s.write("create", o), nil
}

// createPod names and stores a pod, unless a quota refuses it.
func (s *server) createPod(pod *corev1.Pod) (object, error) {
	s.pods++
	if pod.Name == "" {
		pod.Name = fmt.Sprintf("%s%05d", pod.GenerateName, s.pods)
	}
	if err := s.admit(pod); err != nil {
		return nil, err
	}
	if s.stored(keyFor(pod)) != nil {
		return nil, apierrors.NewAlreadyExists(resourceOf(api.KindPod), pod.Name)
	}
	pod.Generation = 1
	pod.CreationTimestamp = metav1.Now().Rfc3339Copy()
	pod.Status.Phase = corev1.PodPending
	return s.write("create", pod), nil
}

// update stores a new version by the rules of the real registry: an old resourceVersion is a conflict, the status (or all
// but the status) stays as it is stored, and what changes nothing is no write.
func (s *server) update(key api.Key, o object, status bool) (object, error) {
	old, err := s.get(key)
	if err != nil {
		return nil, err
	}
	if o.GetResourceVersion() != old.GetResourceVersion() || o.GetUID() != old.GetUID() {
		return nil, apierrors.NewConflict(resourceOf(key.Kind), key.Name, errModified)
	}
	strategy, plain := updateStrategy(key.Kind, status)
	if plain {
		path := field.NewPath("metadata", "ownerReferences")
		if errs := validation.ValidateOwnerReferences(o.GetOwnerReferences(), path); len(errs) > 0 { // adopted by somebody else
			kind := schema.GroupKind{Group: resourceOf(key.Kind).Group, Kind: string(key.Kind)}
			return nil, apierrors.NewInvalid(kind, key.Name, errs)
		}
		return s.writeIfChanged(o, old), nil
	}
	subresource := ""
	if status {
		subresource = "status"
	}
	internal := toInternal(o)
	ctx := requestContext(key, "update", subresource)
	if err := rest.BeforeUpdate(strategy, ctx, internal, toInternal(old.DeepCopyObject().(object))); err != nil {
		return nil, err
	}
	return s.writeIfChanged(fromInternal(internal), old), nil
}

// updateStrategy returns how the registry treats an update. Plain are kinds of which the controllers write only metadata
// and fields that nothing is done about.
func updateStrategy(kind api.Kind, status bool) (strategy rest.RESTUpdateStrategy, plain bool) {
	both := map[api.Kind][2]rest.RESTUpdateStrategy{
		api.KindDeployment:          {deploymentregistry.Strategy, deploymentregistry.StatusStrategy},
		api.KindReplicaSet:          {replicasetregistry.Strategy, replicasetregistry.StatusStrategy},
		api.KindStatefulSet:         {statefulsetregistry.Strategy, statefulsetregistry.StatusStrategy},
		api.KindDaemonSet:           {daemonsetregistry.Strategy, daemonsetregistry.StatusStrategy},
		api.KindPodDisruptionBudget: {budgetregistry.Strategy, budgetregistry.StatusStrategy},
	}
	s, ok := both[kind]
	switch {
	case !ok:
		return nil, true
	case status:
		return s[1], false
	}
	return s[0], false
}

// requestContext is what the registry wants to know of a request.
func requestContext(key api.Key, verb, subresource string) context.Context {
	resource := resourceOf(key.Kind)
	return genericrequest.WithRequestInfo(genericrequest.WithNamespace(context.Background(), key.Namespace), &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: verb, APIGroup: resource.Group, APIVersion: "v1", Resource: resource.Resource,
		Subresource: subresource, Namespace: key.Namespace, Name: key.Name})
}

var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

func (s *server) writeIfChanged(o, old object) object {
	if equality.Semantic.DeepEqual(o, old) {
		return old
	}
	return s.write("update", o)
}

// patch applies a patch to the stored version. The controllers' merge patches only set labels, where both types agree.
func (s *server) patch(key api.Key, patchType types.PatchType, patch []byte) (object, error) {
	old, err := s.get(key)
	if err != nil {
		return nil, err
	}
	if patchType != types.StrategicMergePatchType && patchType != types.MergePatchType {
		return nil, fmt.Errorf("conformance: patch of type %s", patchType)
	}
	before, err := json.Marshal(old)
	must(err)
	after, err := strategicpatch.StrategicMergePatch(before, patch, old)
	must(err)
	o := emptyOf(key.Kind).(object)
	must(json.Unmarshal(after, o))
	return s.update(key, o, false)
}

// toInternal converts an object that the caller owns to the form that the registry works on.
func toInternal(o object) object {
	var out object
	switch o.(type) {
	case *appsv1.Deployment:
		out = &apps.Deployment{}
	case *appsv1.StatefulSet:
		out = &apps.StatefulSet{}
	case *appsv1.DaemonSet:
		out = &apps.DaemonSet{}
	case *policyv1.PodDisruptionBudget:
		out = &policy.PodDisruptionBudget{}
	default:
		out = &apps.ReplicaSet{}
	}
	must(legacyscheme.Scheme.Convert(o, out, nil))
	return out
}

// fromInternal converts back, with times as they are stored: in whole seconds.
func fromInternal(o object) object {
	switch o.(type) {
	case *apps.Deployment:
		d := &appsv1.Deployment{}
		must(legacyscheme.Scheme.Convert(o, d, nil))
		for i := range d.Status.Conditions {
			c := &d.Status.Conditions[i]
			c.LastUpdateTime, c.LastTransitionTime = c.LastUpdateTime.Rfc3339Copy(), c.LastTransitionTime.Rfc3339Copy()
		}
		return d
	case *apps.StatefulSet:
		s := &appsv1.StatefulSet{}
		must(legacyscheme.Scheme.Convert(o, s, nil))
		return s
	case *apps.DaemonSet:
		d := &appsv1.DaemonSet{}
		must(legacyscheme.Scheme.Convert(o, d, nil))
		return d
	case *policy.PodDisruptionBudget:
		p := &policyv1.PodDisruptionBudget{}
		must(legacyscheme.Scheme.Convert(o, p, nil))
		for i := range p.Status.Conditions {
			c := &p.Status.Conditions[i]
			c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
		}
		for name, at := range p.Status.DisruptedPods {
			p.Status.DisruptedPods[name] = at.Rfc3339Copy()
		}
		return p
	default:
		rs := &appsv1.ReplicaSet{}
		must(legacyscheme.Scheme.Convert(o, rs, nil))
		rs.CreationTimestamp = rs.CreationTimestamp.Rfc3339Copy()
		for i := range rs.Status.Conditions {
			c := &rs.Status.Conditions[i]
			c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
		}
		return rs
	}
}
