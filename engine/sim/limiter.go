package sim

import "github.com/rollplay/rollplay/engine/api"

// ClientConnection is how fast the client of each controller of kube-controller-manager may send requests: QPS a second, after Burst at
// once. A QPS below 1 is no limit.
type ClientConnection struct{ QPS, Burst int64 }

// Limiter is the token bucket of one client: a request is sent when its token is there, in the order in which the tokens were taken (H-12,
// rest/request.go:tryThrottle). Reading a cache takes none. A nil Limiter limits nothing.
//
// With 20 a second after a burst of 30, the 30th of 50 requests at 0 ms is sent at once, the 31st at 50 ms and the 50th at 1000 ms.
type Limiter struct {
	kernel   *Kernel
	interval int64 // between two tokens, in µs
	burst    int64
	full     int64 // when the bucket is full again, in µs
	granted  bool  // the token of the next request has been taken before
	owed     Time  // when the token of the last request comes that did not wait for it

	unsent int               // events
	sender Time              // when the sender of events goes on; -1: it has none
	spam   map[eventsOf]Time // when an object's bucket of events is full again
}

// eventsOf is what shares a bucket of events.
type eventsOf struct {
	about api.Key
	uid   string
}

// The bucket of events about one object: 25, and one more in five minutes; what exceeds it is dropped (H-13, record/events_cache.go:Filter).
const (
	spamBurst    = 25
	spamInterval = 300 * 1000
)

// NewLimiter returns a full bucket, nil without a limit.
func NewLimiter(k *Kernel, c ClientConnection) *Limiter {
	if c.QPS < 1 {
		return nil
	}
	return &Limiter{kernel: k, interval: 1_000_000 / c.QPS, burst: c.Burst, sender: -1, spam: map[eventsOf]Time{}}
}

// Take takes the next token and returns when it is there.
func (b *Limiter) Take() Time {
	if b == nil {
		return 0
	}
	now := b.kernel.now * 1000
	b.full = max(b.full, now) + b.interval
	return (max(now, b.full-b.burst*b.interval) + 999) / 1000
}

// grant notes that the next request has its token.
func (b *Limiter) grant() {
	if b != nil {
		b.granted = true
	}
}

// Request takes the token of a request that is made now.
//
// Simplified: some requests do not wait for their tokens; the worker that makes them waits afterwards. What is created or deleted in
// numbers does wait, the sizes of a rolling update, and the last writes of most syncs (see Loop.Await, Loop.SlowStart).
func (b *Limiter) Request() {
	switch {
	case b == nil:
	case b.granted:
		b.granted = false
	default:
		b.owed = max(b.owed, b.Take())
	}
}

// settle returns until when a worker waits for its last requests, and forgets it.
func (b *Limiter) settle() (until Time) {
	if b != nil {
		until, b.owed, b.granted = b.owed, 0, false
	}
	return until
}

// Event sends an event. A controller's events are sent by its client, one after the other and beside its syncs (H-13,
// record/event.go:recordToSink).
func (b *Limiter) Event(about api.Key, uid string) {
	if b == nil {
		return
	}
	of := eventsOf{about, uid}
	full := max(b.spam[of], b.kernel.now)
	if full-b.kernel.now > (spamBurst-1)*spamInterval {
		return
	}
	b.spam[of] = full + spamInterval
	if b.unsent++; b.sender < 0 {
		b.sendAt(b.kernel.now, opRecorded)
	}
}

// Steps of the sender of events.
const (
	opRecorded uint8 = iota // an event comes to it after the requests that its sync makes next
	opSend                  // the event before is sent
)

// Handle sends the next event when its token is there.
func (b *Limiter) Handle(e Event) {
	switch {
	case e.Op == opRecorded:
		b.sendAt(b.kernel.now, opSend)
	case b.unsent == 0:
		b.sender = -1
	default:
		b.unsent--
		b.sendAt(b.Take(), opSend)
	}
}

func (b *Limiter) sendAt(at Time, op uint8) {
	b.sender = at
	b.kernel.Schedule(Event{At: at, To: b, Op: op})
}

// crowded says whether others make requests in this ms, and n requests beside the events may leave the client no token.
func (b *Limiter) crowded(others, n int) bool {
	return b != nil && (others > 0 || b.sender == b.kernel.now) &&
		b.full+int64(n+b.unsent)*b.interval >= b.kernel.now*1000+b.burst*b.interval
}
