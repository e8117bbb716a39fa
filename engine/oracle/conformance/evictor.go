package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/client-go/tools/cache"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/policy"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// evictor is the real handler of evictions, over the real registry of pods with its rules for a status and for a deletion.
// What lies below is ours: pods are stored in the server, and budgets are read and written through its client.
type evictor struct {
	handler *podstorage.EvictionREST
	pods    *podTable
}

func newEvictor(s *server, budgets policyclient.PodDisruptionBudgetsGetter) *evictor {
	pods := &podTable{server: s}
	options := generic.RESTOptions{ResourcePrefix: "pods", Decorator: pods.decorate, StorageConfig: &storagebackend.ConfigForResource{
		Config: storagebackend.Config{Codec: legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion)}}}
	all, err := podstorage.NewStorage(options, nil, nil, budgets, nil)
	must(err)
	return &evictor{handler: all.Eviction, pods: pods}
}

// answer is what the API server says to a request.
type answer struct {
	code            int32
	reason, message string
	causes          string
	retry           int32 // seconds
}

func (a answer) String() string {
	return fmt.Sprintf("%d %s %q, causes [%s], again in %d s", a.code, a.reason, a.message, a.causes, a.retry)
}

// evict sends an eviction as kubectl does: with options of deletion that hold all it is asked for.
func (e *evictor) evict(key api.Key, opts apiserver.EvictOptions) answer {
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
		return answer{code: http.StatusInternalServerError, message: err.Error()}
	}
	return answerOf(*result.(*metav1.Status))
}

func answerOf(s metav1.Status) answer {
	a := answer{code: s.Code, reason: string(s.Reason), message: s.Message}
	if s.Status == metav1.StatusSuccess {
		a.code = http.StatusCreated
	}
	if s.Details != nil && s.Reason != metav1.StatusReasonInvalid {
		a.retry = s.Details.RetryAfterSeconds
		causes := make([]string, len(s.Details.Causes))
		for i, c := range s.Details.Causes {
			causes[i] = string(c.Type) + ": " + c.Message
		}
		a.causes = strings.Join(causes, "; ")
	}
	return a
}

// podTable takes the place of etcd below the registry of pods. The registry asks it for no more than this.
type podTable struct {
	storage.Interface
	server *server
}

func (p *podTable) decorate(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object,
	func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	return p, func() {}, nil
}

// Versioner reads resourceVersions.
func (*podTable) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

// Get reads a pod.
func (p *podTable) Get(_ context.Context, path string, _ storage.GetOptions, out runtime.Object) error {
	p.server.lock.Lock()
	defer p.server.lock.Unlock()
	pod, err := p.read(path)
	if err != nil {
		return err
	}
	pod.DeepCopyInto(out.(*core.Pod))
	return nil
}

// GuaranteedUpdate changes a pod. What changes nothing is no write.
func (p *podTable) GuaranteedUpdate(_ context.Context, path string, out runtime.Object, _ bool, expected *storage.Preconditions,
	change storage.UpdateFunc, _ runtime.Object) error {
	p.server.lock.Lock()
	defer p.server.lock.Unlock()
	old, err := p.read(path)
	if err == nil {
		err = expected.Check(path, old)
	}
	if err != nil {
		return err
	}
	changed, _, err := change(old.DeepCopy(), storage.ResponseMeta{})
	if err != nil {
		return err
	}
	before, after := podFromInternal(old), podFromInternal(changed.(*core.Pod))
	if !equality.Semantic.DeepEqual(before, after) {
		p.server.write("update", after)
	}
	podToInternal(after).DeepCopyInto(out.(*core.Pod))
	return nil
}

// Delete takes a pod out.
func (p *podTable) Delete(ctx context.Context, path string, out runtime.Object, expected *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions) error {
	p.server.lock.Lock()
	defer p.server.lock.Unlock()
	old, err := p.read(path)
	if err == nil {
		err = expected.Check(path, old)
	}
	if err == nil {
		err = validate(ctx, old)
	}
	if err != nil {
		return err
	}
	old.DeepCopyInto(out.(*core.Pod))
	key := podAt(path)
	p.server.version++
	p.server.fresh[key] = nil
	p.server.note(action{what: "delete", about: key, object: podFromInternal(old)})
	return nil
}

// read returns the pod at a path in the form that the registry works on.
func (p *podTable) read(path string) (*core.Pod, error) {
	o := p.server.stored(podAt(path))
	if o == nil {
		return nil, storage.NewKeyNotFoundError(path, p.server.version)
	}
	return podToInternal(o.(*corev1.Pod)), nil
}

// podAt names the pod that lies at /pods/NAMESPACE/NAME.
func podAt(path string) api.Key {
	parts := strings.Split(path, "/")
	return api.Key{Kind: api.KindPod, Namespace: parts[2], Name: parts[3]}
}

// podToInternal reads a pod as it is read from etcd: with defaults.
func podToInternal(pod *corev1.Pod) *core.Pod {
	out := &core.Pod{}
	must(legacyscheme.Scheme.Convert(defaulted(pod), out, nil))
	return out
}

func defaulted(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	legacyscheme.Scheme.Default(pod)
	return pod
}

// podFromInternal returns a pod as it is stored: with times in whole seconds.
func podFromInternal(pod *core.Pod) *corev1.Pod {
	out := &corev1.Pod{}
	must(legacyscheme.Scheme.Convert(pod.DeepCopy(), out, nil))
	if out.DeletionTimestamp != nil {
		out.DeletionTimestamp = api.Ptr(out.DeletionTimestamp.Rfc3339Copy())
	}
	for i := range out.Status.Conditions {
		c := &out.Status.Conditions[i]
		c.LastTransitionTime = c.LastTransitionTime.Rfc3339Copy()
	}
	return out
}
