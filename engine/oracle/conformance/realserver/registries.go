package realserver

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	kubelet "k8s.io/kubernetes/pkg/kubelet/client"
	appsrest "k8s.io/kubernetes/pkg/registry/apps/rest"
	autoscalingrest "k8s.io/kubernetes/pkg/registry/autoscaling/rest"
	batchrest "k8s.io/kubernetes/pkg/registry/batch/rest"
	coordinationrest "k8s.io/kubernetes/pkg/registry/coordination/rest"
	configmaps "k8s.io/kubernetes/pkg/registry/core/configmap/storage"
	events "k8s.io/kubernetes/pkg/registry/core/event/storage"
	limitranges "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	namespaces "k8s.io/kubernetes/pkg/registry/core/namespace/storage"
	nodes "k8s.io/kubernetes/pkg/registry/core/node/storage"
	claims "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	pods "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	controllers "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"
	quotas "k8s.io/kubernetes/pkg/registry/core/resourcequota/storage"
	secrets "k8s.io/kubernetes/pkg/registry/core/secret/storage"
	discoveryrest "k8s.io/kubernetes/pkg/registry/discovery/rest"
	policyrest "k8s.io/kubernetes/pkg/registry/policy/rest"
)

// versions are the groups that are served, with the version in which each is stored.
var versions = map[string]schema.GroupVersion{
	"":                    {Version: "v1"},
	"apps":                {Group: "apps", Version: "v1"},
	"autoscaling":         {Group: "autoscaling", Version: "v2"},
	"batch":               {Group: "batch", Version: "v1"},
	"policy":              {Group: "policy", Version: "v1"},
	"coordination.k8s.io": {Group: "coordination.k8s.io", Version: "v1"},
	"discovery.k8s.io":    {Group: "discovery.k8s.io", Version: "v1"},
}

func codecOf(group string) runtime.Codec { return legacyscheme.Codecs.LegacyCodec(versions[group]) }

// GetRESTOptions implements generic.RESTOptionsGetter: every registry gets a table of the memory.
func (m *Memory) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	return generic.RESTOptions{
		StorageConfig:           storagebackend.NewDefaultConfig("/registry", codecOf(resource.Group)).ForResource(resource),
		Decorator:               m.decorate,
		EnableGarbageCollection: true,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          "/" + resource.String(),
	}, nil
}

func (m *Memory) decorate(config *storagebackend.ConfigForResource, _ string, _ func(runtime.Object) (string, error),
	newFunc, _ func() runtime.Object, _ storage.AttrFunc, _ storage.IndexerFuncs, _ *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	return &table{Memory: m, codec: config.Codec, newFunc: newFunc}, func() {}, nil
}

// installer collects registries and the first error of making them.
type installer struct {
	storage map[string]rest.Storage
	err     error
}

func (in *installer) add(err error, list map[string]rest.Storage) {
	if err != nil {
		in.err = err
		return
	}
	for name, s := range list {
		in.storage[name] = s
	}
}

// coreGroup makes the registries of the core group. transport leads to the server itself: an eviction asks for budgets.
func coreGroup(m *Memory, transport http.RoundTripper) (*genericapiserver.APIGroupInfo, error) {
	group := genericapiserver.NewDefaultAPIGroupInfo("", legacyscheme.Scheme, legacyscheme.ParameterCodec, legacyscheme.Codecs)
	in := &installer{storage: map[string]rest.Storage{}}
	group.VersionedResourcesStorageMap["v1"] = in.storage
	policy, err := policyclient.NewForConfig(&restclient.Config{Host: "http://judge", Transport: transport, QPS: -1})
	if err != nil {
		return nil, err
	}
	p, err := pods.NewStorage(m, nil, nil, policy, nil)
	if err != nil {
		return nil, err
	}
	in.add(nil, map[string]rest.Storage{"pods": p.Pod, "pods/status": p.Status, "pods/eviction": &evictions{EvictionREST: p.Eviction},
		"pods/binding": p.Binding, "pods/ephemeralcontainers": p.EphemeralContainers, "pods/resize": p.Resize})
	n, err := nodes.NewStorage(m, kubelet.KubeletClientConfig{Port: 10250}, nil)
	if err != nil {
		return nil, err
	}
	in.add(nil, map[string]rest.Storage{"nodes": n.Node, "nodes/status": n.Status})
	rc, err := controllers.NewStorage(m)
	in.add(err, map[string]rest.Storage{"replicationcontrollers": rc.Controller, "replicationcontrollers/scale": rc.Scale})
	quota, quotaStatus, err := quotas.NewREST(m)
	in.add(err, map[string]rest.Storage{"resourcequotas": quota, "resourcequotas/status": quotaStatus})
	claim, claimStatus, err := claims.NewREST(m)
	in.add(err, map[string]rest.Storage{"persistentvolumeclaims": claim, "persistentvolumeclaims/status": claimStatus})
	ns, nsStatus, nsFinalize, err := namespaces.NewREST(m)
	in.add(err, map[string]rest.Storage{"namespaces": ns, "namespaces/status": nsStatus, "namespaces/finalize": nsFinalize})
	event, err := events.NewREST(m, 3600)
	in.add(err, map[string]rest.Storage{"events": event})
	configMap, err := configmaps.NewREST(m)
	in.add(err, map[string]rest.Storage{"configmaps": configMap})
	secret, err := secrets.NewREST(m)
	in.add(err, map[string]rest.Storage{"secrets": secret})
	service, serviceStatus, err := newServices(m)
	in.add(err, map[string]rest.Storage{"services": service, "services/status": serviceStatus})
	limits, err := limitranges.NewREST(m)
	in.add(err, map[string]rest.Storage{"limitranges": limits})
	return &group, in.err
}

// provider makes the registries of a group.
type provider interface {
	NewRESTStorage(serverstorage.APIResourceConfigSource, generic.RESTOptionsGetter) (genericapiserver.APIGroupInfo, error)
}

// otherGroups makes the groups besides the core, in the order in which discovery lists them.
func otherGroups(m *Memory) (groups []*genericapiserver.APIGroupInfo, err error) {
	enabled := serverstorage.NewResourceConfig()
	enabled.EnableVersions(schema.GroupVersion{Group: "autoscaling", Version: "v1"})
	for _, v := range versions {
		enabled.EnableVersions(v)
	}
	for _, p := range []provider{appsrest.StorageProvider{}, autoscalingrest.RESTStorageProvider{}, batchrest.RESTStorageProvider{}, policyrest.RESTStorageProvider{},
		coordinationrest.RESTStorageProvider{}, discoveryrest.StorageProvider{}} {
		group, err := p.NewRESTStorage(enabled, m)
		if err != nil {
			return nil, err
		}
		groups = append(groups, &group)
	}
	return groups, nil
}
