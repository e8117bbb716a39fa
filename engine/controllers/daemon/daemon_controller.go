// Package daemon is the DaemonSet controller: it keeps one pod on every node that should have one. It follows
// pkg/controller/daemon of the pinned version (v1.37.1), whose two large files are more than one here:
//
//	daemon_controller.go: daemon_controller.go, round.go, manage.go, nodes.go, backoff.go
//	update.go:            update.go, update_history.go
//	util/daemonset_util.go: daemonset_util.go
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

// Why a sync takes a branch.
var (
	whySync     = why.Rule("DS-7", controllerGo+"syncDaemonSet")
	whyOnDelete = why.Note("DS-14", controllerGo+"updateDaemonSet",
		"a pod gets the present template only when somebody has deleted the one before it")
	whyRolling = why.Rule("DS-10", updateGo+"rollingUpdate")
	whySurging = why.Rule("DS-12", updateGo+"rollingUpdate")
	whyNode    = why.Rule("DS-33", controllerGo+"syncNodeUpdate")
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

// tookStrategy notes how a DaemonSet is updated; what is created or deleted then says more.
func (c *Controller) tookStrategy(ds *api.DaemonSet) {
	switch {
	case ds.Spec.UpdateStrategy.Type != api.RollingUpdate:
		c.loop.Took("OnDelete, looks at every node", whyOnDelete)
	case allowsSurge(ds):
		c.loop.Took("rolling update with a surge, looks at every node", whySurging)
	default:
		c.loop.Took("rolling update, looks at every node", whyRolling)
	}
}

// storeDaemonSetStatus writes the counts; after a refusal it tries once more on the stored version.
func (c *Controller) storeDaemonSetStatus(ds *api.DaemonSet, n *api.DaemonSetStatus, observed bool) error {
	if sameCounts(&ds.Status, n) && ds.Status.ObservedGeneration >= ds.Generation {
		if !c.loop.HasIdle() {
			c.loop.Idle("the status is up to date", nil)
		}
		return nil
	}
	sum := why.Sum("DS-30", controllerGo+"updateDaemonSetStatus",
		"desired - available", n.NumberUnavailable, n.DesiredNumberScheduled, n.NumberAvailable)
	what := fmt.Sprintf("status: desired %d, current %d, updated %d, ready %d, available %d, misscheduled %d", n.DesiredNumberScheduled,
		n.CurrentNumberScheduled, n.UpdatedNumberScheduled, n.NumberReady, n.NumberAvailable, n.NumberMisscheduled)
	if !c.loop.HasIdle() {
		c.loop.Idle("the stored status has these counts already", nil)
	}
	latest := ds
	for try := 0; ; try++ {
		updated := latest.Shallow()
		setCounts(&updated.Status, n)
		if observed {
			updated.Status.ObservedGeneration = ds.Generation
		}
		_, err := c.client.UpdateStatus(updated, what, sum)
		if err == nil || try > 0 {
			return err
		}
		stored, err := c.client.Get(ds.Key())
		if err != nil {
			return err
		}
		latest = stored.(*api.DaemonSet)
	}
}

// setCounts puts the counts into a status.
func setCounts(s, n *api.DaemonSetStatus) {
	counts := *n
	counts.ObservedGeneration, counts.CollisionCount, counts.Conditions = s.ObservedGeneration, s.CollisionCount, s.Conditions
	*s = counts
}

// sameCounts compares the counts of two statuses.
func sameCounts(s, n *api.DaemonSetStatus) bool {
	counts := *s
	setCounts(&counts, n)
	return counts.Equal(s)
}

// updateDaemonSetStatus writes the status if it differs, and plans another look when pods that are Ready will be available
// (DS-31). A sync that only counts has not seen to the present generation.
func (c *Controller) updateDaemonSetStatus(r *round, observed bool) error {
	n := r.countNodes()
	if err := c.storeDaemonSetStatus(r.ds, &n, observed); err != nil {
		return fmt.Errorf("error storing status for daemon set %s: %w", r.ds.Key(), err)
	}
	if seconds := int64(r.ds.Spec.MinReadySeconds); seconds > 0 && n.NumberReady != n.NumberAvailable {
		c.loop.AddAfter(r.ds.Key(), seconds*1000)
	}
	return nil
}

// countNodes is DS-30: of each node the first pod counts, even if it is being deleted.
func (r *round) countNodes() (s api.DaemonSetStatus) {
	for _, node := range r.nodes {
		run, _ := r.shouldRun(node)
		pods := r.pods[node.Name]
		switch {
		case !run && len(pods) > 0:
			s.NumberMisscheduled++
		case run:
			s.DesiredNumberScheduled++
			if len(pods) > 0 {
				r.countPod(pods[0], &s)
			}
		}
	}
	s.NumberUnavailable = s.DesiredNumberScheduled - s.NumberAvailable
	return s
}

func (r *round) countPod(pod *api.Pod, s *api.DaemonSetStatus) {
	s.CurrentNumberScheduled++
	if pod.IsReady() {
		s.NumberReady++
	}
	if r.available(pod) {
		s.NumberAvailable++
	}
	if r.updated(pod) {
		s.UpdatedNumberScheduled++
	}
}
