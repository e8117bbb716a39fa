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
	maxBatch  = 500 // that many pods at most are worked on before an error counts (S-14)
)

// Why a sync takes a branch that has to do with no pod in particular.
var (
	whyTerminating = why.Note("S-13", controlGo+"updateStatefulSet", "its pods are the garbage collector's")
	whyStatus      = why.Rule("S-10", controlGo+"updateStatefulSet")
	whyOnDelete    = why.Note("S-16", controlGo+"updateStatefulSet", "a pod gets the new template when somebody deletes it")
	whyNameTaken   = why.Note("S-14", controlGo+"processReplica", "its name is free when it is gone")
	whyFinished    = why.Note("S-14", controlGo+"processReplica", "a pod of a StatefulSet that has finished is made anew")
	whyNotReady    = why.Rule("S-14", controlGo+"processReplica")
	whyNeverReady  = why.Note("S-22", controlGo+"processReplica",
		"it is not of the update revision, and yet no update replaces it before it is Ready: if it never will be, delete it")
	whyOneByOne    = why.Note("S-15", controlGo+"processCondemned", "pods that are too many go one at a time")
	whyLowestFirst = why.Note("S-15", controlGo+"processCondemned",
		"of several pods that are not healthy the lowest is the first that may go")
	whyRolling = why.Rule("S-17", controlGo+"updateStatefulSetAfterInvariantEstablished")
)

// round is one reconcile of a StatefulSet: what it has found, and the status that it will write.
type round struct {
	c               *Controller
	set             *api.StatefulSet
	now             sim.Time
	current, update *api.ControllerRevision
	replicas        []*api.Pod // by slot, nil where a pod is missing; slot 0 has the first ordinal
	condemned       []*api.Pod // with an ordinal out of range, the highest first
	present         int        // how many slots have a pod
	monotonic       bool       // one after the other, in order (OrderedReady)
	status          api.StatefulSetStatus
}

// updateStatefulSet does what there is to do for the pods, and writes the status and the history even if that failed.
func (c *Controller) updateStatefulSet(set *api.StatefulSet, pods []*api.Pod) (*api.StatefulSetStatus, error) {
	revisions := history.List(&c.revisions.Cache, &set.ObjectMeta, set.Spec.Selector)
	history.Sort(revisions)
	r := &round{c: c, set: set, now: c.client.Now(), monotonic: set.Spec.PodManagementPolicy != api.Parallel}
	err := r.getRevisions(revisions)
	if err == nil {
		err = r.updatePods(pods)
		err = cmp.Or(err, r.writeStatus())
	}
	err = cmp.Or(err, r.truncateHistory(revisions, pods))
	return &r.status, err
}

