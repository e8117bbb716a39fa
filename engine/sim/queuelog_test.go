package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// fails is a reconciler that fails in its first call, although its key is added meanwhile, and in the third call adds the key
// with a delay of a second.
type fails struct {
	loop   *Loop
	kernel *Kernel
	calls  int
}

func (f *fails) Sync(k api.Key) error {
	f.kernel.Decide("test", k, fmt.Sprint("call ", f.calls), nil)
	f.calls++
	switch f.calls {
	case 1:
		f.loop.Add(k)
		f.loop.Add(k)
		return fmt.Errorf("no")
	case 3:
		f.loop.AddAfter(k, 1000)
	}
	return nil
}

// TestQueueLog is the log of a key that is added twice, fails, is added while it is processed, waits and is done (H-11): each
// operation with its time and the record before it.
func TestQueueLog(t *testing.T) {
	k := &Kernel{}
	f := &fails{kernel: k}
	f.loop = NewLoop(NewStore(k), "test", 0, f, nil)
	f.loop.Add(key("a"))
	f.loop.Add(key("a"))
	for k.Step() {
	}
	names := map[QueueOpKind]string{QueueAdded: "added", QueueAgain: "again", QueueTaken: "taken", QueueDone: "done",
		QueueDelayed: "delayed", QueueRipe: "ripe", QueueFailed: "failed"}
	var got []string
	for _, op := range f.loop.Queue().Log {
		if f.loop.Queue().Key(op.Key) != key("a") {
			t.Errorf("%+v is about another key", op)
		}
		got = append(got, fmt.Sprintf("%d/%d %s %d", op.At, op.Record, names[op.Kind], op.Value))
	}
	want := []string{
		"0/-1 added 0", "0/-1 again 0", "0/-1 taken 0",
		"0/1 added 0", "0/1 again 0", "0/1 failed 1", "0/1 delayed 5", "0/2 done 0", "0/2 taken 0",
		"0/4 failed 0", "0/4 done 0", "5/4 ripe 0", "5/4 added 0", "5/4 taken 0",
		"5/6 delayed 1005", "5/6 done 0", "1005/6 ripe 0", "1005/6 added 0", "1005/6 taken 0", "1005/8 done 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(k.Loops) != 1 || k.Loops[0] != f.loop {
		t.Errorf("the kernel knows the loops %v", k.Loops)
	}
}

// TestExpectationsLog: an owner's expectations are logged when they are set and when they are observed (R-6, H-11).
func TestExpectationsLog(t *testing.T) {
	k := &Kernel{}
	l := NewLoop(NewStore(k), "test", 0, nil, nil)
	x := NewExpectations(l)
	x.Expect(key("a"), 2, 0)
	x.CreationObserved(key("a"))
	x.CreationObserved(key("a"))
	x.CreationObserved(key("a")) // more than expected
	x.ExpectDeletions(key("a"), []*api.Pod{{ObjectMeta: api.ObjectMeta{Name: "x"}}, {ObjectMeta: api.ObjectMeta{Name: "y"}}})
	x.DeletionObserved(key("a"), "y")
	x.DeletionObserved(key("a"), "y")
	x.Forget(key("a"))
	var got []string
	for _, op := range l.Queue().Log {
		got = append(got, fmt.Sprintf("+%d -%d", op.Value&(1<<32-1), op.Value>>32))
	}
	if want := []string{"+2 -0", "+1 -0", "+0 -0", "+0 -2", "+0 -1", "+0 -0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
