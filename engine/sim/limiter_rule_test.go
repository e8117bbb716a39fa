package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// requests is a reconciler whose syncs make requests, and what was sent when.
type requests struct {
	loop *Loop
	sync func(r *requests, key api.Key) error
	sent []string
}

func (r *requests) Sync(key api.Key) error { return r.sync(r, key) }

func (r *requests) send(what string) {
	r.loop.limit.Request()
	r.sent = append(r.sent, fmt.Sprint(what, " ", r.loop.kernel.now))
}

// limited runs syncs of keys through a client with 20 requests a second after a burst.
func limited(t *testing.T, burst int64, sync func(r *requests, key api.Key) error, keys ...string) *requests {
	t.Helper()
	k := &Kernel{}
	r := &requests{sync: sync}
	r.loop = NewLoop(NewStore(k), "test", 0, r, NewLimiter(k, ClientConnection{QPS: 20, Burst: burst}))
	for _, name := range keys {
		r.loop.Add(key(name))
	}
	for k.Step() {
	}
	return r
}

func (r *requests) want(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(r.sent, ", "); got != want {
		t.Errorf("sent\n%s, want\n%s", got, want)
	}
}

// create makes n requests with a slow start.
func create(n int) func(r *requests, k api.Key) error {
	return func(r *requests, k api.Key) error {
		r.loop.Branch("creates", nil)
		one := func(int) error { r.send(k.Name); return nil }
		return r.loop.SlowStart(n, 500, Always, one, func(int, []error) error {
			return r.loop.Await(func() error { r.send(k.Name + " status"); return nil })
		})
	}
}

// TestBucket is H-12: the 31st request of a second waits 50 ms for its token, the 50th 1 s, and tokens come back at 20 a second.
func TestBucket(t *testing.T) {
	k := &Kernel{}
	b := NewLimiter(k, ClientConnection{QPS: 20, Burst: 30})
	var got []Time
	for range 50 {
		got = append(got, b.Take())
	}
	if got[29] != 0 || got[30] != 50 || got[49] != 1000 {
		t.Errorf("tokens at %v", got)
	}
	k.now = 1500
	if at := []Time{b.Take(), b.Take(), b.Take()}; !slices.Equal(at, []Time{1500, 1500, 1500}) {
		t.Errorf("half a second after the last token: %v", at)
	}
	if b := NewLimiter(k, ClientConnection{}); b != nil || b.Take() != 0 {
		t.Error("a limit of 0 requests is one")
	}
}

// TestPauses is H-12: calls whose tokens are not there wait, and so does the rest of their sync; each part has its record.
func TestPauses(t *testing.T) {
	r := limited(t, 3, create(5), "a")
	r.want(t, "a 0, a 0, a 0, a 50, a 100, a status 150")
	var syncs []string
	for _, rec := range r.loop.kernel.Trace.Records {
		syncs = append(syncs, fmt.Sprint(rec.At, rec.What))
	}
	if len(syncs) != 4 || !strings.HasPrefix(syncs[3], "150creates, waited 0.150 s for kube-controller-manager's own limit of 20 requests/s") {
		t.Errorf("records %q", syncs)
	}
}

// TestWorkers is H-7 and H-12: while a sync waits, others go on, as far as there are workers; the keys share the bucket.
func TestWorkers(t *testing.T) {
	limited(t, 1, create(2), "a", "b", "c", "d", "e", "f").want(t, "a 0, b 50, a 100, c 150, d 200, e 250, b 300, a status 350, "+
		"c 400, d 450, e 500, b status 550, f 600, c status 650, d status 700, e status 750, f 800, f status 850")
}

// TestOwed is H-12: a request that does not wait keeps its worker busy until its token is there.
func TestOwed(t *testing.T) {
	limited(t, 1, func(r *requests, k api.Key) error {
		r.loop.Workers = 1
		r.send(k.Name)
		r.send(k.Name)
		return nil
	}, "a", "b").want(t, "a 0, a 0, b 50, b 50")
}

// TestEventsShareTheBucket is H-13: events take tokens one after the other; of one object 25 pass, then one in five minutes.
func TestEventsShareTheBucket(t *testing.T) {
	k := &Kernel{}
	b := NewLimiter(k, ClientConnection{QPS: 20, Burst: 2})
	for range 40 {
		b.Event(key("a"), "1")
	}
	k.RunTo(0)
	if at := b.Take(); at != 100 {
		t.Errorf("a request waits until %d ms, want behind one event", at)
	}
	for k.Step() {
	}
	if k.now != 1200 { // 2 at once, 1 at 50 ms, and 22 behind the request at 100 ms
		t.Errorf("the last event was sent at %d ms", k.now)
	}
	k.now += spamInterval
	b.Event(key("a"), "1")
	b.Event(key("a"), "1")
	b.Event(key("a"), "2")
	k.RunTo(k.now)
	if at := b.Take(); at != k.now+50 {
		t.Errorf("two more events took other than two tokens: %d", at-k.now)
	}
}
