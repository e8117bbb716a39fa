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
// twice at the same time (H-3). It keeps a log of what happened to its keys (H-11).
type Queue struct {
	Log []QueueOp

	kernel   *Kernel
	ids      map[api.Key]int32
	keys     []keyState
	last     int32 // the key that was asked for last
	fifo     []int32
	refilled Time // when the bucket of retries, shared by all keys, will be full again (H-5)
}

// keyState is what a queue knows of one key.
type keyState struct {
	key        api.Key
	sync       *Sync // what woke it; nil unless it is dirty, that is, to be worked on
	processing bool  // being worked on
	waiting    bool  // delayed (H-4)
	due        Time  // when a waiting key is
	wake       Wake  // what a waiting key waits for
	failures   int   // since the last success (H-5)
}

func newQueue(k *Kernel) Queue {
	return Queue{kernel: k, ids: map[api.Key]int32{}}
}

// Key returns the key that an entry of the log is about.
func (q *Queue) Key(id int32) api.Key { return q.keys[id].key }

// id returns the number of a key in this queue.
func (q *Queue) id(key api.Key) int32 {
	if q.last < int32(len(q.keys)) && q.keys[q.last].key == key { // most questions in a row are about one key
		return q.last
	}
	id, ok := q.ids[key]
	if !ok {
		id = int32(len(q.keys))
		q.ids[key] = id
		q.keys = append(q.keys, keyState{key: key})
	}
	q.last = id
	return id
}

// add puts a key into the queue unless it is there already; what woke it is noted either way.
func (q *Queue) add(key api.Key, wake Wake) {
	id := q.id(key)
	k := &q.keys[id]
	if k.sync != nil {
		k.sync.woken(wake)
		q.note(id, QueueAgain, 0)
		return
	}
	k.sync = &Sync{}
	k.sync.woken(wake)
	q.note(id, QueueAdded, 0)
	if !k.processing {
		q.fifo = append(q.fifo, id)
	}
}

// get takes the first key, with what woke it; ok is false if there is none.
func (q *Queue) get() (key api.Key, sync *Sync, ok bool) {
	if len(q.fifo) == 0 {
		return key, nil, false
	}
	id := q.fifo[0]
	q.fifo = q.fifo[1:]
	k := &q.keys[id]
	sync, k.sync, k.processing = k.sync, nil, true
	q.note(id, QueueTaken, 0)
	return k.key, sync, true
}

// done ends the work on a key; if it was added meanwhile, it is queued again.
func (q *Queue) done(key api.Key) {
	id := q.id(key)
	k := &q.keys[id]
	k.processing = false
	q.note(id, QueueDone, 0)
	if k.sync != nil {
		q.fifo = append(q.fifo, id)
	}
}

// delay notes when a key is due and says whether that is earlier than known before (H-4).
func (q *Queue) delay(key api.Key, at Time, wake Wake) bool {
	id := q.id(key)
	k := &q.keys[id]
	if k.waiting && k.due <= at {
		return false
	}
	k.waiting, k.due, k.wake = true, at, wake
	q.note(id, QueueDelayed, at)
	return true
}

// ripe says whether a key that was delayed is due now, with what it waited for, and forgets the delay if so.
func (q *Queue) ripe(key api.Key, now Time) (wake Wake, ok bool) {
	id := q.id(key)
	k := &q.keys[id]
	if !k.waiting || k.due > now {
		return Wake{}, false
	}
	k.waiting = false
	q.note(id, QueueRipe, 0)
	return k.wake, true
}

// retryDelay counts a failure and returns how long to wait: 5 ms, doubled with each earlier failure of the key, or until
// the queue's bucket has a retry left, whichever is longer.
func (q *Queue) retryDelay(key api.Key, now Time) (own, bucket Time) {
	id := q.id(key)
	k := q.keys[id].failures
	q.keys[id].failures = k + 1
	q.note(id, QueueFailed, int64(k+1))
	own = retryDelayMax
	if k < 20 {
		own = min(Time(retryDelayBase)<<k, retryDelayMax)
	}
	q.refilled = max(q.refilled, now) + retryInterval
	return own, max(0, q.refilled-now-retryBurst*retryInterval)
}

func (q *Queue) failures(key api.Key) int { return q.keys[q.id(key)].failures }

func (q *Queue) forget(key api.Key) {
	id := q.id(key)
	if q.keys[id].failures > 0 {
		q.keys[id].failures = 0
		q.note(id, QueueFailed, 0)
	}
}
