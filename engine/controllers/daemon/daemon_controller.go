// Package daemon is the DaemonSet controller: it keeps one pod on every node that should have one. It follows
// pkg/controller/daemon of the pinned version (v1.37.1), whose two large files are more than one here:
//
//	upstream                here
//	daemon_controller.go    daemon_controller.go, round.go, manage.go, nodes.go, backoff.go
//	update.go               update.go, update_history.go
//	util/daemonset_util.go  daemonset_util.go
package daemon

import (
	"cmp"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor         = "daemonset-controller"
	nodeActor     = "daemonset-node-updates"
	controllerGo  = "pkg/controller/daemon/daemon_controller.go:"
	burstReplicas = 250 // how many pods one step of a sync creates at most, and how many it deletes (DS-9)
)

// The reasons for the branches of a sync.
var (
	whySync     = why.Rule("DS-7", controllerGo+"syncDaemonSet")
	whyOnDelete = why.Note("DS-14", controllerGo+"updateDaemonSet",
		"a pod gets the new template only after someone deletes the old pod")
	whyRolling = why.Rule("DS-10", updateGo+"rollingUpdate")
	whySurging = why.Rule("DS-12", updateGo+"rollingUpdate")
	whyNode    = why.Rule("DS-33", controllerGo+"syncNodeUpdate")
)

// Controller keeps the pods of each DaemonSet.
type Controller struct {
	client       *apiserver.Client
	loop         *sim.Loop
	nodeUpdates  *sim.Loop // nodes that were added or changed (DS-33)
	daemonSets   *sim.Informer
	revisions    *sim.Informer
	pods         *sim.Informer
	nodes        *sim.Informer
	expectations *sim.Expectations
	backoff      backoff // of nodes where pods failed
	specs        map[api.Key]podSpec
	rounds       map[string]*round // of the last sync, by the UID of the DaemonSet; see follow

	places []place        // the nodes by name, without pods; see emptyPlaces
	nodeAt map[string]int // their indexes; nil if a node has changed since
}

// podSpec is the spec of a DaemonSet's template, and the same with the tolerations that its pods get.
type podSpec struct{ template, spec *api.PodSpec }

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		client:     s.Controller(actor),
		daemonSets: s.Store.Informer(api.KindDaemonSet),
		revisions:  s.Store.Informer(api.KindControllerRevision),
		pods:       s.Store.Informer(api.KindPod),
		nodes:      s.Store.Informer(api.KindNode),
		backoff:    backoff{},
		specs:      map[api.Key]podSpec{},
		rounds:     map[string]*round{},
	}
	c.loop = sim.NewLoop(s.Store, actor, 0, c, c.client.Limit)
	c.loop.Workers = 2 // --concurrent-daemonset-syncs (H-7)
	c.nodeUpdates = sim.NewLoop(s.Store, nodeActor, 0, nodeUpdater{c}, nil)
	c.expectations = sim.NewExpectations(c.loop)
	s.Store.Watch(c, api.KindDaemonSet, api.KindControllerRevision, api.KindPod, api.KindNode)
	return c
}

// OnChange queues the DaemonSets and nodes that a change affects (DS-33).
func (c *Controller) OnChange(change *sim.Change) {
	switch o := change.Object().(type) {
	case *api.DaemonSet:
		if change.Type == sim.Deleted {
			c.expectations.Forget(o.Key())
			delete(c.rounds, o.UID)
		}
		c.loop.Add(o.Key())
	case *api.ControllerRevision:
		if change.Type != sim.Added || o.ControllerOf() == nil { // the controller itself creates those with an owner
			c.addOwners(change)
		}
	case *api.Pod:
		c.follow(change)
		if ds := c.addOwners(change); ds != nil {
			c.onOwnPod(ds, change)
		}
	case *api.Node:
		c.nodeAt = nil
		clear(c.rounds)
		c.onNode(change)
	}
}

