package convert

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // registers defaults and conversions
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// ResourceOf returns the resource of a kind.
func ResourceOf(kind api.Kind) schema.GroupResource {
	return schema.ParseGroupResource(kinds.Of(kind).Resource())
}

// KeyOf names a real object as the engine does.
func KeyOf(o runtime.Object) api.Key {
	m := o.(Object)
	return api.Key{Kind: api.Kind(kindOf(o).Kind), Namespace: m.GetNamespace(), Name: m.GetName()}
}

// Empty returns a real object of a kind, with nothing in it.
func Empty(kind api.Kind) Object {
	return empty(schema.GroupVersionKind{Group: ResourceOf(kind).Group, Version: "v1", Kind: string(kind)})
}

// ToInternal converts an object that the caller owns to the form that the registry works on.
func ToInternal(o runtime.Object) Object { return toVersion(o, runtime.APIVersionInternal) }

// FromInternal converts back, with times as they are stored: in whole seconds.
func FromInternal(o runtime.Object) Object {
	out := toVersion(o, "v1")
	switch o := out.(type) {
	case *appsv1.Deployment:
		for i := range o.Status.Conditions {
			c := &o.Status.Conditions[i]
			c.LastUpdateTime, c.LastTransitionTime = c.LastUpdateTime.Rfc3339Copy(), c.LastTransitionTime.Rfc3339Copy()
		}
	case *appsv1.ReplicaSet:
		o.CreationTimestamp = o.CreationTimestamp.Rfc3339Copy()
		for i := range o.Status.Conditions {
			c := &o.Status.Conditions[i]
			c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
		}
	case *policyv1.PodDisruptionBudget:
		for i := range o.Status.Conditions {
			c := &o.Status.Conditions[i]
			c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
		}
		for name, at := range o.Status.DisruptedPods {
			o.Status.DisruptedPods[name] = at.Rfc3339Copy()
		}
	case *corev1.Pod:
		if o.DeletionTimestamp != nil {
			o.DeletionTimestamp = api.Ptr(o.DeletionTimestamp.Rfc3339Copy())
		}
		for i := range o.Status.Conditions {
			c := &o.Status.Conditions[i]
			c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
		}
	}
	return out
}

// Defaulted returns a pod with the defaults that a pod has when it is read from etcd.
func Defaulted(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	legacyscheme.Scheme.Default(pod)
	return pod
}

func toVersion(o runtime.Object, version string) Object {
	out := empty(kindOf(o).GroupKind().WithVersion(version))
	must(legacyscheme.Scheme.Convert(o, out, nil))
	return out
}

// kindOf returns the kind of an object's Go type.
func kindOf(o runtime.Object) schema.GroupVersionKind {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(o)
	must(err)
	return kinds[0]
}

func empty(kind schema.GroupVersionKind) Object {
	o, err := legacyscheme.Scheme.New(kind)
	must(err)
	return o.(Object)
}
