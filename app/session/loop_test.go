package session

import (
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
)

// loopOver presses the button twice.
func loopOver(s *Session, a, b int64) {
	s.Cursor.SeekTo(a)
	s.Cursor.ToggleLoop()
	s.Cursor.SeekTo(b)
	s.Cursor.ToggleLoop()
}

func TestLoopIsSetInThreePresses(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	if s.Cursor.ToggleLoop(); s.Cursor.Loop != (Loop{A: 9000, Set: loopHalf}) {
		t.Errorf("one press: %+v", s.Cursor.Loop)
	}
	s.Cursor.SeekTo(4000) // the ends come in any order
	if s.Cursor.ToggleLoop(); s.Cursor.Loop != (Loop{A: 4000, B: 9000, Set: LoopOn}) {
		t.Errorf("two presses: %+v", s.Cursor.Loop)
	}
	if s.Cursor.ToggleLoop(); s.Cursor.Loop != (Loop{}) {
		t.Errorf("three presses: %+v", s.Cursor.Loop)
	}
	loopOver(s, 5000, 5000)
	if s.Cursor.Loop != (Loop{}) {
		t.Errorf("a loop of no length: %+v", s.Cursor.Loop)
	}
}

func TestPlayingGoesRoundTheLoop(t *testing.T) {
	s := newTestSession(t)
	loopOver(s, 4000, 9000)
	s.Cursor.SetFactor(1)
	s.Cursor.SeekTo(8000)
	s.Cursor.Play()
	for _, c := range []struct {
		dt   float64
		want int64
	}{{999, 8999}, {1, 4000}, {3000, 7000}, {2500, 4500}, {5000, 4500}, {12000, 6500}} {
		if s.Tick(c.dt); s.Cursor.T != c.want || !s.Cursor.Playing {
			t.Fatalf("after %g ms more: at %d, playing %v; want %d", c.dt, s.Cursor.T, s.Cursor.Playing, c.want)
		}
	}
	s.Cursor.SeekTo(12000) // beyond it nothing turns the cursor round
	if s.Tick(500); s.Cursor.T != 12500 || s.Cursor.Loop.Set != LoopOn {
		t.Errorf("beyond the loop: at %d, loop %+v", s.Cursor.T, s.Cursor.Loop)
	}
	s.Cursor.SeekTo(1000)
	if s.Tick(500); s.Cursor.T != 1500 {
		t.Errorf("before the loop: at %d, want 1500", s.Cursor.T)
	}
	if s.Tick(7500); s.Cursor.T != 4000 {
		t.Errorf("into the loop and over its end: at %d, want 4000", s.Cursor.T)
	}
}

func TestALoopUpToTheEndGoesOn(t *testing.T) {
	s := newTestSession(t)
	end := s.Computed.End()
	loopOver(s, end-2000, end)
	s.Cursor.SetFactor(1)
	if s.Cursor.Play(); s.Cursor.T != end-2000 {
		t.Errorf("Play at the end of the loop starts at %d, want its start", s.Cursor.T)
	}
	for range 20 {
		if s.Tick(300); s.Cursor.T < end-2000 || !s.Cursor.Playing {
			t.Fatalf("at %d, playing %v", s.Cursor.T, s.Cursor.Playing)
		}
	}
	s.Cursor.Loop.B = end + 5000 // as after a command that makes the run shorter
	s.Cursor.SeekTo(end - 100)
	if s.Tick(100); s.Cursor.T != end-2000 || !s.Cursor.Playing {
		t.Errorf("the run ends before the loop: at %d, playing %v", s.Cursor.T, s.Cursor.Playing)
	}
}

// TestALoopWaitsForTheRun: what is not computed yet was not seen, and so the cursor does not turn round there.
func TestALoopWaitsForTheRun(t *testing.T) {
	s := newTestSession(t)
	rec := s.Computed.rec
	s = New(false)
	s.Computed.shown, _ = startRun(t, rec)
	s.Computed.shown.Advance(40)
	now := s.Computed.shown.Now()
	s.Cursor.Place, s.Cursor.Playing, s.Cursor.Loop = s.cursorAt(now-1), true, Loop{A: 0, B: now + 1000, Set: LoopOn}
	if s.Tick(1e6); s.Cursor.T != now {
		t.Errorf("at %d, want to wait at %d", s.Cursor.T, now)
	}
}

func (s *Session) cursorAt(t int64) cursor.Place {
	return cursor.Place{T: t, Record: s.Computed.shown.Past().Find(t)}
}

func TestALoopGoesWithItsScenario(t *testing.T) {
	s := newTestSession(t)
	loopOver(s, 1000, 2000)
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	if s.Cursor.Loop.Set != LoopOn {
		t.Error("a command takes the loop away")
	}
	s.LoadScenario("recreate")
	if s.Cursor.Loop != (Loop{}) {
		t.Errorf("another scenario has the loop %+v", s.Cursor.Loop)
	}
}
