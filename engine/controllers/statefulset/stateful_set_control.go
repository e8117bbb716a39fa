package statefulset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/history"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	controlGo = "pkg/controller/statefulset/stateful_set_control.go:"
	maxBatch  = 500 // how many pods a parallel sync handles at most before it looks at their errors (S-14)
)

// The reasons for the branches and decisions that need no numbers.
var (
	whyTerminating = why.Note("S-13", controlGo+"updateStatefulSet", "the garbage collector deletes its pods")
	whyStatus      = why.Rule("S-10", controlGo+"updateStatefulSet")
	whyOnDelete    = why.Note("S-16", controlGo+"updateStatefulSet", "a pod gets the new template only after someone deletes it")
	whyNameTaken   = why.Note("S-14", controlGo+"processReplica", "its name is free once it is gone")
	whyFinished    = why.Note("S-14", controlGo+"processReplica", "a finished pod is deleted and created again")
	whyNotReady    = why.Rule("S-14", controlGo+"processReplica")
	whyNeverReady  = why.Note("S-22", controlGo+"processReplica",
		"it is not at the update revision, but the update does not replace it before it is Ready: if it never becomes Ready, delete it")
	whyOneByOne       = why.Note("S-15", controlGo+"processCondemned", "surplus pods are deleted one at a time")
	whyLowerUnhealthy = why.Note("S-15", controlGo+"processCondemned",
		"an unhealthy surplus pod is not deleted while a lower one is unhealthy too")
	whyRolling = why.Rule("S-17", controlGo+"updateStatefulSetAfterInvariantEstablished")
)

// round is one reconcile of a StatefulSet: its pods and revisions, and the status that it will write.
type round struct {
	c               *Controller
	set             *api.StatefulSet
	now             sim.Time
	current, update *api.ControllerRevision
	replicas        []*api.Pod // by slot, nil where a pod is missing; slot 0 has the first ordinal of the range
	condemned       []*api.Pod // whose ordinal is out of range, the highest first
	present         int        // the number of slots that have a pod
	monotonic       bool       // OrderedReady: one pod after the other, in order
	status          api.StatefulSetStatus
}

// updateStatefulSet creates, deletes and updates pods. Even after an error it writes the status and truncates the history
// (UpdateStatefulSet, performUpdate).
func (c *Controller) updateStatefulSet(set *api.StatefulSet, pods []*api.Pod) error {
	revisions := history.List(&c.revisions.Cache, &set.ObjectMeta, set.Spec.Selector)
	r := &round{c: c, set: set, now: c.client.Now(), monotonic: set.Spec.PodManagementPolicy != api.Parallel}
	end := func(err error) error {
		if err = cmp.Or(err, r.truncateHistory(revisions, pods)); err == nil {
			c.recheckAvailability(set, &r.status, pods)
		}
		return err
	}
	if err := r.getRevisions(revisions); err != nil {
		return end(err)
	}
	return r.updatePods(pods, func(err error) error {
		return r.writeStatus(func(failed error) error { return end(cmp.Or(err, failed)) })
	})
}

