package nodelife

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// collector is the garbage collector of pods: it deletes those that are bound to a node that is gone (G-44). Upstream looks
// every 20 s for such nodes, and 40 s after it has found one its pods go (podgc/gc_controller.go:gcOrphaned).
//
// Simplified: finished pods are kept, however many there are, and the taint out-of-service means nothing to it.
type collector struct {
	client  *apiserver.Client
	kernel  *sim.Kernel
	store   *sim.Store
	nodes   *sim.Table // caches
	pods    *sim.Table
	missing map[string]bool // nodes whose pods will be deleted, unless they come back
}

var whyOrphaned = why.Note("G-44", "pkg/controller/podgc/gc_controller.go:gcOrphaned",
	"its node is gone; the first look for such nodes, every 20 s, was 40 s ago")

func newCollector(server *apiserver.Server) {
	nodes, pods := server.Store.Informer(api.KindNode), server.Store.Informer(api.KindPod)
	g := &collector{client: server.Client(GarbageActor), kernel: server.Kernel, store: server.Store,
		nodes: &nodes.Cache, pods: &pods.Cache, missing: map[string]bool{}}
	nodes.AddHandler(g)
	pods.AddHandler(g)
}

// OnChange hears of nodes that go, and of pods that are bound to one that is gone.
func (g *collector) OnChange(c *sim.Change) {
	switch o := c.Object().(type) {
	case *api.Node:
		if c.New == nil && len(podsOn(g.pods, o.Name)) > 0 {
			g.suspect(o.Name)
		}
	case *api.Pod:
		if c.New == nil || o.NodeName == "" {
			return
		}
		old, ok := c.Old.(*api.Pod)
		if bound := !ok || old.NodeName == ""; bound && g.nodes.Get(nodeKey(o.NodeName)) == nil {
			g.suspect(o.NodeName)
		}
	}
}

// suspect plans the end of a node's pods.
func (g *collector) suspect(node string) {
	if !g.missing[node] {
		g.missing[node] = true
		g.kernel.Schedule(sim.Event{At: next(g.kernel.Now(), gcPeriod) + quarantine, To: g, Key: nodeKey(node)})
	}
}

// Handle deletes the pods of a node that has not come back.
func (g *collector) Handle(e sim.Event) {
	delete(g.missing, e.Key.Name)
	if g.store.Get(e.Key) != nil {
		return
	}
	for _, pod := range podsOn(g.pods, e.Key.Name) {
		g.collect(pod)
	}
}

// collect marks a pod as failed and deletes it at once (markFailedAndDeletePodWithCondition).
func (g *collector) collect(pod *api.Pod) {
	o, err := g.client.Get(pod.Key())
	if err != nil || o.Meta().UID != pod.UID {
		return // it went in this very moment
	}
	if c := o.(*api.Pod).CopyForStatus(); !c.Finished() {
		c.Status.Phase = api.PodFailed
		c.Status.Conditions = api.SetPodCondition(c.Status.Conditions, api.Condition{Type: api.DisruptionTarget, Status: "True",
			Reason: "DeletionByPodGC", Message: "PodGC: node no longer exists"}, g.client.Timestamp())
		_, err = g.client.UpdateStatus(c, "failed: its node is gone", whyOrphaned)
		must(err)
	}
	var none int64
	must(g.client.Delete(pod.Key(), apiserver.DeleteOptions{GracePeriodSeconds: &none}, "deleted: its node is gone", whyOrphaned))
}
