// Package nodelife handles lost nodes, by three controllers: node lifecycle (G-40 to G-46), taint eviction (G-43) and the
// garbage collection of pods (G-44). Below pkg/controller, node_lifecycle_controller.go, taints.go and zones.go answer to
// nodelifecycle/node_lifecycle_controller.go (zones.go also to nodelifecycle/scheduler/rate_limited_queue.go),
// taint_eviction.go to tainteviction/taint_eviction.go, gc_controller.go to podgc/gc_controller.go.
//
// Nothing ticks. Upstream checks all nodes every 5 s; here a check takes place on that grid only after a change that it
// would notice, or when a lease expires. So several grids decide when a pod leaves a node that dies at 12 s:
//
//	10 s       the kubelet renews its lease for the last time (at 0, 10, 20 … s after its registration)
//	60 s       the lease expires: 10 s + monitorGrace
//	65 s       the first check (at 5, 10, 15 … s) later than 60 s: Ready is Unknown, the taint NoSchedule
//	65.1 s     the first look at the queue (every 100 ms) after that: the taint NoExecute
//	65.101 s   taint eviction receives the change: tolerationSeconds are 300 by default
//	365.101 s  the pod is deleted, and terminates until somebody removes the node or restarts the machine
//
// Simplified: of the conditions of a node only Ready leads to taints, since the others never change here; nothing reports
// Ready=False, so the taint not-ready does not occur by itself; these controllers read a node or a pod in the step in which
// they write it, so their writes never conflict.
package nodelife

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Names of the controllers in records and events.
const (
	Actor         = "node-controller"
	EvictionActor = "taint-eviction-controller"
	GarbageActor  = "pod-garbage-collector-controller"
)

// Times of the controllers, in ms (G-40, podgc/gc_controller.go).
const (
	monitorPeriod = 5_000  // between two checks of the nodes
	monitorGrace  = 50_000 // from the last renewal of a lease until it expires
	taintPeriod   = 100    // between two looks at the queues of nodes to taint
	gcPeriod      = 20_000 // between two searches for pods without a node
	quarantine    = 40_000 // how long a node must be missing before its pods are deleted
)

const upstreamGo = "pkg/controller/nodelifecycle/node_lifecycle_controller.go:"

// parts are what all three controllers work with.
type parts struct {
	client *apiserver.Client
	kernel *sim.Kernel
	nodes  *sim.Table // caches
	pods   *sim.Table
}

func newParts(server *apiserver.Server, actor string) parts {
	return parts{server.Client(actor), server.Kernel,
		&server.Store.Informer(api.KindNode).Cache, &server.Store.Informer(api.KindPod).Cache}
}

// New starts the three controllers.
func New(server *apiserver.Server) {
	newMonitor(server)
	newEvictor(server)
	newCollector(server)
}

// next returns the first multiple of a period after a time: of 5 s, 65 s for 60 s and for 64.999 s.
func next(now, period sim.Time) sim.Time { return (now/period + 1) * period }

func nodeKey(name string) api.Key { return api.Key{Kind: api.KindNode, Name: name} }

// podsOn lists the cached pods on a node, in the order of their creation.
func (p *parts) podsOn(node string) []*api.Pod {
	return api.Pick(p.pods.All(), func(pod *api.Pod) bool { return pod.NodeName == node })
}

// stored returns a copy of what the server has of a cached pod, nil if that was removed in this ms.
func (p *parts) stored(pod *api.Pod) *api.Pod {
	o, err := p.client.Get(pod.Key())
	if err != nil || o.Meta().UID != pod.UID {
		return nil
	}
	return o.(*api.Pod).CopyForStatus()
}

// noExecute returns the taints that evict pods.
func noExecute(taints []api.Taint) []api.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t api.Taint) bool { return t.Effect != api.NoExecute })
}

// findTaint returns the index of the taint with the same key and effect, -1 if there is none.
func findTaint(taints []api.Taint, like *api.Taint) int {
	return slices.IndexFunc(taints, func(t api.Taint) bool { return t.Key == like.Key && t.Effect == like.Effect })
}
