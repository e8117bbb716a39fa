package sim

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// expectationsTimeout is how long a controller waits until its cache shows its own writes, in ms.
const expectationsTimeout = 5 * 60 * 1000

// Expectations are the creations and deletions that a controller has made and its cache does not show yet, by owner (R-6, H-8).
// Until the cache shows them the controller must not count the pods, or it would create them twice.
//
// A ReplicaSet of 3 creates a, b and c: it expects 3 creations. After 1 ms a arrives and wakes it, 2 are left, and the cache
// has one pod. Counting now would give 3 - 1 = 2 missing pods. Only when c has arrived, and 0 are left, does the next sync
// count.
type Expectations struct {
	loop *Loop
	of   map[api.Key]*expectation
}

// expectation is the creations and deletions that one owner still waits for.
type expectation struct {
	since   Time
	add     int             // created pods that the cache lacks
	del     int             // deleted pods that the cache still has, if the controller only counts them
	victims map[string]bool // their names, if the controller keeps them
}

// NewExpectations returns empty expectations of a loop's controller.
func NewExpectations(l *Loop) *Expectations {
	return &Expectations{loop: l, of: map[api.Key]*expectation{}}
}

// Satisfied says whether the controller may act for the owner again: the cache shows everything, or the wait has timed out.
func (x *Expectations) Satisfied(owner api.Key) bool {
	e := x.of[owner]
	return e == nil || e.add <= 0 && e.del <= 0 && len(e.victims) == 0 || x.loop.kernel.Now()-e.since > expectationsTimeout
}

// Left returns how many creations and deletions the owner still waits for.
func (x *Expectations) Left(owner api.Key) (creations, deletions int) {
	if e := x.of[owner]; e != nil {
		return max(e.add, 0), max(e.del, 0) + len(e.victims)
	}
	return 0, 0
}

// NoteWait notes that a reconcile only counts, because the cache does not show all creations and deletions yet.
func (x *Expectations) NoteWait(owner api.Key, rule string) {
	creations, deletions := x.Left(owner)
	x.loop.Branch("counts its pods; creates and deletes none yet", why.Sum(rule, "pkg/controller/controller_utils.go:SatisfiedExpectations",
		"creations + deletions", creations+deletions, creations, deletions).
		Noting("the watch has not delivered this many of its own creations and deletions yet"))
}

// ExpectDeletions replaces the owner's expectations by the deletions of these pods.
func (x *Expectations) ExpectDeletions(owner api.Key, pods []*api.Pod) {
	victims := make(map[string]bool, len(pods))
	for _, pod := range pods {
		victims[pod.Name] = true
	}
	x.set(owner, &expectation{victims: victims})
}

// Expect replaces the owner's expectations by numbers of creations and deletions, of whichever pods (DS-9).
func (x *Expectations) Expect(owner api.Key, creations, deletions int) {
	if creations+deletions == 0 {
		x.Forget(owner)
		return
	}
	x.set(owner, &expectation{add: creations, del: deletions})
}

func (x *Expectations) set(owner api.Key, e *expectation) {
	e.since = x.loop.kernel.Now()
	x.of[owner] = e
	x.note(owner)
}

// Create makes the creations that the owner expects, with a slow start, and stops expecting those that have failed.
func (x *Expectations) Create(owner api.Key, n, most int, create func(i int) error, end func(errs []error) error) error {
	return x.loop.SlowStart(n, most, Always, create, func(created int, errs []error) error {
		for range n - created {
			x.CreationObserved(owner)
		}
		return end(errs)
	})
}

// CreationObserved counts a created pod that the cache shows now, or that could not be created.
func (x *Expectations) CreationObserved(owner api.Key) {
	if e := x.of[owner]; e != nil {
		x.lower(owner, &e.add)
	}
}

// DeletionObserved notes that the cache no longer has a pod, or that it could not be deleted.
func (x *Expectations) DeletionObserved(owner api.Key, pod string) {
	if e := x.of[owner]; e != nil && e.victims[pod] {
		delete(e.victims, pod)
		x.note(owner)
	}
}

// DeletionCounted is DeletionObserved for controllers that only count deletions.
func (x *Expectations) DeletionCounted(owner api.Key) {
	if e := x.of[owner]; e != nil {
		x.lower(owner, &e.del)
	}
}

func (x *Expectations) lower(owner api.Key, n *int) {
	if *n--; *n >= 0 {
		x.note(owner)
	}
}

// Forget drops the expectations of an owner.
func (x *Expectations) Forget(owner api.Key) {
	if x.of[owner] != nil {
		delete(x.of, owner)
		x.note(owner)
	}
}

func (x *Expectations) note(owner api.Key) {
	creations, deletions := x.Left(owner)
	q := &x.loop.queue
	q.note(q.id(owner), QueueExpects, int64(deletions)<<32|int64(creations))
}
