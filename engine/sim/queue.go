package sim

import (
	"github.com/rollplay/rollplay/engine/api"
)

// Retry delays (H-5), in ms: of one key, and of all keys of a queue together, ten a second after a burst of 100.
const (
	retryDelayBase = 5
	retryDelayMax  = 1000 * 1000
	retryInterval  = 100
	retryBurst     = 100
)

// Queue is a controller's work queue: a key that is added many times before it is taken is processed once, and never
// twice at the same time (H-3). It logs every operation on its keys (H-11).
type Queue struct {
	Log []QueueOp

	kernel   *Kernel
	ids      map[api.Key]int32
	keys     []keyState
	last     int32 // the key of the last call of id
	fifo     []int32
	taken    int    // the first of fifo that are not in the queue any more
	syncs    []Sync // allocated, but not used yet
	base     Time   // of the retry delays
	refilled Time   // when the bucket of retries, shared by all keys, is full again (H-5)
}

// keyState is the state of one key.
type keyState struct {
	key        api.Key
	sync       *Sync // what woke it; nil unless the key is dirty, that is, has to be processed
	processing bool
	waiting    bool // delayed (H-4), until due
	due        Time
	wake       Wake // what wakes the key then
	failures   int  // since the last success (H-5)
}

func newQueue(k *Kernel) Queue {
	return Queue{kernel: k, base: retryDelayBase, ids: map[api.Key]int32{}}
}

// Key returns the key of an entry of the log.
func (q *Queue) Key(id int32) api.Key { return q.keys[id].key }

// id returns the number of a key in this queue.
func (q *Queue) id(key api.Key) int32 {
	if q.last < int32(len(q.keys)) && q.keys[q.last].key == key { // most calls in a row are about one key
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

// add queues a key unless it is dirty already, and notes what woke it in both cases.
func (q *Queue) add(key api.Key, wake Wake) {
	id := q.id(key)
	k := &q.keys[id]
	if k.sync != nil {
		k.sync.woken(wake)
		q.note(id, QueueAgain, 0)
		return
	}
	k.sync = q.newSync(wake)
	q.note(id, QueueAdded, 0)
	if !k.processing {
		q.fifo = append(q.fifo, id)
	}
}

// newSync returns what a record keeps of a sync. Many are allocated at once, because all live as long as the run.
func (q *Queue) newSync(wake Wake) *Sync {
	if len(q.syncs) == 0 {
		q.syncs = make([]Sync, 32)
	}
	sync := &q.syncs[0]
	q.syncs = q.syncs[1:]
	sync.woken(wake)
	return sync
}

// len is the number of keys that wait to be taken.
func (q *Queue) len() int { return len(q.fifo) - q.taken }

// get takes the first key, with what woke it; ok is false if the queue is empty.
func (q *Queue) get() (key api.Key, sync *Sync, ok bool) {
	if q.len() == 0 {
		return key, nil, false
	}
	id := q.fifo[q.taken]
	if q.taken++; q.len() == 0 {
		q.fifo, q.taken = q.fifo[:0], 0
	}
	k := &q.keys[id]
	sync, k.sync, k.processing = k.sync, nil, true
	q.note(id, QueueTaken, 0)
	return k.key, sync, true
}

// done ends the processing of a key; if it was added meanwhile, it is queued again.
func (q *Queue) done(key api.Key) {
	id := q.id(key)
	k := &q.keys[id]
	k.processing = false
	q.note(id, QueueDone, 0)
	if k.sync != nil {
		q.fifo = append(q.fifo, id)
	}
}

// delay sets when a key is due, unless it is due earlier already (H-4).
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

// ripe ends the delay of a key that is due, and returns what wakes it.
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
//
// A key that fails for the fourth time waits 5 * 2^3 = 40 ms, for the 18th 5 * 2^17 = 655 s, and from the 19th on 1000 s.
// When 103 keys fail in the same ms, the bucket pays for 100; the others wait 100, 200 and 300 ms.
func (q *Queue) retryDelay(key api.Key, now Time) (own, bucket Time) {
	id := q.id(key)
	k := q.keys[id].failures
	q.keys[id].failures = k + 1
	q.note(id, QueueFailed, int64(k+1))
	own = retryDelayMax
	if k < 20 {
		own = min(q.base<<k, retryDelayMax)
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

// QueueOp is one operation on a key of a work queue (H-11).
type QueueOp struct {
	At     Time
	Value  int64
	Record int32 // index of the last record before it, -1 before the first
	Key    int32 // see Queue.Key
	Kind   QueueOpKind
}

// QueueOpKind is the type of an operation.
type QueueOpKind uint8

// The kinds of QueueOp.
const (
	QueueAdded   QueueOpKind = iota // the key became dirty; while it is processed it stays out of the FIFO
	QueueAgain                      // the key was added although it was dirty
	QueueTaken                      // the worker took the key
	QueueDone                       // the worker is done with the key; if it is dirty again, it goes to the end of the FIFO
	QueueDelayed                    // the key waits until Value, in virtual ms
	QueueRipe                       // the wait is over
	QueueFailed                     // the key has failed Value times since its last success
	QueueExpects                    // the controller expects Value/2^32 deletions and Value%2^32 creations
)

func (q *Queue) note(key int32, kind QueueOpKind, value int64) {
	if q.Log == nil {
		q.Log = make([]QueueOp, 0, 512) // a queue that has one entry soon has hundreds
	}
	q.Log = append(q.Log, QueueOp{At: q.kernel.now, Value: value, Record: q.kernel.LastRecord(), Key: key, Kind: kind})
}