// addOwners queues the DaemonSets that a change of a pod or a revision affects, and returns the owner. One that is gone
// affects only its owner.
func (c *Controller) addOwners(change *sim.Change) *api.DaemonSet {
	m := change.Object().Meta()
	if !isGone(change) {
		ds, _ := c.loop.AddOwners(&c.daemonSets.Cache, change).(*api.DaemonSet)
		return ds
	}
	ds, _ := c.daemonSets.Cache.Owner(m.Namespace, m.ControllerOf()).(*api.DaemonSet)
	if ds != nil {
		c.loop.Add(ds.Key())
	}
	return ds
}

// isGone says whether an object was removed, or is marked for deletion.
func isGone(change *sim.Change) bool {
	return change.Type == sim.Deleted || change.New.Meta().Terminating()
}

// onOwnPod lowers the expectations of the owner of a pod. If the pod has become Ready, it queues the owner again after
// minReadySeconds and a second (DS-31). A pod that is marked for deletion counts as deleted at each of its changes.
func (c *Controller) onOwnPod(ds *api.DaemonSet, change *sim.Change) {
	switch {
	case isGone(change):
		c.expectations.DeletionCounted(ds.Key())
	case change.Type == sim.Added:
		c.expectations.CreationObserved(ds.Key())
	case ds.Spec.MinReadySeconds > 0 && !change.Old.(*api.Pod).IsReady() && change.New.(*api.Pod).IsReady():
		c.loop.AddAfter(ds.Key(), int64(ds.Spec.MinReadySeconds)*1000+1000)
	}
}

// Sync reconciles one DaemonSet (DS-7, syncDaemonSet).
func (c *Controller) Sync(key api.Key) error {
	ds, _ := c.daemonSets.Cache.Get(key).(*api.DaemonSet)
	switch {
	case ds == nil:
		c.expectations.Forget(key)
		delete(c.specs, key)
		return c.loop.Skip("the DaemonSet is gone", whySync, "nothing to do; the garbage collector deletes its pods")
	case ds.Spec.Selector.Empty():
		c.client.Event(key, "Warning", "SelectingAll", "This daemon set is selecting all pods. A non-empty selector is required.")
		return c.loop.Skip("the selector matches everything", whySync, "its pods could belong to any owner")
	case ds.Terminating():
		return c.loop.Skip("the DaemonSet is being deleted: nothing is done for it", whySync,
			"not even its status is updated: its revisions may be deleted already")
	}
	cur, old, err := c.constructHistory(ds)
	if err != nil {
		return fmt.Errorf("failed to construct revisions of DaemonSet: %w", err)
	}
	r, err := c.newRound(ds, cur.Labels[api.ControllerRevisionHashLabel])
	if err != nil {
		return err
	}
	if !c.expectations.Satisfied(key) {
		c.expectations.NoteWait(key, "DS-7")
		return c.updateDaemonSetStatus(r, false)
	}
	return c.updateDaemonSet(r, old, func(err error) error {
		statusErr := c.refresh(r)
		if statusErr == nil {
			statusErr = c.updateDaemonSetStatus(r, true)
		}
		return cmp.Or(err, statusErr)
	})
}

// updateDaemonSet creates and deletes pods so that every node has the pod it should have. If that changes nothing, it then
// continues a rolling update, which must see the result of the first step.
func (c *Controller) updateDaemonSet(r *round, old []*api.ControllerRevision, then func(error) error) error {
	c.noteStrategy(r.ds)
	clean := func(err error) error { return then(cmp.Or(err, c.cleanup(r, old, err))) }
	return c.manage(r, func(err error) error {
		if err == nil && r.ds.Spec.UpdateStrategy.Type == api.RollingUpdate && c.expectations.Satisfied(r.ds.Key()) {
			return c.rollingUpdate(r, clean)
		}
		return clean(err)
	})
}

