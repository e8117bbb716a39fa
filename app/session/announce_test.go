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
	for !s.run.Done() {
		s.ComputeWhile(func() bool { return true })
	}
	s.ToStart()
	s.Play()
	var said []string
	var at []int
	const dt = 16
	for i := 0; s.Playing() && i < 10_000; i++ {
		before := s.Said()
		s.Tick(dt)
		if s.Said() != before && s.Playing() {
			said, at = append(said, s.Said()), append(at, i*dt)
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

	s.ToStart()
	s.Play()
	s.Tick(dt)
	s.SeekTo(12_000)
	s.Play()
	for range announceEvery/dt + 1 {
		s.Tick(dt)
	}
	if strings.Contains(s.Said(), "set image") {
		t.Errorf("a skipped command is read out: %q", s.Said())
	}
}
