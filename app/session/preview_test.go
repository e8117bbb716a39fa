package session

import (
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// highest is the largest number of pods of the chosen workload in a run.
func highest(s *Session, run *engine.Run) (top int) {
	for _, f := range run.Frames(s.Computed.Workload()) {
		top = max(top, f.Total)
	}
	return top
}

// TestPreview: the run with another bound from the start is computed beside the present one, and nothing of it stays.
func TestPreview(t *testing.T) {
	s := newTestSession(t)
	runs, records := s.Computed.Number, s.Computed.shown.Len()
	for pods, want := range map[int]int{0: 10, 5: 15} {
		run := s.Preview.Show("maxSurge", pods)
		if run == nil || !run.Done() {
			t.Fatal("there is no preview of ten pods")
		}
		if got := highest(s, run); got != want {
			t.Errorf("with maxSurge %d there are at most %d pods, want %d", pods, got, want)
		}
		if again := s.Preview.Show("maxSurge", pods); again != run {
			t.Error("the same preview is computed twice")
		}
	}
	shown := s.Preview.Run()
	for s.Preview.Foresee("maxSurge", 7) {
	}
	if s.Preview.Run() != shown {
		t.Error("a foreseen run is shown")
	}
	if ahead := s.Preview.runs[bound{"maxSurge", 7}]; ahead == nil || !ahead.Done() || s.Preview.Show("maxSurge", 7) != ahead || highest(s, ahead) != 17 {
		t.Error("the run that was foreseen differs from the run that is shown next")
	}
	if s.Computed.Number != runs || s.Computed.shown.Len() != records || len(s.Computed.rec.Commands) != 0 || highest(s, s.Computed.shown) != 13 {
		t.Error("a preview changed the run")
	}
	s.Preview.End()
	if s.Preview.Run() != nil {
		t.Error("the preview is still there")
	}
}

// TestSetBound at the cursor is a kubectl line, and from the start a recording with one more command, which a second choice replaces.
func TestSetBound(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12_000)
	s.SetBound("maxSurge", 5, Here)
	if c := s.Computed.rec.Commands; len(c) != 1 || c[0].At < 12_000 || c[0].Run != `kubectl patch deployment/nginx-deployment -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":5}}}}'` {
		t.Fatalf("the commands are %+v", c)
	}
	f := s.Computed.shown.Frames(s.Computed.Workload())
	if last := f[len(f)-1]; last.Upper != 15 {
		t.Errorf("the upper bound is %d, want 15", last.Upper)
	}
	s.Undo()
	s.SetBound("maxSurge", 5, 0)
	s.SetBound("maxSurge", 6, 0)
	s.SetBound("maxUnavailable", 0, 0)
	if c := s.Computed.rec.Commands; len(c) != 2 || c[0].At > 10 || c[1].At != c[0].At {
		t.Fatalf("the commands are %+v", c)
	}
	if got := highest(s, s.Computed.shown); got != 16 {
		t.Errorf("there are at most %d pods, want 16", got)
	}
	for range 3 {
		s.Undo()
	}
	if len(s.Computed.rec.Commands) != 0 || highest(s, s.Computed.shown) != 13 {
		t.Error("undo does not lead back")
	}
}
