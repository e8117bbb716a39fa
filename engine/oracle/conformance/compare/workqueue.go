package compare

import (
	"fmt"
	"maps"
	"slices"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// workQueue is client-go's own work queue, beside that of one of the engine's loops. It receives the keys that the loop
// queues, with their delays, and so says which keys the loop must take, and when: H-1 to H-4 are judged by the original.
//
// It also is the list of waiting keys inside that queue: the order of keys of one moment is left to the engine, because in
// client-go it depends on goroutines.
type workQueue struct {
	queue   workqueue.TypedDelayingInterface[string]
	waiting map[string]time.Time // the keys that the worker can take, with the moment from which it can
	next    string               // the key that the engine's worker takes
}

func newWorkQueue() *workQueue {
	q := &workQueue{waiting: map[string]time.Time{}}
	q.queue = workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{
		Queue: workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Queue: q})})
	return q
}

// Touch does nothing: a key that waits keeps its place.
func (q *workQueue) Touch(string) {}

// Push notes a key that the worker can take from now on.
func (q *workQueue) Push(key string) { q.waiting[key] = time.Now() }

// Len returns the number of keys that the worker can take.
func (q *workQueue) Len() int { return len(q.waiting) }

// Pop takes the key that the engine's worker takes.
func (q *workQueue) Pop() string {
	delete(q.waiting, q.next)
	return q.next
}

// take lets the worker take a key, and says why it could not do so now, "" if it can.
func (q *workQueue) take(key string) string {
	since, ok := q.waiting[key]
	switch {
	case !ok:
		return "not in the queue"
	case !since.Equal(time.Now()):
		return fmt.Sprintf("in the queue for %s", time.Since(since))
	}
	q.next = key
	q.queue.Get()
	return ""
}

// advance moves the bubble's clock to the kernel's. Before time passes every queue must be empty.
func (j *judge) advance() {
	if time.Until(convert.WallTime(j.kernel.Now())) <= 0 {
		return
	}
	for _, name := range j.loops {
		if waiting := j.queues[name].waiting; len(waiting) > 0 {
			j.differ(name+" waits", "keys in the queue", "none", fmt.Sprint(slices.Sorted(maps.Keys(waiting))))
		}
	}
	catchUp(j.kernel)
	synctest.Wait() // until the queues have noticed
}
