package realcluster

import (
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// identities are the UIDs of a run's pods: of each image in the order of their creation.
type identities map[string][]types.UID

// victims is an index of pods as the ReplicaSet controller sees them when it chooses which ones it deletes. Of pods that are about as old the
// UID decides, which is drawn, and of those that are exactly as old the order of a map. So that runs can be compared, each pod has the UID that
// it has in the engine, and no two are exactly as old: then the UID decides, as in the engine.
type victims struct {
	cache.Indexer
	uids identities

	mu    sync.Mutex
	names map[string][]string // of each image in the order of their creation
}

// OnAdd implements cache.ResourceEventHandler.
func (v *victims) OnAdd(o any, _ bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	pod := o.(*corev1.Pod)
	image := pod.Spec.Containers[0].Image
	v.names[image] = append(v.names[image], pod.Name)
}

// OnUpdate implements cache.ResourceEventHandler.
func (*victims) OnUpdate(any, any) {}

// OnDelete implements cache.ResourceEventHandler.
func (*victims) OnDelete(any) {}

// ByIndex implements cache.Indexer.
func (v *victims) ByIndex(index, key string) ([]any, error) {
	list, err := v.Indexer.ByIndex(index, key)
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, o := range list {
		pod := o.(*corev1.Pod).DeepCopy()
		image := pod.Spec.Containers[0].Image
		at := slices.Index(v.names[image], pod.Name)
		if at >= 0 && at < len(v.uids[image]) {
			pod.UID = v.uids[image][at]
			pod.CreationTimestamp.Time = pod.CreationTimestamp.Add(time.Duration(at))
			list[i] = pod
		}
	}
	return list, err
}
