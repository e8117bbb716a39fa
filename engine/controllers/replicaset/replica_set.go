// Package replicaset is the ReplicaSet controller: it creates and deletes pods until each ReplicaSet has spec.replicas.
// replica_set.go and replica_set_utils.go answer to the files of these names in pkg/controller/replicaset of the pinned
// version (v1.37.1). ranking.go answers to ActivePodsWithRanks in pkg/controller/controller_utils.go; tally.go, to no file.
//
// The controller counts incrementally. Upstream counts all pods of a ReplicaSet in every sync, which is a million reads when a
// thousand pods become ready one by one. Ours updates the numbers with each change of a pod and reads the pods themselves only
// when it matters which ones they are: to create, delete or adopt, with minReadySeconds, or when labels differ. The conformance
// module compares every sync, so it would show a difference between the two ways of counting.
//
// The controller picks the pods to delete one by one instead of sorting them: upstream's ranking is not transitive when
// pods of one rank have the same age, so the outcome would depend on the sorting algorithm, and ours must not change with the
// standard library.
package replicaset

import (
	"cmp"
	"iter"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor         = "replicaset-controller"
	replicaSetGo  = "pkg/controller/replicaset/replica_set.go:"
	burstReplicas = 500 // how many pods one sync creates or deletes at most
)

// Controller keeps the number of pods of each ReplicaSet.
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
		client:      s.Controller(actor),
		replicaSets: s.Store.Informer(api.KindReplicaSet),
		pods:        s.Store.Informer(api.KindPod),
		tallies:     map[string]*tally{},
	}
	c.loop = sim.NewLoop(s.Store, actor, 0, c, c.client.Limit)
	c.expectations = sim.NewExpectations(c.loop)
	s.Store.Watch(c, api.KindReplicaSet, api.KindPod)
	return c
}

// OnChange queues the ReplicaSets that a change affects.
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
		if rs := c.loop.AddOwners(&c.replicaSets.Cache, change); rs != nil {
			c.expectations.CreationObserved(rs.Key())
		}
	default:
		c.loop.AddOwnersOfPod(&c.replicaSets.Cache, change)
	}
}

// onPodDeleted counts a pod as deleted once it is marked for deletion, so its replacement does not wait.
func (c *Controller) onPodDeleted(pod *api.Pod) {
	if rs := c.owner(pod); rs != nil {
		c.expectations.DeletionObserved(rs.Key(), pod.Name)
		c.loop.Add(rs.Key())
	}
}

// owner returns the cached ReplicaSet that a pod's reference points to, nil if none has its UID (resolveControllerRef).
func (c *Controller) owner(pod *api.Pod) *api.ReplicaSet {
	rs, _ := c.replicaSets.Cache.Owner(pod.Namespace, pod.ControllerOf()).(*api.ReplicaSet)
	return rs
}

// manageReplicas creates missing pods or deletes surplus pods, at most burstReplicas in one sync. There are n active
// pods; if n is right, active may be nil.
//
// With 700 replicas and no pods, one sync creates 500, and the next one, once the watch has delivered them, 200.
func (c *Controller) manageReplicas(rs *api.ReplicaSet, active []*api.Pod, n int, then func(error) error) error {
	diff := n - int(*rs.Spec.Replicas)
	if diff == 0 {
		return then(nil)
	}
	sum := why.Sum("R-3", replicaSetGo+"manageReplicas", "active - replicas", diff, n, n-diff)
	if diff < 0 {
		c.loop.Branch("creates pods", sum.Noting("pods are missing"))
		return c.createPods(rs, min(-diff, burstReplicas), sum, then)
	}
	c.loop.Branch("deletes pods", sum.Noting("there are too many pods"))
	return c.deletePods(rs, active, min(diff, burstReplicas), sum, then)
}

// createPods creates pods with a slow start, and passes the first error on.
func (c *Controller) createPods(rs *api.ReplicaSet, n int, why *sim.Explain, then func(error) error) error {
	c.expectations.Expect(rs.Key(), n, 0)
	create := func(int) error { // from the template
		pod := apiserver.PodFromTemplate(rs, &rs.Spec.Template)
		_, err := c.loop.Wrote(c.client.CreatePod(rs.Key(), pod, "pod created", why))
		return err
	}
	return c.expectations.Create(rs.Key(), n, burstReplicas, create, func(errs []error) error { return then(cmp.Or(errs...)) })
}

// deletePods deletes the pods that rank first, and passes the first error on.
func (c *Controller) deletePods(rs *api.ReplicaSet, active []*api.Pod, n int, why *sim.Explain, then func(error) error) error {
	victims := c.podsToDelete(rs, active, n)
	c.expectations.ExpectDeletions(rs.Key(), victims)
	remove := func(i int) error {
		pod := victims[i]
		return c.client.DeletePod(rs.Key(), pod, "pod deleted", why, func() { c.expectations.DeletionObserved(rs.Key(), pod.Name) })
	}
	return c.loop.AtOnce(len(victims), remove, func(_ int, errs []error) error { return then(cmp.Or(errs...)) })
}

var (
	whyGone   = why.Rule("R-2", replicaSetGo+"syncReplicaSet")
	whyStatus = why.Note("R-2", replicaSetGo+"syncReplicaSet", "the number of pods is right")
)

