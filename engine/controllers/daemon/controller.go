// Package daemon is the DaemonSet controller: it keeps one pod on every node that should have one. It follows
// pkg/controller/daemon of the pinned version (v1.37.1).
package daemon

import (
	"fmt"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor         = "daemonset-controller"
	nodeActor     = "daemonset-node-updates"
	controllerGo  = "pkg/controller/daemon/daemon_controller.go:"
	burstReplicas = 250 // at most that many pods are created, and that many deleted, in one go (DS-9)
)

// Controller keeps the pods of each DaemonSet.
//
// Simplified: the stale-cache guard (H-9) is left out, as in the ReplicaSet controller.
type Controller struct {
	client       *apiserver.Client
	loop         *sim.Loop
	nodeUpdates  *sim.Loop // of nodes that were added or changed (DS-33)
	daemonSets   *sim.Informer
	revisions    *sim.Informer
	pods         *sim.Informer
	nodes        *sim.Informer
	expectations *sim.Expectations
	backoff      backoff // before a failed pod is deleted
	specs        map[api.Key]podSpec
}

// podSpec is what the pods of a DaemonSet are made from: the template's spec, and the same with more tolerations.
type podSpec struct{ template, spec *api.PodSpec }

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		client:     s.Client(actor),
		daemonSets: s.Store.Informer(api.KindDaemonSet),
		revisions:  s.Store.Informer(api.KindControllerRevision),
		pods:       s.Store.Informer(api.KindPod),
		nodes:      s.Store.Informer(api.KindNode),
		backoff:    backoff{},
		specs:      map[api.Key]podSpec{},
	}
	c.loop = sim.NewLoop(s.Kernel, actor, 0, c)
	c.nodeUpdates = sim.NewLoop(s.Kernel, nodeActor, 0, nodeUpdater{c})
	c.expectations = sim.NewExpectations(c.loop)
	for _, i := range []*sim.Informer{c.daemonSets, c.revisions, c.pods, c.nodes} {
		i.AddHandler(c)
	}
	return c
}

// OnChange wakes the DaemonSets that a change concerns (DS-33).
func (c *Controller) OnChange(change *sim.Change) {
	switch o := change.Object().(type) {
	case *api.DaemonSet:
		if change.Type == sim.Deleted {
			c.expectations.Forget(o.Key())
		}
		c.loop.Add(o.Key())
	case *api.ControllerRevision:
		c.onRevision(change)
	case *api.Pod:
		c.onPod(change)
	case *api.Node:
		c.onNode(change)
	}
}

// onRevision wakes the owner of a revision that changed or went. A new one wakes nobody but those who may adopt it: the
// controller itself has made it.
func (c *Controller) onRevision(change *sim.Change) {
	r := change.Object().(*api.ControllerRevision)
	gone := change.Type == sim.Deleted || r.Terminating()
	if ref := r.ControllerOf(); ref != nil {
		if ds := c.owner(&r.ObjectMeta, ref); ds != nil && (gone || change.Type == sim.Modified) {
			c.loop.Add(ds.Key())
		}
	}
	c.onOrphan(change, gone)
}

func (c *Controller) onPod(change *sim.Change) {
	pod := change.Object().(*api.Pod)
	gone := change.Type == sim.Deleted || pod.Terminating()
	if ref := pod.ControllerOf(); ref != nil {
		if ds := c.owner(&pod.ObjectMeta, ref); ds != nil {
			c.onOwnPod(ds, change, gone)
		}
	}
	c.onOrphan(change, gone)
}

// onOwnPod notes what the controller waits to see, and wakes the owner of a pod. When a pod became Ready, it wakes it once
// more after minReadySeconds and a second (DS-31). A pod that is marked for deletion counts as gone, every time that it is
// seen.
func (c *Controller) onOwnPod(ds *api.DaemonSet, change *sim.Change, gone bool) {
	switch {
	case gone:
		c.expectations.DeletionCounted(ds.Key())
	case change.Type == sim.Added:
		c.expectations.CreationObserved(ds.Key())
	}
	c.loop.Add(ds.Key())
	if gone || change.Type == sim.Added || ds.Spec.MinReadySeconds == 0 {
		return
	}
	if !change.Old.(*api.Pod).IsReady() && change.New.(*api.Pod).IsReady() {
		c.loop.AddAfter(ds.Key(), int64(ds.Spec.MinReadySeconds)*1000+1000)
	}
}

