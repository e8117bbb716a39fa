package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// newTestSession is a first visit, computed to the end.
func newTestSession(t *testing.T) *Session {
	t.Helper()
	s := New(false)
	s.Open(Kept{}, "")
	computeAll(t, s)
	if s.Computed.shown == nil {
		t.Fatalf("the first scenario does not run: %v, %v", s.Visit.Notice, s.Document.Diagnostics)
	}
	return s
}

func computeAll(t *testing.T, s *Session) {
	t.Helper()
	for range 100000 {
		if !s.Compute(1000) {
			return
		}
	}
	t.Fatal("the run does not end")
}

func lastFrame(s *Session) engine.Frame {
	frames := s.Computed.shown.Frames(s.Computed.Workload())
	return frames[len(frames)-1]
}

func TestFirstVisitPlaysByItself(t *testing.T) {
	s := newTestSession(t)
	if s.Document.Text != scenarios.Text(FirstScenario) || s.Document.Preset != FirstScenario {
		t.Errorf("preset %q, text of %d bytes; want %s", s.Document.Preset, len(s.Document.Text), FirstScenario)
	}
	if !s.Cursor.Playing || s.Cursor.T != 0 || s.Document.Dirty() {
		t.Errorf("playing %v at %d, dirty %v; want playing at 0, clean", s.Cursor.Playing, s.Cursor.T, s.Document.Dirty())
	}
	if got := s.Save(); got != "" {
		t.Errorf("an untouched visit saves %q, want nothing", got)
	}
}

func TestCalmVisitDoesNotMove(t *testing.T) {
	s := New(true)
	s.Open(Kept{}, "")
	computeAll(t, s)
	s.Tick(1000)
	if s.Cursor.Playing || s.Cursor.T != 0 {
		t.Errorf("playing %v at %d ms, want resting at 0", s.Cursor.Playing, s.Cursor.T)
	}
	s.Cursor.Play()
	if s.Cursor.Playing || s.Computed.shown.Record(s.Cursor.Record).T != s.Cursor.T {
		t.Errorf("Play with less motion: playing %v, cursor %v; want one step", s.Cursor.Playing, s.Cursor.Place)
	}
}

func TestTickMovesByTheSpeedAndStopsAtTheEnd(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SetSpeed(0) // 0.1
	for range 15 {
		s.Tick(1)
	}
	if s.Cursor.T != 1 {
		t.Errorf("15 ms at 0.1×: cursor at %d, want 1: fractions add up", s.Cursor.T)
	}
	s.Cursor.SetSpeed(len(Speeds)) // clamped to the last
	for range 100000 {
		if !s.Cursor.Playing {
			break
		}
		s.Tick(16)
	}
	if s.Cursor.Playing || s.Cursor.T != s.Computed.End() {
		t.Errorf("playing %v at %d, want resting at the end %d", s.Cursor.Playing, s.Cursor.T, s.Computed.End())
	}
	s.Cursor.Play()
	if !s.Cursor.Playing || s.Cursor.T != 0 {
		t.Errorf("Play at the end: playing %v at %d, want from 0", s.Cursor.Playing, s.Cursor.T)
	}
}

func TestSeekStaysInTheRun(t *testing.T) {
	s := newTestSession(t)
	for _, c := range []struct{ to, want int64 }{{-5, 0}, {0, 0}, {1, 1}, {s.Computed.End(), s.Computed.End()}, {s.Computed.End() + 1, s.Computed.End()}} {
		s.Cursor.SeekTo(c.to)
		if s.Cursor.T != c.want || s.Cursor.Record != s.Computed.shown.Past().Find(c.want) {
			t.Errorf("SeekTo(%d): cursor %+v, want %d and record %d", c.to, s.Cursor.Place, c.want, s.Computed.shown.Past().Find(c.want))
		}
	}
}

func TestRunForksAtTheCursor(t *testing.T) {
	s := newTestSession(t)
	name := s.Computed.Workload()
	s.Cursor.ToEnd()
	s.Kubectl(command.Scale(name, 4))
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 1 || lastFrame(s).Desired != 4 {
		t.Fatalf("commands %v, desired %d; want one command and 4", s.Computed.rec.Commands, lastFrame(s).Desired)
	}
	if !s.Cursor.Playing {
		t.Error("a command at the end should play what it does")
	}
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(name, 7))
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 1 || !strings.Contains(s.Computed.rec.Commands[0].Run, "=7") {
		t.Errorf("commands %v, want the later one cut", s.Computed.rec.Commands)
	}
	if at := s.Computed.rec.Commands[0].At; at < 5000 || s.Cursor.T < at {
		t.Errorf("command at %d, cursor at %d; want both at or after 5000", at, s.Cursor.T)
	}
	if s.Visit.Said == "" {
		t.Error("kubectl's answer is not announced")
	}
}

