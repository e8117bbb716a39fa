// Package replicaset is the ReplicaSet controller: it creates and deletes pods until there are as many as asked for.
// It follows pkg/controller/replicaset of the pinned version (v1.37.1).
package replicaset

import (
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor         = "replicaset-controller"
	replicaSetGo  = "pkg/controller/replicaset/replica_set.go:"
	burstReplicas = 500 // at most that many pods are created or deleted in one sync
)

// Controller keeps the number of pods of each ReplicaSet.
//
// Simplified: the stale-cache guard (H-9) is left out. It keeps a sync from reading a cache older than the controller's
// own last write; here every write is in the cache before the key can be synced again.
type Controller struct {
	client       *apiserver.Client
	loop         *sim.Loop
	replicaSets  *sim.Informer
	pods         *sim.Informer
	expectations *sim.Expectations
	tallies      map[string]*tally // by UID of the ReplicaSet
}

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		client:      s.Client(actor),
		replicaSets: s.Store.Informer(api.KindReplicaSet),
		pods:        s.Store.Informer(api.KindPod),
		tallies:     map[string]*tally{},
	}
	c.loop = sim.NewLoop(s.Kernel, actor, 0, c)
	c.expectations = sim.NewExpectations(c.loop)
	c.replicaSets.AddHandler(c)
	c.pods.AddHandler(c)
	return c
}

// OnChange wakes the ReplicaSets that a change concerns.
func (c *Controller) OnChange(change *sim.Change) {
	pod, isPod := change.Object().(*api.Pod)
	if !isPod {
		c.loop.Add(change.Object().Key())
		return
	}
	c.observe(change)
	switch {
	case change.Type == sim.Deleted || pod.Terminating():
		c.onPodDeleted(pod)
	case change.Type == sim.Added:
		c.onPodAdded(pod)
	default:
		c.onPodUpdated(change.Old.(*api.Pod), pod)
	}
}

func (c *Controller) onPodAdded(pod *api.Pod) {
	ref := pod.ControllerOf()
	if ref == nil {
		c.wakeSelecting(pod)
		return
	}
	if rs := c.owner(pod, ref); rs != nil {
		c.expectations.CreationObserved(rs.Key())
		c.loop.Add(rs.Key())
	}
}

// onPodUpdated wakes the owner, and once more when a pod that became Ready will have been so for minReadySeconds (R-22a).
func (c *Controller) onPodUpdated(old, pod *api.Pod) {
	ref, before := pod.ControllerOf(), old.ControllerOf()
	changed := before != nil && (ref == nil || *before != *ref)
	if changed {
		if rs := c.owner(old, before); rs != nil {
			c.loop.Add(rs.Key())
		}
	}
	if ref == nil {
		if changed || !maps.Equal(old.Labels, pod.Labels) {
			c.wakeSelecting(pod)
		}
		return
	}
	rs := c.owner(pod, ref)
	if rs == nil {
		return
	}
	c.loop.Add(rs.Key())
	if rs.Spec.MinReadySeconds > 0 && !old.IsReady() && pod.IsReady() {
		c.loop.AddAfter(rs.Key(), int64(rs.Spec.MinReadySeconds)*1000)
	}
}

// onPodDeleted counts a pod that is marked for deletion, or gone, as deleted: its replacement need not wait.
func (c *Controller) onPodDeleted(pod *api.Pod) {
	ref := pod.ControllerOf()
	if ref == nil {
		return
	}
	if rs := c.owner(pod, ref); rs != nil {
		c.expectations.DeletionObserved(rs.Key(), pod.Name)
		c.loop.Add(rs.Key())
	}
}

// wakeSelecting wakes every ReplicaSet whose selector matches an orphan.
func (c *Controller) wakeSelecting(pod *api.Pod) {
	for o := range c.replicaSets.Cache.All() {
		if rs := o.(*api.ReplicaSet); rs.Namespace == pod.Namespace && rs.Spec.Selector.Matches(pod.Labels) {
			c.loop.Add(rs.Key())
		}
	}
}

// owner returns the cached ReplicaSet that a pod's reference points to, nil if there is none with that UID.
func (c *Controller) owner(pod *api.Pod, ref *api.OwnerReference) *api.ReplicaSet {
	rs, _ := c.replicaSets.Cache.Owner(pod.Namespace, ref).(*api.ReplicaSet)
	return rs
}

