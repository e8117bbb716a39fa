// Package nodelife deals with nodes that are lost: the node lifecycle controller (G-40 to G-46), the taint eviction
// controller (G-43) and the garbage collector of pods. They stand in files named as upstream's packages:
// pkg/controller/nodelifecycle, tainteviction and podgc.
//
// Nothing ticks. Upstream looks at all nodes every five seconds; here a look takes place on that grid after something has
// changed that it would see, or when a lease runs out.
//
// Simplified: of the conditions of a node only Ready leads to taints, since the others never change here; nothing reports
// Ready=False, so that the taint not-ready does not occur by itself; controllers that write to a node or a pod read it in
// the same moment, so that their writes do not conflict.
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
	monitorPeriod = 5_000  // how often the nodes are looked at
	monitorGrace  = 50_000 // how long a lease may not be renewed
	taintPeriod   = 100    // how often the queues of the nodes to taint are looked at
	gcPeriod      = 20_000 // how often pods without a node are looked for
	quarantine    = 40_000 // how long a node may be missing before its pods are deleted
)

const upstreamGo = "pkg/controller/nodelifecycle/node_lifecycle_controller.go:"

// New starts the three controllers.
func New(server *apiserver.Server) {
	newMonitor(server)
	newEvictor(server)
	newCollector(server)
}

// next returns the next moment of a grid after a moment.
func next(now, period sim.Time) sim.Time { return (now/period + 1) * period }

func nodeKey(name string) api.Key { return api.Key{Kind: api.KindNode, Name: name} }

// podsOn lists the pods that a cache knows to be bound to a node, in the order of their creation.
func podsOn(cache *sim.Table, node string) (pods []*api.Pod) {
	for o := range cache.All() {
		if pod := o.(*api.Pod); pod.NodeName == node {
			pods = append(pods, pod)
		}
	}
	return pods
}

// noExecute returns those of some taints that drive pods away.
func noExecute(taints []api.Taint) (list []api.Taint) {
	for _, t := range taints {
		if t.Effect == api.NoExecute {
			list = append(list, t)
		}
	}
	return list
}

// findTaint returns the place of the taint with the same key and effect, -1 if there is none.
func findTaint(taints []api.Taint, like *api.Taint) int {
	return slices.IndexFunc(taints, func(t api.Taint) bool { return t.Key == like.Key && t.Effect == like.Effect })
}

// must makes a refusal that cannot happen, the object having been read in this very moment, a panic.
func must(err error) {
	if err != nil {
		panic("nodelife: " + err.Error())
	}
}