func TestForkKeepsWhatWasSeen(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(11000)
	old, n := s.Computed.shown, s.Cursor.Record+1
	s.Kubectl(command.Scale(s.Computed.Workload(), 3))
	computeAll(t, s)
	for i := range n {
		a, b := old.Record(i), s.Computed.shown.Record(i)
		if a.T != b.T || a.What != b.What || a.Actor != b.Actor {
			t.Fatalf("record %d is %v, was %v before the fork", i, b, a)
		}
	}
}

func TestRefusedCommandIsSaid(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(5000)
	s.Kubectl("kubectl delete pod nobody")
	computeAll(t, s)
	if !strings.Contains(s.Visit.Said, "nobody") {
		t.Errorf("said %q, want kubectl's refusal", s.Visit.Said)
	}
}

func TestUndoAndRedo(t *testing.T) {
	s := newTestSession(t)
	first := s.Computed.rec
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	second := s.Computed.rec
	s.Undo()
	if !sameRecording(s.Computed.rec, first) {
		t.Errorf("after Undo %v, want %v", s.Computed.rec.Commands, first.Commands)
	}
	s.Redo()
	if !sameRecording(s.Computed.rec, second) {
		t.Errorf("after Redo %v, want %v", s.Computed.rec.Commands, second.Commands)
	}
	s.Undo()
	s.Kubectl(command.Scale(s.Computed.Workload(), 5))
	if len(s.History.future) != 0 {
		t.Error("a new action leaves nothing to redo")
	}
	s.Undo()
	s.Undo()
	if !sameRecording(s.Computed.rec, first) || s.Visit.Said == "" {
		t.Errorf("one Undo too many: %v, said %q; want the first recording and a word about it", s.Computed.rec.Commands, s.Visit.Said)
	}
}

func TestRemoveTakesOneCommandOut(t *testing.T) {
	s := newTestSession(t)
	for i, n := range []int{4, 6} {
		s.Cursor.SeekTo(int64(4000 + 2000*i))
		s.Kubectl(command.Scale(s.Computed.Workload(), n))
		computeAll(t, s)
	}
	s.Remove(7) // no such command: nothing happens
	s.Remove(0)
	if len(s.Computed.rec.Commands) != 1 || !strings.Contains(s.Computed.rec.Commands[0].Run, "=6") {
		t.Errorf("commands %v, want the second alone", s.Computed.rec.Commands)
	}
	s.Undo()
	if len(s.Computed.rec.Commands) != 2 {
		t.Errorf("Undo brought %d commands back, want 2", len(s.Computed.rec.Commands))
	}
}

// TestDoIsACommand: what the environment does is kept, undone and forked like a kubectl line.
func TestDoIsACommand(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	tile := s.Computed.shown.Past().Pods(s.Cursor.Record, s.Cursor.T)[0]
	line := "crash pod/" + strings.TrimPrefix(tile.Key, "default/")
	before := s.Computed.rec
	s.Do(line)
	computeAll(t, s)
	if !strings.HasSuffix(s.Visit.Said, " crashed") || len(s.Computed.rec.Commands) != 1 || s.Computed.rec.Commands[0].Do != line {
		t.Errorf("said %q, commands %v", s.Visit.Said, s.Computed.rec.Commands)
	}
	s.Cursor.SeekTo(10_000) // its node has noticed
	if got, _ := s.Computed.shown.Past().Pod(tile.Key, s.Cursor.Record, s.Cursor.T); got.State != past.PodCrashLoop {
		t.Errorf("the pod is %s after its crash", got.State)
	}
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	if !sameRecording(again.Computed.rec, s.Computed.rec) {
		t.Errorf("after a reload the commands are %v", again.Computed.rec.Commands)
	}
	s.Undo()
	if !sameRecording(s.Computed.rec, before) {
		t.Errorf("after Undo the commands are %v", s.Computed.rec.Commands)
	}
	s.Do("crash pod/nobody")
	if !strings.Contains(s.Visit.Said, "not found") {
		t.Errorf("said %q of a pod that is not there", s.Visit.Said)
	}
}

func startRun(t *testing.T, rec engine.Recording) (*engine.Run, []engine.Diagnostic) {
	t.Helper()
	run, diags := engine.Start(rec)
	if run == nil {
		t.Fatalf("does not start: %v", diags)
	}
	return run, diags
}