// truncateHistory deletes the oldest revisions beyond revisionHistoryLimit that neither a pod nor the StatefulSet uses
// (S-8). The revisions are sorted. With a limit of 2, revisions 1 to 6, current 4, update 6 and a pod at 2, the unused
// revisions are 1, 3 and 5, so 1 is deleted.
func (r *round) truncateHistory(revisions []*api.ControllerRevision, pods []*api.Pod) error {
	limit := int(*r.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(revisions) <= limit { // too few to have a surplus
		return nil
	}
	live := map[string]bool{}
	for _, revision := range [...]*api.ControllerRevision{r.current, r.update} {
		if revision != nil {
			live[revision.Name] = true
		}
	}
	for _, pod := range pods {
		live[revisionOf(pod)] = true
	}
	old := slices.DeleteFunc(slices.Clone(revisions), func(r *api.ControllerRevision) bool { return live[r.Name] })
	surplus := len(old) - limit
	for i := range max(0, surplus) {
		err := r.c.client.Delete(old[i].Key(), apiserver.DeleteOptions{}, fmt.Sprintf("ControllerRevision %d removed from the history", old[i].Revision),
			why.Sum("S-8", controlGo+"truncateHistory", "oldRevisions - revisionHistoryLimit", surplus, len(old), limit).
				Noting("no pod uses this revision"))
		if err != nil {
			return err
		}
	}
	return nil
}

// getRevisions finds the update revision, which pods are updated to, and the current revision, which they had when the last
// update was complete (S-7, getStatefulSetRevisions). A new template gets a new revision; an earlier template gets its old
// revision back, with a new number. The revisions are sorted.
//
// Upstream also checks whether the last revision equals the template once it is defaulted. Here the templates of revisions
// are already defaulted, so comparing them is enough.
func (r *round) getRevisions(revisions []*api.ControllerRevision) (err error) {
	set := r.set
	collisions := api.Given(set.Status.CollisionCount)
	if r.update, err = r.updateRevision(revisions, &collisions); err != nil {
		return err
	}
	r.current = r.update
	for _, revision := range revisions {
		if revision.Name == set.Status.CurrentRevision {
			r.current = revision
			break
		}
	}
	r.status.CollisionCount = &collisions
	return nil
}

// updateRevision returns the stored revision of the current template.
func (r *round) updateRevision(revisions []*api.ControllerRevision, collisions *int32) (*api.ControllerRevision, error) {
	set := r.set
	var equal *api.ControllerRevision // the last one
	for _, revision := range revisions {
		if revision.Template.Equal(&set.Spec.Template) {
			equal = revision
		}
	}
	if equal != nil && equal == revisions[len(revisions)-1] {
		return equal, nil
	}
	next := history.Max(revisions) + 1
	sum := why.Sum("S-7", controlGo+"getStatefulSetRevisions", "lastRevision + 1", next, next-1)
	if equal != nil {
		renumbered, err := history.SetRevision(r.c.client, equal, next,
			sum.Noting("an earlier revision has the template, and becomes the newest again"))
		if api.IsReason(err, api.ReasonConflict) {
			err = errNoName
		}
		return renumbered, err
	}
	revision := history.New(set, history.HashLabel, &set.Spec.Template, next, collisions)
	return history.Create(r.c.client, set, revision, collisions, sum.Noting("no revision has the template"))
}

// errNoName is the error after a conflict over the number of a revision. Upstream retries at once, but with the empty
// object that its client returns together with the error (controller_history.go:UpdateControllerRevision).
var errNoName = errors.New("resource name may not be empty")

// beginStatus sets the fields of the status that are not numbers (S-10).
func (r *round) beginStatus() {
	r.status.ObservedGeneration = r.set.Generation
	r.status.CurrentRevision, r.status.UpdateRevision = r.current.Name, r.update.Name
	r.status.Conditions = r.set.Status.Conditions
}

// count adds pods to the numbers of the status (S-30, computeReplicaStatus). Slots may be empty.
func (r *round) count(pods []*api.Pod) {
	s := &r.status
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		s.Replicas++
		if isRunningAndReady(pod) {
			s.ReadyReplicas++
			if pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now) {
				s.AvailableReplicas++
			}
		}
		if pod.Terminating() {
			continue
		}
		revision := revisionOf(pod)
		if revision == r.current.Name {
			s.CurrentReplicas++
		}
		if revision == r.update.Name {
			s.UpdatedReplicas++
		}
	}
}

// processReplica creates, replaces or repairs the pod of a slot. It stops the sync if the pods after it must wait (S-14).
func (r *round) processReplica(i int) (stop bool, err error) {
	pod := r.replicas[i]
	switch {
	case pod == nil:
		return r.monotonic, r.createReplica(i)
	case pod.Finished():
		return true, r.replaceFinished(pod)
	case pod.Status.Phase == api.PodPending:
		if err := r.createMissingClaims(pod); err != nil {
			return true, err
		}
	}
	if r.monotonic && r.waitsFor(pod, i) {
		return true, nil
	}
	return false, r.repair(pod)
}

// createReplica creates the pod of a slot, and its claims before it (S-14 step 2, S-42).
func (r *round) createReplica(i int) error {
	ordinal := r.set.Start() + i
	if stale := r.staleClaim(ordinal); stale != "" {
		reason := why.Note("S-42", controlGo+"processReplica", "the claim is deleted with the pod that it belongs to")
		r.c.loop.Branch("waits for claim "+stale, reason)
		r.c.loop.Decide(r.set.Key(), fmt.Sprintf("claim %s belongs to an earlier %s: the pod waits", stale, podName(r.set, ordinal)), reason)
		return nil
	}
	pod := newPod(r.set, r.revisionFor(ordinal), ordinal)
	r.noteCreate("creates " + pod.Name)
	if err := r.createPod(pod, ordinal, r.explainRevision(ordinal)); err != nil || r.monotonic {
		return err
	}
	return r.repair(pod) // in parallel the same sync repairs it too: claims whose owners it has just set cause a conflict
}

