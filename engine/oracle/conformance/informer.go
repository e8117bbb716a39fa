package main

import (
	"sort"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	policylisters "k8s.io/client-go/listers/policy/v1"
)

// indexer is client-go's own cache, except that its lists come in the order of creation: client-go's are in the random
// order of a map, and nothing that is compared may depend on that.
type indexer struct {
	cache.Indexer
	order   map[string]int // key -> position
	next    int
	version int64               // resourceVersion of the last change that was delivered
	alias   func(string) string // the name under which an object is stored, given the one that is asked for
}

func newIndexer() *indexer {
	return &indexer{
		Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}),
		order:   map[string]int{},
	}
}

// put adds an object, or replaces the one of its name.
func (i *indexer) put(o object) {
	if key := keyOf(o); i.order[key] == 0 {
		i.next++
		i.order[key] = i.next
	}
	must(i.Add(o))
}

func (i *indexer) remove(o object) {
	delete(i.order, keyOf(o))
	must(i.Delete(o))
}

// List returns all objects by creation.
func (i *indexer) List() []any { return i.sorted(i.Indexer.List()) }

// Index returns the objects that share an indexed value with another one, by creation.
func (i *indexer) Index(name string, o any) ([]any, error) {
	list, err := i.Indexer.Index(name, o)
	return i.sorted(list), err
}

// ByIndex returns the objects with an indexed value, by creation.
func (i *indexer) ByIndex(name, value string) ([]any, error) {
	list, err := i.Indexer.ByIndex(name, value)
	return i.sorted(list), err
}

// GetByKey returns an object by its key.
func (i *indexer) GetByKey(key string) (item any, exists bool, err error) {
	if i.alias != nil {
		key = i.alias(key)
	}
	return i.Indexer.GetByKey(key)
}

// LastStoreSyncResourceVersion tells the controllers how recent the cache is.
func (i *indexer) LastStoreSyncResourceVersion() string { return strconv.FormatInt(i.version, 10) }

func (i *indexer) sorted(list []any) []any {
	sort.Slice(list, func(a, b int) bool {
		if _, node := list[a].(*corev1.Node); node {
			return keyOf(list[a]) < keyOf(list[b])
		}
		return i.order[keyOf(list[a])] < i.order[keyOf(list[b])]
	})
	return list
}

func keyOf(o any) string {
	m, err := meta.Accessor(o)
	must(err)
	return m.GetNamespace() + "/" + m.GetName()
}

// informer is a shared informer without a watch: it is told of each change and runs the handlers at once.
type informer struct {
	cache.SharedIndexInformer // nil: what is not overridden is not used
	cache                     *indexer
	handlers                  []cache.ResourceEventHandler
}

func newInformer() *informer { return &informer{cache: newIndexer()} }

// AddEventHandler lets a controller hear of every later change.
func (i *informer) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, h)
	return nil, nil
}

// AddIndexers adds indexes to the cache.
func (i *informer) AddIndexers(x cache.Indexers) error { return i.cache.AddIndexers(x) }

// GetIndexer returns the cache.
func (i *informer) GetIndexer() cache.Indexer { return i.cache }

// GetStore returns the cache.
func (i *informer) GetStore() cache.Store { return i.cache }

// HasSynced says that the cache is complete.
func (i *informer) HasSynced() bool { return true }

// deliver brings the cache up to date and runs the handlers. Of before and after one may be nil.
func (i *informer) deliver(before, after object, version int64) {
	i.cache.version = version
	if after != nil {
		i.cache.put(after)
	} else {
		i.cache.remove(before)
	}
	for _, h := range i.handlers {
		switch {
		case before == nil:
			h.OnAdd(after, false)
		case after == nil:
			h.OnDelete(before)
		default:
			h.OnUpdate(before, after)
		}
	}
}

// The informers that the constructors of the controllers ask for: each reads the same sort of cache as its own type.
type (
	deploymentInformer  struct{ *informer }
	replicaSetInformer  struct{ *informer }
	statefulSetInformer struct{ *informer }
	daemonSetInformer   struct{ *informer }
	revisionInformer    struct{ *informer }
	podInformer         struct{ *informer }
	nodeInformer        struct{ *informer }
	claimInformer       struct{ *informer }
	rcInformer          struct{ *informer }
	budgetInformer      struct{ *informer }
)

// Informer returns the informer itself.
func (i *informer) Informer() cache.SharedIndexInformer { return i }

// Lister reads the cache.
func (i deploymentInformer) Lister() appslisters.DeploymentLister {
	return appslisters.NewDeploymentLister(i.cache)
}

// Lister reads the cache.
func (i replicaSetInformer) Lister() appslisters.ReplicaSetLister {
	return appslisters.NewReplicaSetLister(i.cache)
}

// Lister reads the cache.
func (i statefulSetInformer) Lister() appslisters.StatefulSetLister {
	return appslisters.NewStatefulSetLister(i.cache)
}

// Lister reads the cache.
func (i daemonSetInformer) Lister() appslisters.DaemonSetLister {
	return appslisters.NewDaemonSetLister(i.cache)
}

// Lister reads the cache.
func (i revisionInformer) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(i.cache)
}

// Lister reads the cache.
func (i podInformer) Lister() corelisters.PodLister {
	return corelisters.NewPodLister(i.cache)
}

// Lister reads the cache.
func (i nodeInformer) Lister() corelisters.NodeLister {
	return corelisters.NewNodeLister(i.cache)
}

// Lister reads the cache.
func (i claimInformer) Lister() corelisters.PersistentVolumeClaimLister {
	return corelisters.NewPersistentVolumeClaimLister(i.cache)
}

// Lister reads the cache.
func (i rcInformer) Lister() corelisters.ReplicationControllerLister {
	return corelisters.NewReplicationControllerLister(i.cache)
}

// Lister reads the cache.
func (i budgetInformer) Lister() policylisters.PodDisruptionBudgetLister {
	return policylisters.NewPodDisruptionBudgetLister(i.cache)
}

// must panics on an error that only a mistake in this program can bring about.
func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}
