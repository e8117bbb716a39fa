package sim

import "github.com/rollplay/rollplay/engine/api"

// expectationsTimeout is how long a controller waits to see what it did, in ms.
const expectationsTimeout = 5 * 60 * 1000

// Expectations are what a controller has done and not seen yet in its cache, by owner (R-6, H-8): until the cache shows
// them it must not count the pods, or it would create them twice.
type Expectations struct {
	loop *Loop
	of   map[api.Key]*expectation
}

// expectation is what one owner waits to see.
type expectation struct {
	since   Time
	add     int             // pods created and not seen
	del     int             // pods deleted and not seen to go, of a controller that only counts them
	victims map[string]bool // names of such pods, of a controller that knows them
}

// NewExpectations returns the expectations of a loop's controller.
func NewExpectations(l *Loop) *Expectations {
	return &Expectations{loop: l, of: map[api.Key]*expectation{}}
}

// Satisfied says whether the cache shows everything that was done for the owner, so that it may be acted upon again.
func (x *Expectations) Satisfied(owner api.Key) bool {
	e := x.of[owner]
	return e == nil || e.add <= 0 && e.del <= 0 && len(e.victims) == 0 || x.loop.kernel.Now()-e.since > expectationsTimeout
}

// Left returns how many creations and deletions the owner waits to see.
func (x *Expectations) Left(owner api.Key) (creations, deletions int) {
	if e := x.of[owner]; e != nil {
		return max(e.add, 0), max(e.del, 0) + len(e.victims)
	}
	return 0, 0
}

// ExpectCreations starts anew, with n creations to see.
func (x *Expectations) ExpectCreations(owner api.Key, n int) {
	x.of[owner] = &expectation{since: x.loop.kernel.Now(), add: n}
	x.note(owner)
}

// ExpectDeletions starts anew, with these deletions to see.
func (x *Expectations) ExpectDeletions(owner api.Key, pods []*api.Pod) {
	victims := make(map[string]bool, len(pods))
	for _, pod := range pods {
		victims[pod.Name] = true
	}
	x.of[owner] = &expectation{since: x.loop.kernel.Now(), victims: victims}
	x.note(owner)
}

// Expect starts anew, with so many creations and deletions to see. The deletions are counted, whichever pods they are of
// (DS-9); with nothing to see the expectations are satisfied.
func (x *Expectations) Expect(owner api.Key, creations, deletions int) {
	if creations+deletions == 0 {
		x.Forget(owner)
		return
	}
	x.of[owner] = &expectation{since: x.loop.kernel.Now(), add: creations, del: deletions}
	x.note(owner)
}

// CreationObserved says that a pod of the owner was seen, or will never be.
func (x *Expectations) CreationObserved(owner api.Key) {
	if e := x.of[owner]; e != nil {
		e.add--
		if e.add >= 0 {
			x.note(owner)
		}
	}
}

// DeletionObserved says that a pod was seen to go, or will never go.
func (x *Expectations) DeletionObserved(owner api.Key, pod string) {
	if e := x.of[owner]; e != nil && e.victims[pod] {
		delete(e.victims, pod)
		x.note(owner)
	}
}

// DeletionCounted says that some pod of the owner was seen to go, or will never go.
func (x *Expectations) DeletionCounted(owner api.Key) {
	if e := x.of[owner]; e != nil {
		e.del--
		if e.del >= 0 {
			x.note(owner)
		}
	}
}

// Forget drops the expectations of an owner that is gone.
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
