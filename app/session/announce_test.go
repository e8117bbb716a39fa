package session

import (
	"strings"
	"testing"
)

// TestAnnounce: playing reads out each moment that it passes, at most one sentence in two seconds; moving the cursor reads out
// nothing that was skipped.
func TestAnnounce(t *testing.T) {
	s := New(false)
	s.LoadScenario("first-rollout")
	for !s.Computed.shown.Done() {
		s.ComputeWhile(func() bool { return true })
	}
	s.Cursor.ToStart()
	s.Cursor.Play()
	var said []string
	var at []int
	const dt = 16
	for i := 0; s.Cursor.Playing && i < 10_000; i++ {
		before := s.Visit.Said
		s.Tick(dt)
		if s.Visit.Said != before && s.Cursor.Playing {
			said, at = append(said, s.Visit.Said), append(at, i*dt)
		}
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"kubectl set image", "first pod of", "condition Progressing"} {
		if !strings.Contains(all, want) {
			t.Errorf("nobody says %q:\n%s", want, all)
		}
	}
	for i := 1; i < len(at); i++ {
		if at[i]-at[i-1] < announceEvery {
			t.Errorf("after %d ms it speaks again: %q", at[i]-at[i-1], said[i])
		}
	}

	s.Cursor.ToStart()
	s.Cursor.Play()
	s.Tick(dt)
	s.Cursor.SeekTo(12_000)
	s.Cursor.Play()
	for range announceEvery/dt + 1 {
		s.Tick(dt)
	}
	if strings.Contains(s.Visit.Said, "set image") {
		t.Errorf("a skipped command is read out: %q", s.Visit.Said)
	}
}
