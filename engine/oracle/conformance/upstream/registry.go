package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/controller/history"
	daemonsetregistry "k8s.io/kubernetes/pkg/registry/apps/daemonset"
	deploymentregistry "k8s.io/kubernetes/pkg/registry/apps/deployment"
	replicasetregistry "k8s.io/kubernetes/pkg/registry/apps/replicaset"
	statefulsetregistry "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	budgetregistry "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// create stores a new object; a ReplicaSet passes the real registry's checks first.
func (s *Server) create(key api.Key, o convert.Object) (convert.Object, error) {
	o.SetNamespace(key.Namespace)
	switch o := o.(type) {
	case *corev1.Pod:
		return s.createPod(o)
	case *appsv1.ReplicaSet:
		s.translateReplicaSet(o)
		key.Name = o.Name
		if err := s.taken(key); err != nil {
			return nil, err
		}
		internal := convert.ToInternal(o)
		rest.FillObjectMetaSystemFields(internal)
		if err := rest.BeforeCreate(replicasetregistry.Strategy, requestContext(key, "create", ""), internal); err != nil {
			return nil, err
		}
		return s.write("create", convert.FromInternal(internal)), nil
	case *appsv1.ControllerRevision:
		o.Name = s.Translate(o.Name)
		s.translateLabels(o.Labels)
		return s.createPlain(o)
	case *corev1.PersistentVolumeClaim:
		return s.createPlain(o)
	}
	return nil, fmt.Errorf("conformance: creation of a %T", o)
}

// taken returns the server's answer to the creation of an object whose name another one has (registry/store.go:create).
func (s *Server) taken(key api.Key) error {
	stored := s.Stored(key)
	if stored == nil {
		return nil
	}
	err := apierrors.NewAlreadyExists(convert.ResourceOf(key.Kind), key.Name)
	if stored.GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// translateReplicaSet replaces the real hash by the engine's.
func (s *Server) translateReplicaSet(rs *appsv1.ReplicaSet) {
	rs.Name = s.Translate(rs.Name)
	for _, m := range []map[string]string{rs.Labels, rs.Spec.Selector.MatchLabels, rs.Spec.Template.Labels} {
		s.translateLabels(m)
	}
}

// translateLabels replaces the real hash in the labels that hold one.
func (s *Server) translateLabels(labels map[string]string) {
	for _, name := range []string{api.PodTemplateHashLabel, api.ControllerRevisionHashLabel, history.ControllerRevisionHashLabel} {
		if labels[name] != "" {
			labels[name] = s.Translate(labels[name])
		}
	}
}

// createPlain stores an object of which the registry only checks the name.
func (s *Server) createPlain(o convert.Object) (convert.Object, error) {
	key := convert.KeyOf(o)
	if err := s.taken(key); err != nil {
		return nil, err
	}
	o.SetCreationTimestamp(metav1.Now().Rfc3339Copy())
	return s.write("create", o), nil
}

// createPod names and stores a pod, unless a quota rejects it.
func (s *Server) createPod(pod *corev1.Pod) (convert.Object, error) {
	s.pods++
	if pod.Name == "" {
		pod.Name = fmt.Sprintf("%s%05d", pod.GenerateName, s.pods)
	}
	if err := s.admit(pod); err != nil {
		return nil, err
	}
	if err := s.taken(convert.KeyOf(pod)); err != nil {
		return nil, err
	}
	pod.Generation = 1
	pod.CreationTimestamp = metav1.Now().Rfc3339Copy()
	pod.Status.Phase = corev1.PodPending
	return s.write("create", pod), nil
}

// update stores a new version by the rules of the real registry: an old resourceVersion is a conflict, the stored status (or
// everything but the status) stays, and a request that changes nothing writes nothing.
func (s *Server) update(key api.Key, o convert.Object, status bool) (convert.Object, error) {
	old, err := s.get(key)
	if err != nil {
		return nil, err
	}
	if o.GetResourceVersion() != old.GetResourceVersion() || o.GetUID() != old.GetUID() {
		return nil, apierrors.NewConflict(convert.ResourceOf(key.Kind), key.Name, errModified)
	}
	if !Checks(key.Kind) {
		path := field.NewPath("metadata", "ownerReferences")
		if errs := validation.ValidateOwnerReferences(o.GetOwnerReferences(), path); len(errs) > 0 { // it has another controller by now
			kind := schema.GroupKind{Group: convert.ResourceOf(key.Kind).Group, Kind: string(key.Kind)}
			return nil, apierrors.NewInvalid(kind, key.Name, errs)
		}
		return s.writeIfChanged(o, old), nil
	}
	rules, subresource := rest.RESTUpdateStrategy(strategies[key.Kind].spec), ""
	if status {
		rules, subresource = strategies[key.Kind].status, "status"
	}
	internal := convert.ToInternal(o)
	ctx := requestContext(key, "update", subresource)
	if err := rest.BeforeUpdate(rules, ctx, internal, convert.ToInternal(old.DeepCopyObject().(convert.Object))); err != nil {
		return nil, err
	}
	return s.writeIfChanged(convert.FromInternal(internal), old), nil
}

// strategy is how the registry treats objects of a kind.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies are those of the kinds whose spec and status the registry checks. Of other kinds the controllers write only
// metadata, and fields that the registry ignores.
var strategies = map[api.Kind]struct {
	spec   strategy
	status rest.RESTUpdateStrategy
}{
	api.KindDeployment:          {deploymentregistry.Strategy, deploymentregistry.StatusStrategy},
	api.KindReplicaSet:          {replicasetregistry.Strategy, replicasetregistry.StatusStrategy},
	api.KindStatefulSet:         {statefulsetregistry.Strategy, statefulsetregistry.StatusStrategy},
	api.KindDaemonSet:           {daemonsetregistry.Strategy, daemonsetregistry.StatusStrategy},
	api.KindPodDisruptionBudget: {budgetregistry.Strategy, budgetregistry.StatusStrategy},
}

// Checks says whether the real registry checks the spec of a kind.
func Checks(kind api.Kind) bool { return strategies[kind].spec != nil }

// Clusters are set up with --allow-privileged: kubeadm's and all hosted ones.
func init() { capabilities.Setup(true, 0) }

// Validate returns the errors that the real registry finds in a new object.
func Validate(key api.Key, o convert.Object) field.ErrorList {
	return strategies[key.Kind].spec.Validate(requestContext(key, "create", ""), convert.ToInternal(o))
}

// requestContext tells the registry about a request.
func requestContext(key api.Key, verb, subresource string) context.Context {
	resource := convert.ResourceOf(key.Kind)
	return genericrequest.WithRequestInfo(genericrequest.WithNamespace(context.Background(), key.Namespace), &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: verb, APIGroup: resource.Group, APIVersion: "v1", Resource: resource.Resource,
		Subresource: subresource, Namespace: key.Namespace, Name: key.Name})
}

var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

func (s *Server) writeIfChanged(o, old convert.Object) convert.Object {
	if equality.Semantic.DeepEqual(o, old) {
		return old
	}
	return s.write("update", o)
}

// patch applies a patch to the stored version. The controllers' merge patches only set labels, where both types agree.
func (s *Server) patch(key api.Key, patchType types.PatchType, patch []byte) (convert.Object, error) {
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
	o := convert.Empty(key.Kind)
	must(json.Unmarshal(after, o))
	return s.update(key, o, false)
}