// Sync does one reconcile of a ReplicaSet. The status is that of the pods from before this sync's creations and
// deletions.
func (c *Controller) Sync(key api.Key) error {
	rs, _ := c.replicaSets.Cache.Get(key).(*api.ReplicaSet)
	if rs == nil {
		c.expectations.Forget(key)
		c.loop.Took("the ReplicaSet is gone", wayGone)
		c.loop.Idle("nothing is left to do; its pods are the garbage collector's", nil)
		return nil
	}
	c.loop.Took("counts its pods", wayStatus)
	needsSync := c.expectations.Satisfied(key)
	pods, counted := c.tallied(rs)
	var active []*api.Pod // listed only if it matters which ones they are
	if manage := needsSync && !rs.Terminating() && pods.active != *rs.Spec.Replicas; manage || !counted {
		var terminating int32
		var err error
		if active, terminating, err = c.claimPods(rs); err != nil {
			return err
		}
		pods = c.countPods(rs, active, terminating)
	}
	var manageErr error
	switch {
	case !needsSync:
		c.waits(key)
	case !rs.Terminating():
		manageErr = c.manageReplicas(rs, active, int(pods.active))
	}
	status := c.calculateStatus(rs, pods, manageErr)
	updated, err := c.updateStatus(rs, &status)
	if err != nil {
		return err
	}
	if manageErr != nil {
		return manageErr
	}
	if counted && updated.Spec.MinReadySeconds > 0 { // it has changed since: now it matters which pods there are
		if active, _, err = c.claimPods(rs); err != nil {
			return err
		}
	}
	c.recheckAvailability(updated, active)
	return nil
}

// waits notes that the sync only counts, because the cache does not show yet what the controller did.
func (c *Controller) waits(key api.Key) {
	creations, deletions := c.expectations.Left(key)
	c.loop.Took("counts its pods; creates and deletes none yet", why.Sum("R-6", "pkg/controller/controller_utils.go:SatisfiedExpectations",
		"creations + deletions", creations+deletions, creations, deletions).
		Noting("so many of its own creations and deletions have not come back through the watch"))
}

var (
	wayGone   = why.Rule("R-2", replicaSetGo+"syncReplicaSet")
	wayStatus = why.Note("R-2", replicaSetGo+"syncReplicaSet", "there are as many pods as asked for")
)

// claimPods returns the ReplicaSet's active pods and the number of its terminating ones; matching orphans are adopted.
func (c *Controller) claimPods(rs *api.ReplicaSet) (active []*api.Pod, terminating int32, err error) {
	active = make([]*api.Pod, 0, *rs.Spec.Replicas)
	var errs []error
	for o := range c.pods.Cache.OwnedBy(rs.UID) {
		pod := o.(*api.Pod)
		if pod.Terminating() {
			if !pod.Finished() && selects(rs, pod) {
				terminating++
			}
			continue
		}
		if active, err = c.claim(rs, pod, active); err != nil {
			errs = append(errs, err)
		}
	}
	for o := range c.pods.Cache.OwnedBy("") {
		if pod := o.(*api.Pod); pod.Namespace == rs.Namespace && !pod.Terminating() && rs.Spec.Selector.Matches(pod.Labels) {
			if active, err = c.claim(rs, pod, active); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return active, terminating, api.Aggregate(errs)
}

func (c *Controller) claim(rs *api.ReplicaSet, pod *api.Pod, active []*api.Pod) ([]*api.Pod, error) {
	if pod.Finished() {
		return active, nil
	}
	if pod.IsControlledBy(rs.UID) && selects(rs, pod) {
		return append(active, pod), nil
	}
	mine, err := c.client.Claim(rs, rs.Spec.Selector, pod)
	if err != nil || !mine {
		return active, err
	}
	return append(active, pod), nil
}

// selects says whether the selector matches a pod. The template's own labels always do: that is validated.
func selects(rs *api.ReplicaSet, pod *api.Pod) bool {
	return api.SameMap(pod.Labels, rs.Spec.Template.Labels) || rs.Spec.Selector.Matches(pod.Labels)
}

// recheckAvailability wakes the ReplicaSet when the next Ready pod will have been so for minReadySeconds. It looks at the
// ReplicaSet as the status update has returned it (R-22b).
func (c *Controller) recheckAvailability(rs *api.ReplicaSet, active []*api.Pod) {
	seconds := rs.Spec.MinReadySeconds
	if seconds == 0 || rs.Status.ReadyReplicas == rs.Status.AvailableReplicas {
		return
	}
	c.loop.AddAfter(rs.Key(), api.NextAvailable(active, seconds, c.client.Now()))
}
