package upstream

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/policy"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// Evictor is the real handler of evictions, on top of the real registry of pods with its rules for a status and for a
// deletion. Below it, pods are stored in the Server, and budgets are read and written through a client.
type Evictor struct {
	handler *podstorage.EvictionREST
}

// NewEvictor returns a handler of evictions.
func NewEvictor(s *Server, budgets policyclient.PodDisruptionBudgetsGetter) *Evictor {
	pods := &podTable{server: s}
	options := generic.RESTOptions{ResourcePrefix: "pods", Decorator: pods.decorate, StorageConfig: &storagebackend.ConfigForResource{
		Config: storagebackend.Config{Codec: legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion)}}}
	all, err := podstorage.NewStorage(options, nil, nil, budgets, nil)
	must(err)
	return &Evictor{all.Eviction}
}

// Answer is the API server's answer to a request.
type Answer struct {
	Code            int32
	Reason, Message string
	Causes          string
	Retry           int32 // seconds to wait
}

func (a Answer) String() string {
	return fmt.Sprintf("%d %s %q, causes [%s], again in %d s", a.Code, a.Reason, a.Message, a.Causes, a.Retry)
}

// Evict sends an eviction as kubectl does: with options of deletion that hold everything it asks for.
func (e *Evictor) Evict(key api.Key, opts apiserver.EvictOptions) Answer {
	eviction := &policy.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		DeleteOptions: &metav1.DeleteOptions{}}
	if opts.GracePeriodSeconds != nil {
		eviction.DeleteOptions.GracePeriodSeconds = api.Ptr(*opts.GracePeriodSeconds)
	}
	if opts.DryRun {
		eviction.DeleteOptions.DryRun = []string{metav1.DryRunAll}
	}
	ctx := requestContext(key, "create", "eviction")
	result, err := e.handler.Create(ctx, key.Name, eviction, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		return answerOf(status.Status())
	case err != nil:
		return Answer{Code: http.StatusInternalServerError, Message: err.Error()}
	}
	return answerOf(*result.(*metav1.Status))
}

func answerOf(s metav1.Status) Answer {
	a := Answer{Code: s.Code, Reason: string(s.Reason), Message: s.Message}
	if s.Status == metav1.StatusSuccess {
		a.Code = http.StatusCreated
	}
	if s.Details != nil && s.Reason != metav1.StatusReasonInvalid {
		a.Retry = s.Details.RetryAfterSeconds
		causes := make([]string, len(s.Details.Causes))
		for i, c := range s.Details.Causes {
			causes[i] = string(c.Type) + ": " + c.Message
		}
		a.Causes = strings.Join(causes, "; ")
	}
	return a
}
