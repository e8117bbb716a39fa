package sim

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

func key(name string) api.Key {
	return api.Key{Kind: api.KindPod, Namespace: "default", Name: name}
}

// TestQueue is the life of a key in a work queue (H-3).
func TestQueue(t *testing.T) {
	q := newQueue(&Kernel{})
	for range 3 {
		q.add(key("a"), Wake{})
	}
	q.add(key("b"), Wake{})
	got, sync, _ := q.get()
	if got != key("a") || q.len() != 1 || sync.Woken != 3 {
		t.Fatalf("three additions must make one entry: got %v, left %d", got, q.len())
	}
	q.add(key("a"), Wake{})
	if q.len() != 1 {
		t.Errorf("a key that is being worked on must wait outside of the queue: %d wait in it", q.len())
	}
	q.done(key("a"))
	if q.len() != 2 || q.Key(q.fifo[q.taken+1]) != key("a") {
		t.Errorf("it must be queued again when its work is done: %v", q.fifo)
	}
}

// TestQueueDelay: the due time of a waiting key can only move earlier (H-4).
func TestQueueDelay(t *testing.T) {
	q := newQueue(&Kernel{})
	for _, tt := range []struct {
		at    Time
		moved bool
	}{{100, true}, {200, false}, {50, true}, {50, false}} {
		if moved := q.delay(key("a"), tt.at, Wake{}); moved != tt.moved {
			t.Errorf("delay until %d: moved is %t, want %t", tt.at, moved, tt.moved)
		}
	}
	for _, tt := range []struct {
		now  Time
		ripe bool
	}{{49, false}, {50, true}, {100, false}} {
		if _, ripe := q.ripe(key("a"), tt.now); ripe != tt.ripe {
			t.Errorf("at %d ms: ripe is %t; the key must be ripe once, at 50", tt.now, ripe)
		}
	}
}

// TestRetryDelay is the worked sequence of H-5.
func TestRetryDelay(t *testing.T) {
	q := newQueue(&Kernel{})
	want := []Time{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 81920}
	for i, w := range want {
		if got, bucket := q.retryDelay(key("a"), 0); got != w || bucket != 0 {
			t.Errorf("retry %d after %d ms, bucket %d ms; want %d, 0", i, got, bucket, w)
		}
	}
	for range 10 {
		q.retryDelay(key("a"), 0)
	}
	if got, _ := q.retryDelay(key("a"), 0); got != 1000*1000 {
		t.Errorf("the delay must end at 1000 s, is %d ms", got)
	}
	q.forget(key("a"))
	if got, _ := q.retryDelay(key("a"), 0); got != 5 {
		t.Errorf("after a success the delay must be 5 ms, is %d", got)
	}
}

// TestRetryBucket: all keys of a queue share a bucket of a hundred retries that gets ten new ones a second (H-5).
func TestRetryBucket(t *testing.T) {
	q := newQueue(&Kernel{})
	for i := range 100 {
		if _, bucket := q.retryDelay(key(fmt.Sprint(i)), 0); bucket != 0 {
			t.Fatalf("retry %d waits %d ms for the bucket", i+1, bucket)
		}
	}
	for i, tt := range []struct{ now, want Time }{{0, 100}, {0, 200}, {250, 50}, {350, 50}, {1000, 0}, {60_000, 0}} {
		if _, bucket := q.retryDelay(key("x"), tt.now); bucket != tt.want {
			t.Errorf("retry %d at %d ms waits %d ms, want %d", 101+i, tt.now, bucket, tt.want)
		}
	}
}

// failing is a reconciler that always fails.
type failing struct{ syncs []Time }

func (f *failing) sync(k *Kernel) { f.syncs = append(f.syncs, k.Now()) }

type failingLoop struct {
	*failing
	kernel *Kernel
}

func (f failingLoop) Sync(api.Key) error {
	f.sync(f.kernel)
	return errors.New("no")
}

// TestMaxRetries: a loop with a limit drops a key after that many retries and starts again with the next change (H-6).
func TestMaxRetries(t *testing.T) {
	k := &Kernel{}
	f := &failing{}
	l := NewLoop(NewStore(k), "test", 15, failingLoop{f, k}, nil)
	l.Add(key("a"))
	for k.Step() {
	}
	if len(f.syncs) != 16 {
		t.Errorf("%d syncs, want the first and 15 retries", len(f.syncs))
	}
	last := k.Trace.Records[len(k.Trace.Records)-1]
	if !strings.HasPrefix(last.What, "gives up after 15 retries") {
		t.Errorf("the last record is %q", last.What)
	}
}

// TestKernelOrder: events come in the order of time, and of scheduling within a ms.
func TestKernelOrder(t *testing.T) {
	k := &Kernel{}
	var got []string
	p := recorder{&got}
	for i, at := range []Time{30, 10, 20, 10, 30, 0} {
		k.Schedule(Event{At: at, To: p, Key: key(fmt.Sprint(i))})
	}
	for k.Step() {
	}
	if s := strings.Join(got, " "); s != "0:5 10:1 10:3 20:2 30:0 30:4" {
		t.Errorf("order is %s", s)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "is before 30 ms") {
			t.Errorf("scheduling into the past must panic with the facts, got %v", r)
		}
	}()
	k.Schedule(Event{At: 29, To: p})
}

type recorder struct{ got *[]string }

func (r recorder) Handle(e Event) { *r.got = append(*r.got, fmt.Sprintf("%d:%s", e.At, e.Key.Name)) }
