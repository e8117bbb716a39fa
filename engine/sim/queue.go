package sim

import "github.com/rollplay/rollplay/engine/api"

// Retry delays (H-5), in ms: of one key, and of all keys of a queue together, ten a second after a burst of a hundred.
const (
	retryDelayBase = 5
	retryDelayMax  = 1000 * 1000
	retryInterval  = 100
	retryBurst     = 100
)

// Queue is a controller's work queue: a key that is added many times before it is taken is worked on once, and never
// twice at the same time (H-3).
type Queue struct {
	dirty      map[api.Key]bool // to be worked on
	processing map[api.Key]bool // being worked on
	fifo       []api.Key
	waiting    map[api.Key]Time // when a delayed key is due (H-4)
	failures   map[api.Key]int  // since the last success (H-5)
	refilled   Time             // when the bucket of retries, shared by all keys, will be full again (H-5)
}

func newQueue() Queue {
	return Queue{dirty: map[api.Key]bool{}, processing: map[api.Key]bool{}, waiting: map[api.Key]Time{}, failures: map[api.Key]int{}}
}

// add puts a key into the queue unless it is there already.
func (q *Queue) add(key api.Key) {
	if q.dirty[key] {
		return
	}
	q.dirty[key] = true
	if !q.processing[key] {
		q.fifo = append(q.fifo, key)
	}
}

// get takes the first key; ok is false if there is none.
func (q *Queue) get() (key api.Key, ok bool) {
	if len(q.fifo) == 0 {
		return key, false
	}
	key = q.fifo[0]
	q.fifo = q.fifo[1:]
	q.processing[key] = true
	delete(q.dirty, key)
	return key, true
}

// done ends the work on a key; if it was added meanwhile, it is queued again.
func (q *Queue) done(key api.Key) {
	delete(q.processing, key)
	if q.dirty[key] {
		q.fifo = append(q.fifo, key)
	}
}

// delay notes when a key is due and says whether that is earlier than known before (H-4).
func (q *Queue) delay(key api.Key, at Time) bool {
	if have, ok := q.waiting[key]; ok && have <= at {
		return false
	}
	q.waiting[key] = at
	return true
}

// ripe says whether a key that was delayed is due now, and forgets the delay if so.
func (q *Queue) ripe(key api.Key, now Time) bool {
	at, ok := q.waiting[key]
	if !ok || at > now {
		return false
	}
	delete(q.waiting, key)
	return true
}

// retryDelay counts a failure and returns how long to wait: 5 ms, doubled with each earlier failure of the key, or until
// the queue's bucket has a retry left, whichever is longer.
func (q *Queue) retryDelay(key api.Key, now Time) (own, bucket Time) {
	k := q.failures[key]
	q.failures[key] = k + 1
	own = retryDelayMax
	if k < 20 {
		own = min(Time(retryDelayBase)<<k, retryDelayMax)
	}
	q.refilled = max(q.refilled, now) + retryInterval
	return own, max(0, q.refilled-now-retryBurst*retryInterval)
}

func (q *Queue) forget(key api.Key) { delete(q.failures, key) }