// onOrphan wakes those who owned a pod or a revision before, and, if it belongs to nobody now, those who may adopt it.
func (c *Controller) onOrphan(change *sim.Change, gone bool) {
	if gone {
		return
	}
	m := change.New.Meta()
	ref, released, relabelled := m.ControllerOf(), false, change.Old == nil
	if change.Old != nil {
		old := change.Old.Meta()
		before := old.ControllerOf()
		released = before != nil && (ref == nil || *before != *ref)
		relabelled = !maps.Equal(old.Labels, m.Labels)
		if released {
			if ds := c.owner(old, before); ds != nil {
				c.loop.Add(ds.Key())
			}
		}
	}
	if ref != nil || !released && !relabelled {
		return
	}
	for o := range c.daemonSets.Cache.All() {
		if ds := o.(*api.DaemonSet); ds.Namespace == m.Namespace && !ds.Spec.Selector.Empty() && ds.Spec.Selector.Matches(m.Labels) {
			c.loop.Add(ds.Key())
		}
	}
}

// owner returns the cached DaemonSet that a reference points to, nil if there is none with that UID.
func (c *Controller) owner(m *api.ObjectMeta, ref *api.OwnerReference) *api.DaemonSet {
	ds, _ := c.daemonSets.Cache.Owner(m.Namespace, ref).(*api.DaemonSet)
	return ds
}

// Sync does one reconcile of a DaemonSet (DS-7).
func (c *Controller) Sync(key api.Key) error {
	ds, _ := c.daemonSets.Cache.Get(key).(*api.DaemonSet)
	switch {
	case ds == nil:
		c.expectations.Forget(key)
		delete(c.specs, key)
		c.loop.Took("the DaemonSet is gone", whySync)
		c.loop.Idle("nothing is left to do; its pods are the garbage collector's", nil)
		return nil
	case ds.Spec.Selector.Empty():
		c.loop.Took("the selector matches everything", whySync)
		c.client.Event(key, "Warning", "SelectingAll", "This daemon set is selecting all pods. A non-empty selector is required.")
		c.loop.Idle("its pods could be anybody's", nil)
		return nil
	case ds.Terminating():
		c.loop.Took("the DaemonSet is being deleted: nothing is done for it", whySync)
		c.loop.Idle("not even its status: its revisions may be gone already", nil)
		return nil
	}
	cur, old, err := c.constructHistory(ds)
	if err != nil {
		return fmt.Errorf("failed to construct revisions of DaemonSet: %w", err)
	}
	r, err := c.look(ds, cur.Labels[api.ControllerRevisionHashLabel])
	if err != nil {
		return err
	}
	if !c.expectations.Satisfied(key) {
		c.waits(key)
		return c.updateDaemonSetStatus(r, false)
	}
	err = c.updateDaemonSet(r, old)
	statusErr := c.lookAgain(r)
	if statusErr == nil {
		statusErr = c.updateDaemonSetStatus(r, true)
	}
	if err == nil {
		err = statusErr
	}
	return err
}

// waits notes that the sync only counts, because the cache does not show yet what the controller did (DS-9).
func (c *Controller) waits(key api.Key) {
	creations, deletions := c.expectations.Left(key)
	c.loop.Took("counts its pods; creates and deletes none yet", why.Sum("DS-7", "pkg/controller/controller_utils.go:SatisfiedExpectations",
		"creations + deletions", creations+deletions, creations, deletions).
		Noting("so many of its own creations and deletions have not come back through the watch"))
}

// updateDaemonSet gives every node the pods that it should have, then moves a rolling update on, unless the first step has
// changed something: the update must see the outcome.
func (c *Controller) updateDaemonSet(r *round, old []*api.ControllerRevision) error {
	c.tookStrategy(r.ds)
	if err := c.manage(r); err != nil {
		return err
	}
	if r.ds.Spec.UpdateStrategy.Type == api.RollingUpdate && c.expectations.Satisfied(r.ds.Key()) {
		if err := c.rollingUpdate(r); err != nil {
			return err
		}
	}
	err := c.lookAgain(r)
	if err == nil {
		err = c.cleanupHistory(r, old)
	}
	if err != nil {
		return fmt.Errorf("failed to clean up revisions of DaemonSet: %w", err)
	}
	return nil
}
