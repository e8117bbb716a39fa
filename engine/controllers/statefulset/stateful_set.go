// Package statefulset is the StatefulSet controller: it keeps pods that have names, in order. Its files answer to those of
// the same name in pkg/controller/statefulset of the pinned version (v1.37.1); rolling_update.go is the second half of
// stateful_set_control.go, updateStatefulSetAfterInvariantEstablished.
package statefulset

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor        = "statefulset-controller"
	controllerGo = "pkg/controller/statefulset/stateful_set.go:"
)

// Controller keeps the pods of each StatefulSet.
type Controller struct {
	server    *apiserver.Server
	client    *apiserver.Client
	loop      *sim.Loop
	sets      *sim.Informer
	pods      *sim.Informer
	claims    *sim.Informer
	revisions *sim.Informer

	claimed, slots, condemned []*api.Pod // lists of the last sync, whose memory the next one reuses
}

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		server:    s,
		client:    s.Controller(actor),
		sets:      s.Store.Informer(api.KindStatefulSet),
		pods:      s.Store.Informer(api.KindPod),
		claims:    s.Store.Informer(api.KindPersistentVolumeClaim),
		revisions: s.Store.Informer(api.KindControllerRevision),
	}
	c.loop = sim.NewLoop(s.Store, actor, 0, c, c.client.Limit)
	s.Store.Watch(c, api.KindStatefulSet, api.KindPod)
	return c
}

// OnChange queues the StatefulSets that a change affects (S-41). Changes of claims and revisions queue none.
func (c *Controller) OnChange(change *sim.Change) {
	pod, isPod := change.Object().(*api.Pod)
	switch {
	case !isPod:
		c.loop.Add(change.Object().Key())
	case change.Type == sim.Modified:
		c.loop.AddOwnersOfPod(&c.sets.Cache, change)
	case pod.ControllerOf() != nil || change.Type == sim.Added && !pod.Terminating():
		c.loop.AddOwners(&c.sets.Cache, change)
	}
}

// claimPods returns the pods that belong to the StatefulSet, including terminating and finished pods. It adopts matching
// orphans whose name is one of its own, and releases pods with another name (A-13, getPodsForStatefulSet).
func (c *Controller) claimPods(set *api.StatefulSet) ([]*api.Pod, error) {
	claimed, errs := c.claimed[:0], []error(nil)
	for _, uid := range [...]string{set.UID, ""} {
		for o := range c.pods.Cache.OwnedBy(uid) {
			pod := o.(*api.Pod)
			if pod.Namespace != set.Namespace {
				continue
			}
			selector := set.Spec.Selector
			if parent, _ := parentAndOrdinal(pod.Name); parent != set.Name {
				selector = nil // matches nothing
			}
			mine, err := c.client.Claim(set, selector, pod)
			if err != nil {
				errs = append(errs, err)
			}
			if mine {
				claimed = append(claimed, pod)
			}
		}
	}
	c.claimed = claimed
	return claimed, api.Aggregate(errs)
}

// adoptOrphanRevisions makes the StatefulSet the owner of revisions that it selects and that have no owner.
func (c *Controller) adoptOrphanRevisions(set *api.StatefulSet) error {
	for o := range c.revisions.Cache.OwnedBy("") {
		if _, err := c.client.Claim(set, set.Spec.Selector, o); err != nil {
			return err
		}
	}
	return nil
}

var whyGone = why.Rule("S-41", controllerGo+"sync")

// Sync reconciles one StatefulSet.
func (c *Controller) Sync(key api.Key) error {
	set, _ := c.sets.Cache.Get(key).(*api.StatefulSet)
	if set == nil {
		return c.loop.Skip("the StatefulSet is gone", whyGone, "nothing to do; the garbage collector deletes its pods")
	}
	if err := c.adoptOrphanRevisions(set); err != nil {
		return err
	}
	pods, err := c.claimPods(set)
	if err != nil {
		return err
	}
	err = c.updateStatefulSet(set, pods)
	if c.loop.Pausing() {
		c.claimed, c.slots, c.condemned = nil, nil, nil // the rest of the sync keeps the lists
	}
	return err
}

// recheckAvailability queues the StatefulSet for the time when the next Ready pod becomes available (S-34).
func (c *Controller) recheckAvailability(set *api.StatefulSet, status *api.StatefulSetStatus, pods []*api.Pod) {
	seconds := set.Spec.MinReadySeconds
	if seconds == 0 || status.ReadyReplicas == status.AvailableReplicas {
		return
	}
	c.loop.AddAfter(set.Key(), api.NextAvailable(pods, seconds, c.client.Now()))
}
