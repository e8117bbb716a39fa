package upstream

import (
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// queue replaces a controller's work queue: the worker gets the keys that the judge hands it, one at a time; keys that the
// controller queues are only noted. Retry delays are those of client-go.
type queue struct {
	keys    chan string
	done    chan struct{}
	limiter workqueue.TypedRateLimiter[string]
	calls   []string
}

func newQueue() *queue {
	return &queue{
		keys:    make(chan string),
		done:    make(chan struct{}),
		limiter: workqueue.DefaultTypedControllerRateLimiter[string](),
	}
}

// take returns what was queued since the last call.
func (q *queue) take() []string {
	calls := q.calls
	q.calls = nil
	return calls
}

// Call prints a queued key with its delay.
func Call(key string, delay time.Duration) string {
	if delay <= 0 {
		return key + " at once"
	}
	return fmt.Sprintf("%s after %d ms", key, delay.Round(time.Millisecond).Milliseconds())
}

// Add notes a key.
func (q *queue) Add(key string) { q.calls = append(q.calls, Call(key, 0)) }

// AddAfter notes a key and its delay.
func (q *queue) AddAfter(key string, delay time.Duration) {
	q.calls = append(q.calls, Call(key, delay))
}

// AddRateLimited notes a key and the delay of its retry.
func (q *queue) AddRateLimited(key string) { q.AddAfter(key, q.limiter.When(key)) }

// Forget ends the retries of a key.
func (q *queue) Forget(key string) { q.limiter.Forget(key) }

// NumRequeues returns how often a key was retried.
func (q *queue) NumRequeues(key string) int { return q.limiter.NumRequeues(key) }

// Get waits for a key.
func (q *queue) Get() (key string, shutdown bool) {
	key, ok := <-q.keys
	return key, !ok
}

// Done says that the worker is done with a key.
func (q *queue) Done(string) { q.done <- struct{}{} }

// Len returns 0: keys do not wait here.
func (q *queue) Len() int { return 0 }

// ShutDown ends the worker.
func (q *queue) ShutDown() { close(q.keys) }

// ShutDownWithDrain is ShutDown.
func (q *queue) ShutDownWithDrain() { q.ShutDown() }

// ShuttingDown is never asked.
func (q *queue) ShuttingDown() bool { return false }