// Sync reconciles one ReplicaSet (R-2, syncReplicaSet). The status counts the pods from before the creations and deletions
// of this sync.
func (c *Controller) Sync(key api.Key) error {
	rs, _ := c.replicaSets.Cache.Get(key).(*api.ReplicaSet)
	if rs == nil {
		c.expectations.Forget(key)
		return c.loop.Skip("the ReplicaSet is gone", whyGone, "nothing to do; the garbage collector deletes its pods")
	}
	c.loop.Branch("counts its pods", whyStatus)
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
	finish := func(manageErr error) error {
		return c.updateStatus(rs, c.calculateStatus(rs, pods, manageErr), func(updated *api.ReplicaSet) error {
			if manageErr != nil {
				return manageErr
			}
			return c.recheckAvailability(rs, updated, active, counted)
		})
	}
	if !needsSync {
		c.expectations.NoteWait(key, "R-6")
	}
	if !needsSync || rs.Terminating() {
		return finish(nil)
	}
	return c.manageReplicas(rs, active, int(pods.active), finish)
}

// recheckAvailability queues the ReplicaSet for the time when the next Ready pod becomes available. It uses the ReplicaSet
// that the status update has returned (R-22b).
func (c *Controller) recheckAvailability(cached, rs *api.ReplicaSet, active []*api.Pod, counted bool) (err error) {
	seconds := rs.Spec.MinReadySeconds
	if seconds == 0 || rs.Status.ReadyReplicas == rs.Status.AvailableReplicas {
		return nil
	}
	if counted { // the stored spec has changed: now the pods themselves matter
		if active, _, err = c.claimPods(cached); err != nil {
			return err
		}
	}
	c.loop.AddAfter(rs.Key(), api.NextAvailable(active, seconds, c.client.Now()))
	return nil
}

// claimPods returns the active pods of a ReplicaSet and the number of its terminating pods. It adopts matching orphans.
func (c *Controller) claimPods(rs *api.ReplicaSet) (active []*api.Pod, terminating int32, err error) {
	// Room for one burst: spec.replicas may be 1,000,000,000, which would be 8 GB before the first pod exists.
	active = make([]*api.Pod, 0, min(*rs.Spec.Replicas, burstReplicas))
	var errs []error
	claim := func(pod *api.Pod) {
		mine := pod.IsControlledBy(rs.UID) && selects(rs, pod)
		if !mine {
			if mine, err = c.client.Claim(rs, rs.Spec.Selector, pod); err != nil {
				errs = append(errs, err)
			}
		}
		if mine {
			active = append(active, pod)
		}
	}
	for o := range c.pods.Cache.OwnedBy(rs.UID) {
		pod := o.(*api.Pod)
		switch {
		case pod.Finished():
		case !pod.Terminating():
			claim(pod)
		case selects(rs, pod):
			terminating++
		}
	}
	for o := range c.pods.Cache.OwnedBy("") {
		if pod := o.(*api.Pod); pod.Namespace == rs.Namespace && pod.Active() && rs.Spec.Selector.Matches(pod.Labels) {
			claim(pod)
		}
	}
	return active, terminating, api.Aggregate(errs)
}

// selects reports whether the selector matches a pod. Validation makes sure that it matches the labels of the template.
func selects(rs *api.ReplicaSet, pod *api.Pod) bool {
	return api.SameMap(pod.Labels, rs.Spec.Template.Labels) || rs.Spec.Selector.Matches(pod.Labels)
}

// podsToDelete returns the first n pods in the order of deletion. If all are deleted, the order is not computed (R-8,
// getPodsToDelete).
func (c *Controller) podsToDelete(rs *api.ReplicaSet, active []*api.Pod, n int) []*api.Pod {
	if n >= len(active) {
		return active
	}
	list := standings(active, PodsByNode(rs, c.replicaSets.Cache.All(), c.pods.Cache.All()), c.client.Now())
	rankFirst(list, n)
	victims := make([]*api.Pod, n)
	for i := range victims {
		victims[i] = list[i].pod
	}
	return victims
}

// PodsByNode counts, on each node, the active pods that any ReplicaSet with the same owner selects, whether or not it controls
// them. Without an owner it returns nil (R-9 rank 5, getIndirectlyRelatedPods).
func PodsByNode(rs *api.ReplicaSet, replicaSets, pods iter.Seq[api.Object]) map[string]int {
	ref := rs.ControllerOf()
	if ref == nil {
		return nil
	}
	var related []*api.ReplicaSet
	byUID := map[string]*api.ReplicaSet{} // most pods are selected by the ReplicaSet that controls them
	for o := range replicaSets {
		if m := o.Meta(); m.IsControlledBy(ref.UID) {
			related = append(related, o.(*api.ReplicaSet))
			byUID[m.UID] = o.(*api.ReplicaSet)
		}
	}
	count := map[string]int{}
	var own *api.ReplicaSet
	for o := range pods {
		pod := o.(*api.Pod)
		if pod.Namespace != rs.Namespace || !pod.Active() {
			continue
		}
		if uid := pod.ControllerUID(); uid != "" && (own == nil || own.UID != uid) {
			own = byUID[uid]
		}
		if own != nil && selects(own, pod) || slices.ContainsFunc(related, func(rs *api.ReplicaSet) bool { return selects(rs, pod) }) {
			count[pod.NodeName]++
		}
	}
	return count
}