// truncateHistory removes the oldest revisions beyond revisionHistoryLimit that neither a pod nor the StatefulSet names
// (S-8). The revisions are sorted.
func (r *round) truncateHistory(revisions []*api.ControllerRevision, pods []*api.Pod) error {
	limit := int(*r.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(revisions) <= limit { // with so few there is nothing to look for
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
	var old []*api.ControllerRevision
	for _, revision := range revisions {
		if !live[revision.Name] {
			old = append(old, revision)
		}
	}
	surplus := len(old) - limit
	for i := range max(0, surplus) {
		err := r.c.client.Delete(old[i].Key(), apiserver.DeleteOptions{}, fmt.Sprintf("ControllerRevision %d removed from the history", old[i].Revision),
			why.Sum("S-8", controlGo+"truncateHistory", "oldRevisions - revisionHistoryLimit", surplus, len(old), limit).
				Noting("no pod is of this revision"))
		if err != nil {
			return err
		}
	}
	return nil
}

// getRevisions finds the revision that pods are updated to, and the one that they had when the last update was complete
// (S-7). A template that was there before gets its revision back under a new number; a new one is stored. The revisions
// are sorted.
//
// What upstream asks third, whether the last revision becomes the template by defaulting, is the first question here: the
// templates of revisions have their defaults.
func (r *round) getRevisions(revisions []*api.ControllerRevision) (err error) {
	set := r.set
	var collisions int32
	if n := set.Status.CollisionCount; n != nil {
		collisions = *n
	}
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

// updateRevision returns the revision of the present template, stored.
func (r *round) updateRevision(revisions []*api.ControllerRevision, collisions *int32) (*api.ControllerRevision, error) {
	set := r.set
	var equal *api.ControllerRevision // the last one
	for _, revision := range revisions {
		if revision.Template.Equal(&set.Spec.Template) {
			equal = revision
		}
	}
	last, next := len(revisions)-1, history.Next(revisions)
	if equal != nil && history.Equal(revisions[last], equal) {
		return revisions[last], nil
	}
	sum := why.Sum("S-7", controlGo+"getStatefulSetRevisions", "lastRevision + 1", next, next-1)
	if equal != nil {
		renumbered, err := history.SetRevision(r.c.client, equal, next,
			sum.Noting("the template is that of an earlier revision, which is the newest again"))
		if api.IsReason(err, api.ReasonConflict) {
			err = errNoName
		}
		return renumbered, err
	}
	revision := history.New(set, history.HashLabel, &set.Spec.Template, next, collisions)
	return history.Create(r.c.client, set, revision, collisions, sum.Noting("the template is a new one"))
}

// errNoName is what comes of a conflict over a revision's number. Upstream tries again at once, but with the empty object
// that its client returns beside the error (controller_history.go:UpdateControllerRevision).
var errNoName = errors.New("resource name may not be empty")

// beginStatus fills in what a status has besides numbers (S-10).
func (r *round) beginStatus() {
	r.status.ObservedGeneration = r.set.Generation
	r.status.CurrentRevision, r.status.UpdateRevision = r.current.Name, r.update.Name
	r.status.Conditions = r.set.Status.Conditions
}

// count adds pods to the numbers of the status (S-30). Slots may be empty.
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

// processReplica works towards a pod that is there and healthy, and stops if those behind it must wait (S-14).
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

// createReplica makes the pod of a slot, its claims first (S-14 step 2, S-42).
func (r *round) createReplica(i int) error {
	ordinal := r.set.Start() + i
	if stale := r.staleClaim(ordinal); stale != "" {
		reason := why.Note("S-42", controlGo+"processReplica", "the claim is deleted with the pod that it belongs to")
		r.c.loop.Took("waits for claim "+stale, reason)
		r.c.loop.Decide(r.set.Key(), fmt.Sprintf("claim %s belongs to an earlier %s: the pod waits", stale, podName(r.set, ordinal)), reason)
		return nil
	}
	pod := newPod(r.set, r.revisionFor(ordinal), ordinal)
	r.tookCreate("creates " + pod.Name)
	if err := r.createPod(pod, ordinal, r.explainRevision(ordinal)); err != nil || r.monotonic {
		return err
	}
	return r.repair(pod) // in parallel the same sync looks at it again: claims whose owners it has just set meet a conflict
}

// tookCreate notes that the sync creates a pod; in parallel it creates all that are missing.
func (r *round) tookCreate(what string) {
	note := "OrderedReady: one pod at a time, the lowest first"
	if !r.monotonic {
		what, note = "creates pods", "Parallel: all pods that are missing"
	}
	n := len(r.replicas)
	r.c.loop.Took(what, why.Sum("S-14", controlGo+"processReplica", "replicas - present", n-r.present, n, r.present).Noting(note))
}

// replaceFinished deletes a pod whose phase is final, whatever its exit code; a later sync makes it anew (S-14 step 1).
func (r *round) replaceFinished(pod *api.Pod) error {
	if pod.Terminating() {
		r.waits(pod, fmt.Sprintf("%s has finished and is terminating", pod.Name), whyNameTaken)
		return nil
	}
	r.c.loop.Took("deletes "+pod.Name+", which has finished", whyFinished)
	return r.deletePod(pod.Name, "finished pod deleted", whyFinished)
}

// waitsFor says whether the pods behind a pod must wait for it, and which of its states they wait for (S-14 steps 4 to 6).
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
		r.waits(pod, fmt.Sprintf("%s is Ready, but not for minReadySeconds yet: OrderedReady waits", pod.Name),
			why.Sum("S-14", controlGo+"processReplica", "minReadySeconds - readySeconds", minReady-ready, minReady, ready))
	default:
		return false
	}
	return true
}

// waits notes that the sync ends here because of a pod.
func (r *round) waits(pod *api.Pod, what string, reason *sim.Explain) {
	r.c.loop.Took("waits for "+pod.Name, reason)
	r.c.loop.Decide(r.set.Key(), what, reason)
}

// processCondemned deletes a pod that is too many. In order that is one at a time, from the top, while all below it are
// healthy; if several are not, the lowest of them is the first to go (S-15).
func (r *round) processCondemned(i int) (stop bool, err error) {
	pod := r.condemned[i]
	if pod.Terminating() {
		if r.monotonic {
			r.waits(pod, pod.Name+" is terminating: OrderedReady waits", whyOneByOne)
		}
		return true, nil
	}
	if r.monotonic && !(isRunningAndReady(pod) && r.available(pod)) && r.firstUnavailable() != pod {
		r.waits(pod, fmt.Sprintf("%s is not healthy, nor is a pod below it: OrderedReady waits", pod.Name), whyLowestFirst)
		return true, nil
	}
	sum := why.Sum("S-15", controlGo+"processCondemned", "pods - inRange", len(r.condemned), r.present+len(r.condemned), r.present).
		Noting("the replicas that are asked for end below this pod, or begin above it")
	r.c.loop.Took("scale down, deletes "+pod.Name, sum)
	return true, r.deletePod(pod.Name, "pod deleted: scale down", sum)
}

// available says whether a pod is available and will stay so (S-12).
func (r *round) available(pod *api.Pod) bool {
	return !pod.Terminating() && pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now)
}

