package upstream

import (
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	policylisters "k8s.io/client-go/listers/policy/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// informer is a shared informer without a watch: deliver hands it each change, and it runs the handlers at once.
type informer struct {
	cache.SharedIndexInformer // nil: the methods that are not overridden are not used
	cache                     *indexer
	handlers                  []cache.ResourceEventHandler
}

func newInformer() *informer { return &informer{cache: newIndexer()} }

// AddEventHandler adds a handler for every later change.
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
func (i *informer) deliver(before, after convert.Object, version int64) {
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

// The informers that the constructors of the controllers take: each reads the cache as a list of its own type.
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
