package session

import (
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
)

// loopOver presses the button twice.
func loopOver(s *Session, a, b int64) {
	s.SeekTo(a)
	s.ToggleLoop()
	s.SeekTo(b)
	s.ToggleLoop()
}

func TestLoopIsSetInThreePresses(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	if s.ToggleLoop(); s.loop != (Loop{A: 9000, Set: loopHalf}) {
		t.Errorf("one press: %+v", s.loop)
	}
	s.SeekTo(4000) // the ends come in any order
	if s.ToggleLoop(); s.loop != (Loop{A: 4000, B: 9000, Set: LoopOn}) {
		t.Errorf("two presses: %+v", s.loop)
	}
	if s.ToggleLoop(); s.loop != (Loop{}) {
		t.Errorf("three presses: %+v", s.loop)
	}
	loopOver(s, 5000, 5000)
	if s.loop != (Loop{}) {
		t.Errorf("a loop of no length: %+v", s.loop)
	}
}

func TestPlayingGoesRoundTheLoop(t *testing.T) {
	s := newTestSession(t)
	loopOver(s, 4000, 9000)
	s.SetFactor(1)
	s.SeekTo(8000)
	s.Play()
	for _, c := range []struct {
		dt   float64
		want int64
	}{{999, 8999}, {1, 4000}, {3000, 7000}, {2500, 4500}, {5000, 4500}, {12000, 6500}} {
		if s.Tick(c.dt); s.cursor.T != c.want || !s.playing {
			t.Fatalf("after %g ms more: at %d, playing %v; want %d", c.dt, s.cursor.T, s.playing, c.want)
		}
	}
	s.SeekTo(12000) // beyond it nothing turns the cursor round
	if s.Tick(500); s.cursor.T != 12500 || s.loop.Set != LoopOn {
		t.Errorf("beyond the loop: at %d, loop %+v", s.cursor.T, s.loop)
	}
	s.SeekTo(1000)
	if s.Tick(500); s.cursor.T != 1500 {
		t.Errorf("before the loop: at %d, want 1500", s.cursor.T)
	}
	if s.Tick(7500); s.cursor.T != 4000 {
		t.Errorf("into the loop and over its end: at %d, want 4000", s.cursor.T)
	}
}

func TestALoopUpToTheEndGoesOn(t *testing.T) {
	s := newTestSession(t)
	end := s.End()
	loopOver(s, end-2000, end)
	s.SetFactor(1)
	if s.Play(); s.cursor.T != end-2000 {
		t.Errorf("Play at the end of the loop starts at %d, want its start", s.cursor.T)
	}
	for range 20 {
		if s.Tick(300); s.cursor.T < end-2000 || !s.playing {
			t.Fatalf("at %d, playing %v", s.cursor.T, s.playing)
		}
	}
	s.loop.B = end + 5000 // as after a command that makes the run shorter
	s.SeekTo(end - 100)
	if s.Tick(100); s.cursor.T != end-2000 || !s.playing {
		t.Errorf("the run ends before the loop: at %d, playing %v", s.cursor.T, s.playing)
	}
}

// TestALoopWaitsForTheRun: what is not computed yet was not seen, and so the cursor does not turn round there.
func TestALoopWaitsForTheRun(t *testing.T) {
	s := newTestSession(t)
	rec := s.rec
	s = New(false)
	s.run, _ = startRun(t, rec)
	s.run.Advance(40)
	now := s.run.Now()
	s.cursor, s.playing, s.loop = s.cursorAt(now-1), true, Loop{A: 0, B: now + 1000, Set: LoopOn}
	if s.Tick(1e6); s.cursor.T != now {
		t.Errorf("at %d, want to wait at %d", s.cursor.T, now)
	}
}

func (s *Session) cursorAt(t int64) cursor.Cursor {
	return cursor.Cursor{T: t, Record: s.run.Past().Find(t)}
}

func TestALoopGoesWithItsScenario(t *testing.T) {
	s := newTestSession(t)
	loopOver(s, 1000, 2000)
	s.SeekTo(5000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	if s.loop.Set != LoopOn {
		t.Error("a command takes the loop away")
	}
	s.LoadScenario("recreate")
	if s.loop != (Loop{}) {
		t.Errorf("another scenario has the loop %+v", s.loop)
	}
}
