package session_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/session"
)

// hurried is a session on a machine so slow that each slice computes one event.
func hurried(s *session.Session) {
	now := time.Unix(0, 0)
	s.UseClock(func() time.Time {
		now = now.Add(time.Second)
		return now
	})
}

// TestCommandsInAHurry: commands that are given before the run is computed up to the cursor wait, and none of them is lost. The
// recording is that of a person who waits for each answer.
func TestCommandsInAHurry(t *testing.T) {
	for _, at := range []int64{0, 700, 2999, 6000, 6001, 12_000, 24_998, 1 << 40} {
		patient, hasty := newPerson(t, nil), newPerson(t, nil)
		hurried(hasty.Session)
		for _, p := range []*person{patient, hasty} {
			p.Restart()
			p.SeekTo(at)
			p.settle()
			for n := range 5 {
				if p.Kubectl(fmt.Sprintf("scale deployment/web --replicas=%d", 3+n)); p == patient {
					p.settle()
				}
			}
			p.settle()
		}
		if got, want := hasty.Recording(), patient.Recording(); !same(got, want) || hasty.Cursor() != patient.Cursor() {
			t.Errorf("at %d ms, in a hurry:\n%+v at %v\nnot\n%+v at %v", at, got.Commands, hasty.Cursor(), want.Commands, patient.Cursor())
		}
		if n := len(patient.Recording().Commands); n != 5 && at < 24_000 {
			t.Errorf("at %d ms %d of 5 commands are in the recording", at, n)
		}
		hasty.replay()
	}
}