// noteCreate notes that the sync creates a pod, or in parallel all missing pods.
func (r *round) noteCreate(what string) {
	note := "OrderedReady: one pod at a time, the lowest first"
	if !r.monotonic {
		what, note = "creates pods", "Parallel: all missing pods"
	}
	n := len(r.replicas)
	r.c.loop.Branch(what, why.Sum("S-14", controlGo+"processReplica", "replicas - present", n-r.present, n, r.present).Noting(note))
}

// replaceFinished deletes a pod whose phase is final, whatever its exit code. A later sync creates it again (S-14 step 1).
func (r *round) replaceFinished(pod *api.Pod) error {
	if pod.Terminating() {
		r.waits(pod, fmt.Sprintf("%s has finished and is terminating", pod.Name), whyNameTaken)
		return nil
	}
	r.c.loop.Branch("deletes "+pod.Name+", which has finished", whyFinished)
	return r.deletePod(pod.Name, "finished pod deleted", whyFinished)
}

// waitsFor reports whether the pods after a pod must wait for it, and notes what they wait for (S-14 steps 4 to 6).
func (r *round) waitsFor(pod *api.Pod, i int) bool {
	switch {
	case pod.Terminating():
		r.waits(pod, pod.Name+" is terminating: OrderedReady waits", whyNameTaken)
	case !isRunningAndReady(pod):
		reason, state := whyNotReady, "not Ready"
		if revisionOf(pod) != r.update.Name && i >= r.set.Partition() && r.set.Spec.UpdateStrategy.Type != api.OnDelete {
			reason = whyNeverReady
		}
		if pod.Status.Phase != api.PodRunning {
			state = pod.Status.Phase
		}
		r.waits(pod, fmt.Sprintf("%s is %s: OrderedReady waits", pod.Name, state), reason)
	case !pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now):
		minReady, ready := int64(r.set.Spec.MinReadySeconds), (r.now-pod.ReadyCondition().LastTransitionTime.Milli())/1000
		r.waits(pod, pod.Name+" is Ready, but not yet for minReadySeconds: OrderedReady waits",
			why.Sum("S-14", controlGo+"processReplica", "minReadySeconds - readySeconds", minReady-ready, minReady, ready))
	default:
		return false
	}
	return true
}

// waits notes the pod that the sync waits for.
func (r *round) waits(pod *api.Pod, what string, reason *sim.Explain) {
	r.c.loop.Branch("waits for "+pod.Name, reason)
	r.c.loop.Decide(r.set.Key(), what, reason)
}

// processCondemned deletes a surplus pod. In order, it deletes one pod at a time, from the highest ordinal, and only while
// the pods below are healthy: an unhealthy pod is deleted if it is the lowest unhealthy one (S-15).
//
// Scaling from 5 to 2 condemns db-4, db-3 and db-2. They are deleted in this order, also if one of them is not healthy. If
// db-4 and db-3 are not, db-4 is not the lowest unhealthy pod, and the scale-down waits until one of the two is healthy.
func (r *round) processCondemned(i int) (stop bool, err error) {
	pod := r.condemned[i]
	if pod.Terminating() {
		if r.monotonic {
			r.waits(pod, pod.Name+" is terminating: OrderedReady waits", whyOneByOne)
		}
		return true, nil
	}
	if r.monotonic && !(isRunningAndReady(pod) && r.available(pod)) && r.firstUnavailable() != pod {
		r.waits(pod, pod.Name+" is not healthy, and neither is a pod below it: OrderedReady waits", whyLowerUnhealthy)
		return true, nil
	}
	sum := why.Sum("S-15", controlGo+"processCondemned", "pods - inRange", len(r.condemned), r.present+len(r.condemned), r.present).
		Noting("the ordinal of this pod is out of range")
	r.c.loop.Branch("scale down, deletes "+pod.Name, sum)
	return true, r.deletePod(pod.Name, "pod deleted: scale down", sum)
}

// available reports whether a pod is available and not terminating (S-12).
func (r *round) available(pod *api.Pod) bool {
	return !pod.Terminating() && pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now)
}

