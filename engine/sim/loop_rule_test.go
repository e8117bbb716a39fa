package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestOneWorker is SIM-2 and SIM-1: keys are worked on one after the other in the order in which they were added, a sync
// takes no time, and what is scheduled meanwhile for the same moment comes after it.
func TestOneWorker(t *testing.T) {
	k := &Kernel{}
	var got []string
	w := &slowly{kernel: k, got: &got}
	l := NewLoop(k, "test", 0, w)
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

// slowly is a reconciler whose first key is added once more while it is worked on.
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