// firstUnavailable returns the lowest condemned pod that is not available, nil if all are. The pods in the slots are
// available when it is asked for (S-12).
func (r *round) firstUnavailable() *api.Pod {
	for i := len(r.condemned) - 1; i >= 0; i-- {
		if !r.available(r.condemned[i]) {
			return r.condemned[i]
		}
	}
	return nil
}

// fixClaims gives the claims of a condemned pod their owners: with whenScaled Delete it is the pod, so that they go with
// it (S-42).
func (r *round) fixClaims(i int) (stop bool, err error) {
	pod := r.condemned[i]
	ordinal := ordinalOf(pod)
	if r.claimsMatch(pod, ordinal) {
		return false, nil
	}
	return false, r.ownClaims(pod, ordinal)
}

// forAll calls f for each pod of a list, by its index. In order, the first stop or error ends it; in parallel no stop
// counts, and errors end it after their batch of 1, 2, 4 … (S-14). The calls of a batch are made one after the other (SIM-7).
func (r *round) forAll(list []*api.Pod, f func(i int) (stop bool, err error)) (stop bool, err error) {
	if r.monotonic {
		for i := range list {
			if stop, err = f(i); stop || err != nil {
				return true, err
			}
		}
		return false, nil
	}
	var errs []error
	for done, batch := 0, 1; done < len(list) && len(errs) == 0; batch = min(2*batch, maxBatch) {
		end := min(done+batch, len(list))
		for ; done < end; done++ {
			if _, err := f(done); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return len(errs) > 0, api.Aggregate(errs)
}

// updatePods takes the steps in their order: make the pods that are missing, delete those that are too many, replace those
// that are of an old revision. Whatever stops the first or the second ends it (S-14).
func (r *round) updatePods(pods []*api.Pod) error {
	r.beginStatus()
	if r.set.Terminating() {
		r.c.loop.Took("the StatefulSet is being deleted: only its status is kept up to date", whyTerminating)
		r.count(pods)
		return nil
	}
	r.split(pods)
	r.count(r.replicas)
	r.count(r.condemned)
	r.c.loop.Took("every pod is there, none is too many", whyStatus)
	if stop, err := r.forAll(r.replicas, r.processReplica); stop || err != nil {
		return err
	}
	if len(r.set.Spec.VolumeClaimTemplates) > 0 {
		if _, err := r.forAll(r.condemned, r.fixClaims); err != nil {
			return err
		}
	}
	if stop, err := r.forAll(r.condemned, r.processCondemned); stop || err != nil {
		return err
	}
	if r.set.Spec.UpdateStrategy.Type == api.OnDelete {
		if len(r.condemned) == 0 {
			r.c.loop.Took("OnDelete: every pod is there, none is too many", whyOnDelete)
		}
		return nil
	}
	if len(r.condemned) == 0 && int(r.status.UpdatedReplicas) == len(r.replicas) {
		return nil // there is no old pod to look for
	}
	if r.c.server.Since(apiserver.SinceMaxUnavailable) {
		return r.rollingUpdate()
	}
	return r.rollingUpdateOneByOne()
}

// split puts the pods into their slots; those out of range are condemned, and one without a number is left alone (S-11).
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