// firstUnavailable returns the lowest condemned pod that is not available, nil if all are. When it is called, the pods in
// the slots are available (S-12).
func (r *round) firstUnavailable() *api.Pod {
	for i := len(r.condemned) - 1; i >= 0; i-- {
		if !r.available(r.condemned[i]) {
			return r.condemned[i]
		}
	}
	return nil
}

// fixClaims sets the owners of a condemned pod's claims. With whenScaled Delete the pod owns them, so that they are deleted
// with it (S-42).
func (r *round) fixClaims(i int) (stop bool, err error) {
	pod := r.condemned[i]
	ordinal := ordinalOf(pod)
	if r.claimsMatch(pod, ordinal) {
		return false, nil
	}
	return false, r.ownClaims(pod, ordinal)
}

// forAll calls f with the index of each pod of a list (runForAll). In order, the first stop or error ends it. In parallel
// a stop has no effect, and errors end it after their batch (S-14). The sync continues with the next step, or ends.
func (r *round) forAll(list []*api.Pod, asks func(i int) bool, f func(i int) (stop bool, err error), end func(error) error, next func() error) error {
	if r.monotonic {
		for i := range list {
			if stop, err := f(i); stop || err != nil {
				return end(err)
			}
		}
		return next()
	}
	one := func(i int) error {
		_, err := f(i)
		return err
	}
	return r.c.loop.SlowStart(len(list), maxBatch, asks, one, func(_ int, errs []error) error {
		if len(errs) > 0 {
			return end(api.Aggregate(errs))
		}
		return next()
	})
}

// updatePods creates missing pods, then deletes surplus pods, then replaces pods of an old revision. A stop or an error in
// one step ends the sync before the next step (S-14, updateStatefulSet).
func (r *round) updatePods(pods []*api.Pod, end func(error) error) error {
	r.beginStatus()
	if r.set.Terminating() {
		r.c.loop.Branch("the StatefulSet is being deleted: only its status is kept up to date", whyTerminating)
		r.count(pods)
		return end(nil)
	}
	r.split(pods)
	r.count(r.replicas)
	r.count(r.condemned)
	r.c.loop.Branch("no pod is missing or surplus", whyStatus)
	claimed := r.condemned
	if len(r.set.Spec.VolumeClaimTemplates) == 0 {
		claimed = nil
	}
	missing := func(i int) bool { return r.replicas[i] == nil }
	surplus := func(i int) bool { return !r.condemned[i].Terminating() }
	return r.forAll(r.replicas, missing, r.processReplica, end, func() error {
		return r.forAll(claimed, sim.Never, r.fixClaims, end, func() error {
			return r.forAll(r.condemned, surplus, r.processCondemned, end, func() error { return end(r.updateOld()) })
		})
	})
}

// updateOld replaces pods of an old revision.
func (r *round) updateOld() error {
	if r.set.Spec.UpdateStrategy.Type == api.OnDelete {
		if len(r.condemned) == 0 {
			r.c.loop.Branch("OnDelete: no pod is missing or surplus", whyOnDelete)
		}
		return nil
	}
	if len(r.condemned) == 0 && int(r.status.UpdatedReplicas) == len(r.replicas) {
		return nil // no pod is old
	}
	if r.c.server.Since(apiserver.SinceMaxUnavailable) {
		return r.rollingUpdate()
	}
	return r.rollingUpdateOneByOne()
}

// split puts the pods into slots. Pods out of range are condemned; pods without an ordinal are ignored (S-11).
//
// With start 2 and 3 replicas the range is 2 to 4: db-2 is in slot 0 and db-4 in slot 2; db-0, db-1 and db-5 are condemned, and
// are deleted in the order db-5, db-1, db-0.
func (r *round) split(pods []*api.Pod) {
	n := int(*r.set.Spec.Replicas)
	r.replicas = slices.Grow(r.c.slots[:0], n)[:n]
	clear(r.replicas)
	r.condemned = r.c.condemned[:0]
	for _, pod := range pods {
		switch ordinal := ordinalOf(pod); {
		case inRange(r.set, ordinal):
			r.replicas[ordinal-r.set.Start()] = pod
			r.present++
		case ordinal >= 0:
			r.condemned = append(r.condemned, pod)
		}
	}
	if len(r.condemned) > 1 {
		sort.SliceStable(r.condemned, func(i, j int) bool { return ordinalOf(r.condemned[i]) > ordinalOf(r.condemned[j]) })
	}
	r.c.slots, r.c.condemned = r.replicas, r.condemned
}
