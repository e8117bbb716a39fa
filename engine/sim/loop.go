package sim

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// Reconciler brings one object closer to what is asked for. A returned error means: try again later.
type Reconciler interface {
	Sync(key api.Key) error
}

// LoopObserver is told what the loops of all controllers do: engine/conformance compares it with upstream. It must
// neither write nor queue anything.
type LoopObserver interface {
	// Queued says that a key was queued, after a delay or at once, whether or not it waits for an earlier moment already.
	Queued(l *Loop, key api.Key, delay Time)
	// SyncBegins and SyncEnds enclose a reconcile; the retry after an error is queued between them.
	SyncBegins(l *Loop, key api.Key)
	SyncEnds(l *Loop, key api.Key, err error)
}

// Operations of a Loop.
const (
	opWork uint8 = iota // take the next key
	opRipe              // a delayed key may be due
)

// Loop is a controller's machinery: its queue and its one worker (SIM-2). A sync takes no virtual time; the next key is
// taken in an event of its own.
type Loop struct {
	Name       string // the controller, as actor of its records
	MaxRetries int    // after that many failures the key is dropped until its next event; 0: never (H-6)

	kernel     *Kernel
	reconciler Reconciler
	queue      Queue
	working    bool // an opWork event is in the heap
}

// NewLoop returns a loop with an empty queue.
func NewLoop(k *Kernel, name string, maxRetries int, r Reconciler) *Loop {
	return &Loop{Name: name, MaxRetries: maxRetries, kernel: k, reconciler: r, queue: newQueue()}
}

// Add queues a key.
func (l *Loop) Add(key api.Key) {
	if o := l.kernel.LoopObserver; o != nil {
		o.Queued(l, key, 0)
	}
	l.add(key)
}

func (l *Loop) add(key api.Key) {
	l.queue.add(key)
	l.wake()
}

// AddAfter queues a key after a delay in ms. A key that waits already is only ever moved earlier (H-4); the answer is
// false if it waits for an earlier moment and nothing changed.
func (l *Loop) AddAfter(key api.Key, delay Time) bool {
	if delay <= 0 {
		l.Add(key)
		return true
	}
	if o := l.kernel.LoopObserver; o != nil {
		o.Queued(l, key, delay)
	}
	at := l.kernel.Now() + delay
	if !l.queue.delay(key, at) {
		return false
	}
	l.kernel.Schedule(Event{At: at, To: l, Op: opRipe, Key: key})
	return true
}

// AddRateLimited queues a key after its retry delay, in ms, and returns the delay with its sum (H-5).
func (l *Loop) AddRateLimited(key api.Key) (Time, *Explain) {
	failures := l.queue.failures[key]
	own, bucket := l.queue.retryDelay(key, l.kernel.Now())
	delay := max(own, bucket)
	l.AddAfter(key, delay)
	return delay, &Explain{
		Rule: "H-5", Formula: "max(min(base * 2 ^ failures, longest), bucket)", Value: delay,
		Terms:    []Term{{"base", retryDelayBase}, {"failures", int64(min(failures, 20))}, {"longest", retryDelayMax}, {"bucket", bucket}},
		Upstream: "client-go/util/workqueue/default_rate_limiters.go:When",
	}
}

// Handle runs the worker, or queues a key whose delay is over.
func (l *Loop) Handle(e Event) {
	switch e.Op {
	case opRipe:
		if l.queue.ripe(e.Key, e.At) {
			l.add(e.Key)
		}
	case opWork:
		l.working = false
		if key, ok := l.queue.get(); ok {
			l.sync(key)
			l.queue.done(key)
		}
		l.wake()
	}
}

func (l *Loop) wake() {
	if !l.working && len(l.queue.fifo) > 0 {
		l.working = true
		l.kernel.Schedule(Event{At: l.kernel.Now(), To: l, Op: opWork})
	}
}

func (l *Loop) sync(key api.Key) {
	if o := l.kernel.LoopObserver; o != nil {
		o.SyncBegins(l, key)
	}
	l.kernel.Trace.beginSync(l.Name)
	err := l.reconciler.Sync(key)
	switch {
	case err == nil:
		l.queue.forget(key)
	case l.MaxRetries > 0 && l.queue.failures[key] >= l.MaxRetries:
		l.kernel.Decide(l.Name, key, fmt.Sprintf("gives up after %d retries until something changes: %v", l.MaxRetries, err), &giveUp)
		l.queue.forget(key)
	default:
		delay, why := l.AddRateLimited(key)
		l.kernel.Decide(l.Name, key, fmt.Sprintf("tries again in %d ms: %v", delay, err), why)
	}
	l.kernel.Trace.endSync()
	if o := l.kernel.LoopObserver; o != nil {
		o.SyncEnds(l, key, err)
	}
}

var giveUp = Explain{Rule: "H-6", Upstream: "pkg/controller/deployment/deployment_controller.go:handleErr"}
