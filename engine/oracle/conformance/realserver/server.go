// Package realserver runs kube-apiserver's own code in this process: the generic server with its handlers for patches, apply
// and discovery, and the registries with their strategies, validation and printers of tables. A memory stands in for etcd, and
// a function call for the network, so that a bubble of fake time holds all of it.
//
// Of the admission plugins there are those that pods meet (admit.go). There are no controllers and no authentication.
package realserver

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/filters"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	restclient "k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	openapicommon "k8s.io/kube-openapi/pkg/common"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
)

// Server is an API server and what it stores.
type Server struct {
	*Memory
	Transport http.RoundTripper // to the server
}

// groupPriorityMax is that of the first group in discovery; kubectl looks for a word in this order.
const groupPriorityMax = 20_000

// Start starts a server without objects. Only with schemas it also serves /openapi, which kubectl asks for: making that takes half of the
// time of a start.
func Start(schemas bool) (*Server, error) {
	capabilities.Setup(true, 0) // as clusters are set up: --allow-privileged
	s := &Server{Memory: newMemory()}
	door := new(late)
	s.Transport = &transport{door}
	config := configOf(s.Memory)
	if config.SkipOpenAPIInstallation = !schemas; schemas {
		c := genericapiserver.DefaultOpenAPIConfig(definitions, names)
		c.Info.Title, c.Info.Version = "Kubernetes", "v1.37.1"
		config.OpenAPIConfig = c
	}
	server, err := config.Complete(nil).New("judge", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	core, err := coreGroup(s.Memory, s.Transport)
	if err != nil {
		return nil, err
	}
	if err := server.InstallLegacyAPIGroup("/api", core); err != nil {
		return nil, err
	}
	groups, err := otherGroups(s.Memory)
	if err != nil {
		return nil, err
	}
	for n, group := range groups {
		if err := server.InstallAPIGroup(group); err != nil {
			return nil, err
		}
		for i, v := range group.PrioritizedVersions {
			server.AggregatedDiscoveryGroupManager.SetGroupVersionPriority(metav1.GroupVersion(v), groupPriorityMax-100*n, 100-i)
		}
	}
	server.PrepareRun()
	door.open(server.Handler)
	return s, nil
}

func configOf(m *Memory) *genericapiserver.Config {
	c := genericapiserver.NewConfig(legacyscheme.Codecs)
	c.ExternalAddress, c.PublicAddress = "127.0.0.1:6443", net.IPv4(127, 0, 0, 1)
	c.LoopbackClientConfig = &restclient.Config{}
	c.EffectiveVersion = basecompatibility.NewEffectiveVersionFromString("1.37", "", "")
	c.EnableProfiling, c.EnableMetrics = false, false
	c.RESTOptionsGetter = m
	c.AdmissionControl = admissionOf(m)
	c.BuildHandlerChainFunc = handlerChain
	c.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	types := typesOfAPI()
	c.OpenAPIV3Config = &types
	return c
}

var (
	definitions = openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	names       = openapinamer.NewDefinitionNamer(legacyscheme.Scheme)
)

// typesOfAPI describes all types, for patches too. All servers read the same description: making one takes as long as a short scenario.
var typesOfAPI = sync.OnceValue(func() openapicommon.OpenAPIV3Config {
	c := genericapiserver.DefaultOpenAPIV3Config(definitions, names)
	c.Info.Title, c.Info.Version = "Kubernetes", "v1.37.1"
	return *c
})

// handlerChain has what requests need on their way; the rest of upstream's chain limits and logs them.
func handlerChain(h http.Handler, c *genericapiserver.Config) http.Handler {
	h = filters.WithWarningRecorder(h)
	h = filters.WithRequestInfo(h, c.RequestInfoResolver)
	h = filters.WithRequestReceivedTimestamp(h)
	return asAdmin(filters.WithAuditInit(h))
}

// noCustomResources is the list that kubectl asks for when it looks up the types of custom resources.
const noCustomResources = `{"kind":"CustomResourceDefinitionList","apiVersion":"apiextensions.k8s.io/v1","metadata":{},"items":[]}`

func asAdmin(h http.Handler) http.Handler {
	admin := &user.DefaultInfo{Name: "kubernetes-admin", Groups: []string{"system:masters", "system:authenticated"}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions") {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, noCustomResources) //nolint:errcheck // a reader that is gone needs no answer
			return
		}
		h.ServeHTTP(w, r.WithContext(request.WithUser(r.Context(), admin)))
	})
}