// cleanup trims the history after a step without an error.
func (c *Controller) cleanup(r *round, old []*api.ControllerRevision, err error) error {
	if err != nil {
		return err
	}
	err = c.refresh(r)
	if err == nil {
		err = c.cleanupHistory(r, old)
	}
	if err != nil {
		return fmt.Errorf("failed to clean up revisions of DaemonSet: %w", err)
	}
	return nil
}

// noteStrategy notes how a DaemonSet is updated; a plan with creations or deletions replaces the note.
func (c *Controller) noteStrategy(ds *api.DaemonSet) {
	switch {
	case ds.Spec.UpdateStrategy.Type != api.RollingUpdate:
		c.loop.Branch("OnDelete, checks every node", whyOnDelete)
	case allowsSurge(ds):
		c.loop.Branch("rolling update with a surge, checks every node", whySurging)
	default:
		c.loop.Branch("rolling update, checks every node", whyRolling)
	}
}

// storeDaemonSetStatus writes the counts. After an error it tries once more with the stored version.
func (c *Controller) storeDaemonSetStatus(ds *api.DaemonSet, n *api.DaemonSetStatus, observed bool) error {
	if sameCounts(&ds.Status, n) && ds.Status.ObservedGeneration >= ds.Generation {
		c.loop.OrIdle("the status is up to date", nil)
		return nil
	}
	sum := why.Sum("DS-30", controllerGo+"updateDaemonSetStatus",
		"desired - available", n.NumberUnavailable, n.DesiredNumberScheduled, n.NumberAvailable)
	what := fmt.Sprintf("status: desired %d, current %d, updated %d, ready %d, available %d, misscheduled %d", n.DesiredNumberScheduled,
		n.CurrentNumberScheduled, n.UpdatedNumberScheduled, n.NumberReady, n.NumberAvailable, n.NumberMisscheduled)
	c.loop.OrIdle("the stored status has these counts already", nil)
	latest := ds
	for try := 0; ; try++ {
		updated := api.Shallow(latest)
		setCounts(&updated.Status, n)
		if observed {
			updated.Status.ObservedGeneration = ds.Generation
		}
		_, err := c.loop.Wrote(c.client.UpdateStatus(updated, what, sum))
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

// setCounts copies the counts into a status.
func setCounts(s, n *api.DaemonSetStatus) {
	counts := *n
	counts.ObservedGeneration, counts.CollisionCount, counts.Conditions = s.ObservedGeneration, s.CollisionCount, s.Conditions
	*s = counts
}

// sameCounts compares the counts of two statuses.
func sameCounts(s, n *api.DaemonSetStatus) bool {
	counts := *s
	setCounts(&counts, n)
	return api.Equal(&counts, s)
}

// updateDaemonSetStatus writes the status if it differs. If Ready pods are not available yet, it queues the DaemonSet again
// after minReadySeconds (DS-31). A sync that only counts does not observe the generation.
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

// countNodes counts nodes for the status (DS-30): the first pod of each node counts, even if it is terminating. With four
// nodes, of which three should run a pod, one of these has none yet and the fourth has a pod nevertheless, the numbers are
// desired 3, current 2, misscheduled 1.
func (r *round) countNodes() (s api.DaemonSetStatus) {
	for i := range r.places {
		p := &r.places[i]
		if p.node == nil {
			continue
		}
		run, has := r.look(p).run, len(p.pods) > 0
		switch {
		case !run && has:
			s.NumberMisscheduled++
		case run:
			s.DesiredNumberScheduled++
			if has {
				p.first.count(&s)
			}
		}
	}
	s.NumberUnavailable = s.DesiredNumberScheduled - s.NumberAvailable
	return s
}

func (t tally) count(s *api.DaemonSetStatus) {
	s.CurrentNumberScheduled++
	if t.ready {
		s.NumberReady++
	}
	if t.available {
		s.NumberAvailable++
	}
	if t.updated {
		s.UpdatedNumberScheduled++
	}
}
