package sim

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestOneWorker is SIM-2 and SIM-1: keys are processed one by one in the order of Add, a sync takes no time, and events that it
// schedules for the same ms come after it.
func TestOneWorker(t *testing.T) {
	k := &Kernel{}
	var got []string
	w := &slowly{kernel: k, got: &got}
	l := NewLoop(NewStore(k), "test", 0, w, nil)
	w.loop = l
	for _, name := range []string{"a", "b", "a", "c"} {
		l.Add(key(name))
	}
	k.Schedule(Event{At: 0, To: recorder{&got}, Key: key("other")})
	for k.Step() {
	}
	want := []string{"a begins at 0", "a ends at 0", "0:other", "b begins at 0", "b ends at 0", "c begins at 0", "c ends at 0",
		"a begins at 0", "a ends at 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestManyRetries is SIM-8: a hundred failing keys are retried after their own 5 ms; the others wait for the bucket, ten a second.
func TestManyRetries(t *testing.T) {
	k := &Kernel{}
	once := &failsOnce{kernel: k, failed: map[api.Key]bool{}}
	l := NewLoop(NewStore(k), "test", 0, once, nil)
	for i := range 105 {
		l.Add(key(fmt.Sprint(i)))
	}
	for k.Step() {
	}
	if len(once.again) != 105 || once.again[0] != 5 || once.again[99] != 5 || !slices.Equal(once.again[100:], []Time{100, 200, 300, 400, 500}) {
		t.Errorf("tried again at %v", once.again)
	}
}

// failsOnce is a reconciler that fails for each key the first time.
type failsOnce struct {
	kernel *Kernel
	failed map[api.Key]bool
	again  []Time // when keys were retried
}

func (f *failsOnce) Sync(k api.Key) error {
	if !f.failed[k] {
		f.failed[k] = true
		return errors.New("no")
	}
	f.again = append(f.again, f.kernel.Now())
	return nil
}

// slowly is a reconciler whose first key is added again while it is processed.
type slowly struct {
	kernel *Kernel
	loop   *Loop
	got    *[]string
	again  bool
}

func (s *slowly) Sync(k api.Key) error {
	*s.got = append(*s.got, fmt.Sprintf("%s begins at %d", k.Name, s.kernel.Now()))
	if !s.again {
		s.again = true
		s.loop.Add(k)
	}
	*s.got = append(*s.got, fmt.Sprintf("%s ends at %d", k.Name, s.kernel.Now()))
	return nil
}
