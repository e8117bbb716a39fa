package realcluster

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
)

// On a machine a controller's workers and its sender of events take the tokens of their client in an order that differs from run to run, and in
// a bubble, where requests take no time, Go's scheduler decides. 50 replicas are complete after 6803 to 7153 ms then. So that runs can be
// compared, each has the order of a machine on which every request takes equally long: the requests that a batch makes at once come together,
// then those of the next batch, and of requests at one time the first key's come first, and an event's last.
const (
	requestTakes = realkubelet.Instant / 10
	eventsBehind = requestTakes / 2
	keysApart    = requestTakes / 10
)

// slow leads requests to a server that takes time.
type slow struct{ server http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(requestTakes)
	return s.server.RoundTrip(r)
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
	coming sync.Map // keys
	number atomic.Int64
}

// lateness is how much later a key comes.
const lateness = 10 * realkubelet.Instant

// Add implements workqueue.TypedInterface.
func (q *late) Add(key string) {
	if _, twice := q.coming.LoadOrStore(key, true); twice {
		return
	}
	place := time.Duration(q.number.Add(1))
	time.AfterFunc(lateness+place*keysApart, func() {
		q.number.Add(-1)
		q.coming.Delete(key)
		q.queue.Add(key)
	})
}

// AddRateLimited implements workqueue.TypedRateLimitingInterface: a retry after whole ms is later than what comes with them, too.
func (q *late) AddRateLimited(key string) {
	time.AfterFunc(2*lateness, func() { q.queue.AddRateLimited(key) })
}
