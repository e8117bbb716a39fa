package daemon

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// onNode queues a node that was added, or whose labels or taints changed; what else a node tells does not matter (DS-33).
// The loss of a node wakes nobody.
//
// Simplified: as long as there is no DaemonSet nothing is queued. The first one looks at all nodes anyway.
func (c *Controller) onNode(change *sim.Change) {
	if change.New == nil || c.daemonSets.Cache.Len() == 0 {
		return
	}
	node := change.New.(*api.Node)
	if change.Old != nil {
		old := change.Old.(*api.Node)
		if maps.Equal(old.Labels, node.Labels) && slices.Equal(old.Spec.Taints, node.Spec.Taints) {
			return
		}
	}
	c.nodeUpdates.Add(node.Key())
}

// NodeShouldRunDaemonPod says whether a node should get a pod of a DaemonSet, and whether one that is there may stay (DS-6).
// Whether the node is cordoned or Ready does not matter; its taints do.
func NodeShouldRunDaemonPod(ds *api.DaemonSet, n *api.Node) (run, stay bool) {
	return nodeShouldRun(ds.Spec.Template.Spec, daemonTolerations(ds.Spec.Template.Spec), n)
}

func nodeShouldRun(spec *api.PodSpec, tolerations []api.Toleration, n *api.Node) (run, stay bool) {
	if spec.NodeName != "" && spec.NodeName != n.Name || !spec.MatchesNode(n) {
		return false, false
	}
	run, stay = true, true
	for i := range n.Spec.Taints {
		taint := &n.Spec.Taints[i]
		if (taint.Effect == api.NoSchedule || taint.Effect == api.NoExecute) && !api.Tolerated(tolerations, taint) {
			run, stay = false, stay && taint.Effect != api.NoExecute
		}
	}
	return run, stay
}

// nodeUpdater is the reconciler of the queue of nodes.
type nodeUpdater struct{ *Controller }

// Sync wakes the DaemonSets that a node now lacks a pod of, whose pod it may not keep any more, or that have a pod there and
// pods on wrong nodes somewhere (DS-33). A taint that only keeps new pods away wakes nobody.
func (u nodeUpdater) Sync(key api.Key) error {
	node, _ := u.nodes.Cache.Get(key).(*api.Node)
	if node == nil {
		u.nodeUpdates.Took("the node is gone", whyNode)
		u.nodeUpdates.Idle("nothing is left to look at", nil)
		return nil
	}
	has := u.daemonSetsOn(node.Name)
	woken := 0
	for o := range u.daemonSets.Cache.All() {
		ds := o.(*api.DaemonSet)
		scheduled := has[ds.Key()]
		run, stay := NodeShouldRunDaemonPod(ds, node)
		if run && !scheduled || !stay && scheduled || scheduled && ds.Status.NumberMisscheduled > 0 {
			u.loop.Add(ds.Key())
			woken++
		}
	}
	u.nodeUpdates.Took("looks which DaemonSets a node matters to", whyNode)
	if woken == 0 {
		u.nodeUpdates.Idle("every DaemonSet that it should run has a pod there, and none has to leave", nil)
	} else {
		u.nodeUpdates.Idle(fmt.Sprintf("it queues %d of %d DaemonSets", woken, u.daemonSets.Cache.Len()), nil)
	}
	return nil
}

// daemonSetsOn returns the DaemonSets that have a pod on a node, by the name that the pod's reference gives. A pod that
// waits for the scheduler is not there yet.
func (u nodeUpdater) daemonSetsOn(node string) map[api.Key]bool {
	has := map[api.Key]bool{}
	for o := range u.pods.Cache.All() {
		pod := o.(*api.Pod)
		if ref := pod.ControllerOf(); pod.NodeName == node && ref != nil && ref.Kind == api.KindDaemonSet {
			has[api.Key{Kind: api.KindDaemonSet, Namespace: pod.Namespace, Name: ref.Name}] = true
		}
	}
	return has
}
