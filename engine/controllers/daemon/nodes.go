package daemon

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// onNode queues a node that was added or whose labels or taints changed; other changes do not matter (DS-33,
// shouldIgnoreNodeUpdate). A deleted node is not queued.
//
// Simplified: without a DaemonSet nothing is queued, because the first DaemonSet checks all nodes anyway.
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

// NodeShouldRunDaemonPod reports whether a node should get a pod of a DaemonSet, and whether a pod that runs there may stay
// (DS-6). Cordoning and readiness matter only through the taints of the node:
//
//	node                                                run    stay
//	matches                                             true   true
//	does not match nodeName, nodeSelector or affinity   false  false
//	has a NoSchedule taint that is not tolerated        false  true
//	has a NoExecute taint that is not tolerated         false  false
func NodeShouldRunDaemonPod(ds *api.DaemonSet, n *api.Node) (run, stay bool) {
	return nodeShouldRun(ds.Spec.Template.Spec, daemonTolerations(ds.Spec.Template.Spec), n)
}

// CountNodes returns how many nodes should get a pod of a DaemonSet.
func CountNodes(ds *api.DaemonSet, nodes map[string]*api.Node) (n int) {
	tolerations := daemonTolerations(ds.Spec.Template.Spec)
	for _, node := range nodes {
		breath.Often()
		if run, _ := nodeShouldRun(ds.Spec.Template.Spec, tolerations, node); run {
			n++
		}
	}
	return n
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

// nodeUpdater reconciles the queue of nodes.
type nodeUpdater struct{ *Controller }

// Sync queues the DaemonSets that need a pod on a node and have none there, or have a pod there that may not stay, or have a
// pod there and misscheduled pods anywhere (DS-33, syncNodeUpdate). A taint that only repels new pods queues none.
func (u nodeUpdater) Sync(key api.Key) error {
	node, _ := u.nodes.Cache.Get(key).(*api.Node)
	if node == nil {
		return u.nodeUpdates.Skip("the node is gone", whyNode, "nothing to check")
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
	what := "every DaemonSet that should run there has a pod, and no pod has to leave"
	if woken > 0 {
		what = fmt.Sprintf("it queues %d of %d DaemonSets", woken, u.daemonSets.Cache.Len())
	}
	return u.nodeUpdates.Skip("checks which DaemonSets a node affects", whyNode, what)
}

// daemonSetsOn returns the DaemonSets that have a pod on a node, by the name in the pod's owner reference. A pod that waits
// for the scheduler does not count.
func (u nodeUpdater) daemonSetsOn(node string) map[api.Key]bool {
	has := map[api.Key]bool{}
	for o := range u.pods.Cache.All() {
		pod := o.(*api.Pod)
		if owner := pod.ControllerKey(); pod.NodeName == node && owner.Kind == api.KindDaemonSet {
			has[owner] = true
		}
	}
	return has
}
