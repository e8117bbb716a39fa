package daemon

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// plan is the creations and deletions of one step of a sync, with their reasons.
type plan struct{ create, remove []step }

// step is a creation or a deletion.
type step struct {
	node string   // of a creation
	pod  *api.Pod // that is deleted
	why  *sim.Explain
}

func (p *plan) creates(why *sim.Explain, nodes ...string) {
	for _, node := range nodes {
		p.create = append(p.create, step{node: node, why: why})
	}
}

func (p *plan) removes(why *sim.Explain, pods ...*api.Pod) {
	for _, pod := range pods {
		p.remove = append(p.remove, step{pod: pod, why: why})
	}
}

const onNode = controllerGo + "podsShouldBeOnNode"

// The reasons for creating and deleting pods (DS-8).
var (
	whyMissing   = why.Note("DS-8", onNode, "the node should run a pod and has none")
	whyAllGoing  = why.Note("DS-8", onNode, "the other pods of the node are terminating; with a surge they are replaced at once")
	whyMisplaced = why.Note("DS-8", onNode, "no pod may stay on the node: its labels or its taints forbid it")
	whyExcess    = why.Note("DS-8", onNode, "the node has more than one pod: the oldest stays")
	whySurplus   = why.Note("DS-8", onNode, "besides the oldest new and the oldest old pod, the node has more")
	whyBroken    = why.Note("DS-8", onNode, "the old pod is not Ready, so replacing it costs no availability")
	whyReplaced  = why.Note("DS-8", onNode, "the new pod of the node is available, so the old one is deleted")
	whyHeld      = why.Note("DS-8", onNode, "without a surge a node never has two pods, not even while one is terminating")
	whySucceeded = why.Note("DS-8", onNode, "the pod has finished, but the pods of a DaemonSet run permanently")
	whyNoNode    = why.Note("DS-8", controllerGo+"getUnscheduledPodsWithoutNode", "the node that the pod waits for is deleted")
)

// podsShouldBeOnNode adds to the plan what one node needs (DS-8).
func (c *Controller) podsShouldBeOnNode(r *round, at *place, p *plan) {
	node, pods := at.node, at.pods
	run, stay := r.shouldRun(node)
	switch {
	case run && len(pods) == 0:
		p.creates(whyMissing, node.Name)
	case stay:
		running := c.removeFinished(r, node, pods, p)
		if allowsSurge(r.ds) {
			keepNewest(r, node, running, run, p)
			return
		}
		p.removes(whyExcess, running[min(1, len(running)):]...)
		if run && len(running) == 0 && pods[0].Terminating() {
			c.loop.Idle(node.Name+" gets its pod once "+pods[0].Name+" is gone", whyHeld)
		}
	default:
		for _, pod := range pods {
			if !pod.Terminating() {
				p.removes(whyMisplaced, pod)
			}
		}
	}
}

// removeFinished plans the deletion of the finished pods of a node, and returns the running pods that are not terminating. A
// failed pod stays for a while if others failed on the node before, because the kubelet may refuse the next one as well.
func (c *Controller) removeFinished(r *round, node *api.Node, pods []*api.Pod, p *plan) (running []*api.Pod) {
	for _, pod := range pods {
		switch {
		case pod.Terminating():
		case pod.Status.Phase == api.PodFailed:
			c.removeFailed(r, node, pod, p)
		case pod.Status.Phase == api.PodSucceeded:
			c.client.Event(r.ds.Key(), "Normal", "SucceededDaemonPod", fmt.Sprintf(
				"Found succeeded daemon pod %s/%s on node %s, will try to delete it", pod.Namespace, pod.Name, node.Name))
			p.removes(whySucceeded, pod)
		default:
			running = append(running, pod)
		}
	}
	return running
}

// removeFailed plans the deletion of a failed pod, or, during the back-off of its node, queues the DaemonSet for its end.
func (c *Controller) removeFailed(r *round, node *api.Node, pod *api.Pod, p *plan) {
	key := backoffKey{r.ds.UID, r.ds.Status.ObservedGeneration, node.Name}
	if e := c.backoff.current(key, r.now); e != nil {
		c.loop.AddAfter(r.ds.Key(), e.delay)
		what := fmt.Sprintf("failed pod %s stays on %s for now: looks again in %d ms", pod.Name, node.Name, e.delay)
		c.loop.Decide(r.ds.Key(), what, e.explain())
		return
	}
	e := c.backoff.next(key, r.now)
	c.client.Event(r.ds.Key(), "Warning", "FailedDaemonPod", fmt.Sprintf(
		"Found failed daemon pod %s/%s on node %s, will try to kill it", pod.Namespace, pod.Name, node.Name))
	p.removes(e.explain(), pod)
}

