package upstream

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/apis/core"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// podTable replaces etcd below the registry of pods. The registry uses no other method.
type podTable struct {
	storage.Interface
	server *Server
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
	before, after := storedPod(old), storedPod(changed.(*core.Pod))
	if !equality.Semantic.DeepEqual(before, after) {
		p.server.write("update", after)
	}
	internalPod(after).DeepCopyInto(out.(*core.Pod))
	return nil
}

// Delete removes a pod.
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
	p.server.note(Action{What: "delete", About: key, Object: storedPod(old)})
	return nil
}

// read returns the pod at a path in the form that the registry works on.
func (p *podTable) read(path string) (*core.Pod, error) {
	o := p.server.Stored(podAt(path))
	if o == nil {
		return nil, storage.NewKeyNotFoundError(path, p.server.version)
	}
	return internalPod(o.(*corev1.Pod)), nil
}

// podAt names the pod that lies at /pods/NAMESPACE/NAME.
func podAt(path string) api.Key {
	parts := strings.Split(path, "/")
	return api.Key{Kind: api.KindPod, Namespace: parts[2], Name: parts[3]}
}

// internalPod returns a pod as it is read from etcd: with defaults.
func internalPod(pod *corev1.Pod) *core.Pod {
	return convert.ToInternal(convert.Defaulted(pod)).(*core.Pod)
}

// storedPod returns a pod as it is stored: with times in whole seconds.
func storedPod(pod *core.Pod) *corev1.Pod { return convert.FromInternal(pod.DeepCopy()).(*corev1.Pod) }
