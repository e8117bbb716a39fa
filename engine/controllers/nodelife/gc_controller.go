package nodelife

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// collector is the garbage collector of pods: it deletes the pods of a removed node (G-44). Upstream searches for such nodes
// every 20 s, and deletes their pods 40 s after it found one (podgc/gc_controller.go:gcOrphaned). The pods of a node that is
// removed at 15 s are deleted at 20 + 40 = 60 s; removed at 20 s, the next search is at 40 s, and they are deleted at 80 s.
//
// Simplified: finished pods are kept, however many there are, and the taint out-of-service has no effect.
type collector struct {
	parts
	store   *sim.Store
	missing map[string]bool // nodes whose pods are deleted unless they come back
}

var whyOrphaned = why.Note("G-44", "pkg/controller/podgc/gc_controller.go:gcOrphaned",
	"its node is gone; the first search after that, every 20 s, was 40 s ago")

func newCollector(server *apiserver.Server) {
	g := &collector{parts: newParts(server, GarbageActor), store: server.Store, missing: map[string]bool{}}
	server.Store.Watch(g, api.KindNode, api.KindPod)
}

// OnChange receives removed nodes, and pods that are bound to one.
func (g *collector) OnChange(c *sim.Change) {
	switch o := c.Object().(type) {
	case *api.Node:
		if c.New == nil && len(g.podsOn(o.Name)) > 0 {
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

// suspect schedules the deletion of a node's pods.
func (g *collector) suspect(node string) {
	if !g.missing[node] {
		g.missing[node] = true
		g.kernel.Schedule(sim.Event{At: next(g.kernel.Now(), gcPeriod) + quarantine, To: g, Key: nodeKey(node)})
	}
}

// Handle deletes the pods of a node unless it has come back.
func (g *collector) Handle(e sim.Event) {
	delete(g.missing, e.Key.Name)
	if g.store.Get(e.Key) != nil {
		return
	}
	for _, pod := range g.podsOn(e.Key.Name) {
		g.collect(pod)
	}
}

// collect marks a pod as failed and deletes it at once (markFailedAndDeletePodWithCondition).
func (g *collector) collect(pod *api.Pod) {
	c := g.stored(pod)
	if c == nil {
		return
	}
	if !c.Finished() {
		c.Status.Phase = api.PodFailed
		c.Status.Conditions = api.SetPodCondition(c.Status.Conditions, api.Condition{Type: api.DisruptionTarget, Status: "True",
			Reason: "DeletionByPodGC", Message: "PodGC: node no longer exists"}, g.client.Timestamp())
		g.client.Must(g.client.UpdateStatus(c, "failed: its node is gone", whyOrphaned))
	}
	g.client.Must(nil, g.client.Delete(pod.Key(), apiserver.WithoutGrace, "deleted: its node is gone", whyOrphaned))
}
