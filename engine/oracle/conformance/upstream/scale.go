package upstream

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/scale"

	"github.com/rollplay/rollplay/engine/api"
)

// scalable are the kinds of the group apps that have the scale subresource.
var scalable = map[string]api.Kind{"deployments": api.KindDeployment, "replicasets": api.KindReplicaSet,
	"statefulsets": api.KindStatefulSet}

// restMapper knows the resources of the kinds that own pods.
func restMapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{appsv1.SchemeGroupVersion})
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet} {
		m.Add(appsv1.SchemeGroupVersion.WithKind(string(kind)), meta.RESTScopeNamespace)
	}
	return m
}

// scales answers the disruption controller's requests for the scale subresource of what is stored.
type scales struct {
	scale.ScaleInterface // nil: only Get is used
	server               *Server
	namespace            string
}

// Scales returns the scales of a namespace.
func (s scales) Scales(namespace string) scale.ScaleInterface {
	s.namespace = namespace
	return s
}

// Get returns how many pods the owner of a resource asks for.
func (s scales) Get(_ context.Context, resource schema.GroupResource, name string, _ metav1.GetOptions) (*autoscalingv1.Scale, error) {
	s.server.lock.Lock()
	defer s.server.lock.Unlock()
	kind, ok := scalable[resource.Resource]
	if !ok {
		return nil, apierrors.NewNotFound(resource, name)
	}
	o := s.server.Stored(api.Key{Kind: kind, Namespace: s.namespace, Name: name})
	if o == nil {
		return nil, apierrors.NewNotFound(resource, name)
	}
	var replicas *int32
	switch o := o.(type) {
	case *appsv1.Deployment:
		replicas = o.Spec.Replicas
	case *appsv1.ReplicaSet:
		replicas = o.Spec.Replicas
	case *appsv1.StatefulSet:
		replicas = o.Spec.Replicas
	}
	return &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: s.namespace, UID: types.UID(o.GetUID())},
		Spec: autoscalingv1.ScaleSpec{Replicas: *replicas}}, nil
}

// discoverer says which resources have the scale subresource.
type discoverer struct{ discovery.DiscoveryInterface }

// ServerResourcesForGroupVersionWithContext lists the subresources.
func (d discoverer) ServerResourcesForGroupVersionWithContext(context.Context, string) (*metav1.APIResourceList, error) {
	return d.ServerResourcesForGroupVersion("")
}

// ServerResourcesForGroupVersion lists the subresources.
func (discoverer) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	list := &metav1.APIResourceList{}
	for resource := range scalable {
		list.APIResources = append(list.APIResources,
			metav1.APIResource{Name: resource + "/scale", Group: "autoscaling", Version: "v1", Kind: "Scale"})
	}
	return list, nil
}
