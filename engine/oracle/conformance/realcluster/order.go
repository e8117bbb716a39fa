package realcluster

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	schedulingqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/utils/clock"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
)

// On a machine a controller's workers and its sender of events take the tokens of their client in an order that differs from run to run, and in
// a bubble, where requests take no time, Go's scheduler decides. 50 replicas are complete after 6803 to 7153 ms then. So that runs can be
// compared, each has the order of a machine on which every request takes equally long: the requests that a batch makes at once come together,
// then those of the next batch, and of requests at one time the first key's come first, and an event's last. A key's place is that of what it
// was added for: watches tell in the order of the writes (realkubelet.Door.InTurn), and of one change each controller in turn.
const (
	requestTakes     = realkubelet.Instant
	eventsBehind     = requestTakes / 2
	keysApart        = requestTakes / 10
	controllersApart = keysApart / 5
)

// slow leads requests to a server that takes time.
type slow struct{ server http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(requestTakes)
	return s.server.RoundTrip(r)
}

// wholeMs is the clock of a controller's bucket, whose tokens come before all else that happens in their ms. At the time of day the tokens of
// a burst that began late in its ms would come later in theirs than keys.
type wholeMs struct{ clock.RealClock }

// Now implements flowcontrol.Clock.
func (wholeMs) Now() time.Time { return time.Now().Truncate(time.Millisecond) }

// Sleep implements flowcontrol.Clock.
func (c wholeMs) Sleep(d time.Duration) {
	if d = d.Round(time.Millisecond); d > 0 {
		time.Sleep(time.Until(c.Now().Add(d)))
	}
}

// bucket is upstream's bucket of a client, whose Wait asks the clock that it was given.
type bucket struct{ flowcontrol.RateLimiter }

// Wait implements flowcontrol.RateLimiter.
func (b bucket) Wait(context.Context) error {
	b.Accept()
	return nil
}

// behind passes events on a little later.
type behind struct{ record.EventRecorder }

// Event implements record.EventRecorder.
func (b behind) Event(o runtime.Object, kind, reason, message string) {
	time.AfterFunc(eventsBehind, func() { b.EventRecorder.Event(o, kind, reason, message) })
}

// Eventf implements record.EventRecorder.
func (b behind) Eventf(o runtime.Object, kind, reason, format string, args ...any) {
	b.Event(o, kind, reason, fmt.Sprintf(format, args...))
}

type queue = workqueue.TypedRateLimitingInterface[string]

// late is a queue of a controller, in which a key comes a little after what it was added for: the caches have all of a ms when a worker looks
// at them, as in the engine. Keys of one ms come one after the other.
type late struct {
	queue
	first  time.Duration // of controllers to which something comes at the same time, this one's keys come so much later
	coming sync.Map      // keys
	number atomic.Int64
}

// lateness is how much later a key comes.
const lateness = 50 * realkubelet.Instant

// Add implements workqueue.TypedInterface.
func (q *late) Add(key string) {
	if _, twice := q.coming.LoadOrStore(key, true); twice {
		return
	}
	place := time.Duration(q.number.Add(1))
	time.AfterFunc(lateness+q.first+place*keysApart, func() {
		q.number.Add(-1)
		q.coming.Delete(key)
		q.queue.Add(key)
	})
}

// AddRateLimited implements workqueue.TypedRateLimitingInterface: a retry after whole ms is later than what comes with them, too.
func (q *late) AddRateLimited(key string) {
	time.AfterFunc(2*lateness, func() { q.queue.AddRateLimited(key) })
}

// podsInOrder makes a scheduler bind pods in the order in which they come, each with all that the caches learn in its ms. Its queue sorts them
// by time, and in a bubble those of one watch come at the same one: which is bound first, and so which is deleted first, would differ.
func podsInOrder(s *scheduler.Scheduler) {
	s.SchedulingQueue = apart{s.SchedulingQueue}
	next := s.NextEntity
	s.NextEntity = func(log klog.Logger) (framework.QueuedEntityInfo, error) {
		pod, err := next(log)
		time.Sleep(requestTakes)
		return pod, err
	}
}

// apart is a scheduler's queue to which no two pods come at the same time.
type apart struct {
	schedulingqueue.SchedulingQueue
}

// Add implements schedulingqueue.SchedulingQueue.
func (q apart) Add(ctx context.Context, pod *corev1.Pod) {
	q.SchedulingQueue.Add(ctx, pod)
	time.Sleep(time.Nanosecond)
}