// keepNewest adds to the plan what one node of a DaemonSet with a surge needs: it may have one new pod beside one old pod
// while the old one is Ready and the new one is not available.
func keepNewest(r *round, node *api.Node, running []*api.Pod, run bool, p *plan) {
	if len(running) == 0 && run {
		p.creates(whyAllGoing, node.Name)
	}
	if len(running) <= 1 {
		return
	}
	var newPod, oldPod *api.Pod
	for _, pod := range running {
		isNew := pod.Labels[api.ControllerRevisionHashLabel] == r.hash
		switch {
		case isNew && newPod == nil:
			newPod = pod
		case !isNew && oldPod == nil:
			oldPod = pod
		default:
			p.removes(whySurplus, pod)
		}
	}
	switch {
	case newPod == nil || oldPod == nil:
	case !oldPod.IsReady():
		p.removes(whyBroken, oldPod)
	case r.available(newPod):
		p.removes(whyReplaced, oldPod)
	}
}

// manage creates missing pods and deletes surplus pods on all nodes (DS-8).
func (c *Controller) manage(r *round, then func(error) error) error {
	var p plan
	for i := range r.places {
		if at := &r.places[i]; at.node != nil && !r.look(at).settled {
			c.podsShouldBeOnNode(r, at, &p)
		}
	}
	for i := range r.places {
		if r.places[i].node != nil {
			continue
		}
		for _, pod := range r.places[i].pods {
			if pod.NodeName == "" {
				p.removes(whyNoNode, pod)
			}
		}
	}
	if len(p.create)+len(p.remove) > 0 {
		c.notePlan(&p)
	}
	return c.syncNodes(r, &p, then)
}

// notePlan notes what manage creates and deletes, and how much of it the burst allows (DS-9).
func (c *Controller) notePlan(p *plan) {
	create, remove := len(p.create), len(p.remove)
	what := "creates pods"
	switch {
	case create > 0 && remove > 0:
		what = "creates and deletes pods"
	case remove > 0:
		what = "deletes pods"
	}
	note := ""
	if left := max(0, create-burstReplicas) + max(0, remove-burstReplicas); left > 0 {
		note = fmt.Sprintf("%d more are left for the next sync", left)
	}
	c.loop.Branch(what, why.Sum("DS-8", controllerGo+"manage",
		"min(missing, burst) + min(superfluous, burst)", min(create, burstReplicas)+min(remove, burstReplicas), create, burstReplicas, remove).
		Noting(note))
}

// syncNodes carries out a plan as far as the burst allows; a later sync does the rest (DS-9). With 300 nodes to get a pod and
// 20 pods to delete, it creates 250 and deletes 20.
func (c *Controller) syncNodes(r *round, p *plan, then func(error) error) error {
	create, remove := p.create[:min(len(p.create), burstReplicas)], p.remove[:min(len(p.remove), burstReplicas)]
	key := r.ds.Key()
	c.expectations.Expect(key, len(create), len(remove))
	deletePod := func(i int) error {
		pod, why := remove[i].pod, remove[i].why
		return c.client.DeletePod(key, pod, "pod deleted on "+targetNode(pod), why, func() { c.expectations.DeletionCounted(key) })
	}
	return c.createPods(r, create, func(errs []error) error {
		return c.loop.AtOnce(len(remove), deletePod, func(_ int, more []error) error { return then(api.Aggregate(append(errs, more...))) })
	})
}

// createPods creates pods with a slow start.
func (c *Controller) createPods(r *round, list []step, then func([]error) error) error {
	if len(list) == 0 {
		return then(nil)
	}
	ds := r.ds
	template := ds.Spec.Template.WithLabel(api.PodTemplateGenerationLabel, strconv.FormatInt(ds.TemplateGeneration, 10))
	template = template.WithLabel(api.ControllerRevisionHashLabel, r.hash)
	template.Spec = r.spec
	create := func(i int) error {
		pod := apiserver.PodFromTemplate(ds, &template)
		pod.TargetNode = list[i].node
		_, err := c.loop.Wrote(c.client.CreatePod(ds.Key(), pod, "pod created for "+pod.TargetNode, list[i].why))
		return err
	}
	return c.expectations.Create(ds.Key(), len(list), burstReplicas, create, then)
}
