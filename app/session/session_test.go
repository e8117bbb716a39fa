package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// newTestSession is a first visit, computed to the end.
func newTestSession(t *testing.T) *Session {
	t.Helper()
	s := New(false)
	s.Open("")
	computeAll(t, s)
	if s.run == nil {
		t.Fatalf("the first scenario does not run: %v, %v", s.notice, s.diags)
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
	frames := s.run.Frames(s.Workload())
	return frames[len(frames)-1]
}

func TestFirstVisitPlaysByItself(t *testing.T) {
	s := newTestSession(t)
	if s.text != scenarios.Text(FirstScenario) || s.preset != FirstScenario {
		t.Errorf("preset %q, text of %d bytes; want %s", s.preset, len(s.text), FirstScenario)
	}
	if !s.playing || s.cursor.T != 0 || s.Dirty() {
		t.Errorf("playing %v at %d, dirty %v; want playing at 0, clean", s.playing, s.cursor.T, s.Dirty())
	}
	if got := s.Save(); got != "" {
		t.Errorf("an untouched visit saves %q, want nothing", got)
	}
}

func TestCalmVisitDoesNotMove(t *testing.T) {
	s := New(true)
	s.Open("")
	computeAll(t, s)
	s.Tick(1000)
	if s.playing || s.cursor.T != 0 {
		t.Errorf("playing %v at %d ms, want resting at 0", s.playing, s.cursor.T)
	}
	s.Play()
	if s.playing || s.run.Record(s.cursor.Record).T != s.cursor.T {
		t.Errorf("Play with less motion: playing %v, cursor %v; want one step", s.playing, s.cursor)
	}
}

func TestTickMovesByTheSpeedAndStopsAtTheEnd(t *testing.T) {
	s := newTestSession(t)
	s.SetSpeed(0) // 0.1
	for range 15 {
		s.Tick(1)
	}
	if s.cursor.T != 1 {
		t.Errorf("15 ms at 0.1×: cursor at %d, want 1: fractions add up", s.cursor.T)
	}
	s.SetSpeed(len(Speeds)) // clamped to the last
	for range 100000 {
		if !s.playing {
			break
		}
		s.Tick(16)
	}
	if s.playing || s.cursor.T != s.End() {
		t.Errorf("playing %v at %d, want resting at the end %d", s.playing, s.cursor.T, s.End())
	}
	s.Play()
	if !s.playing || s.cursor.T != 0 {
		t.Errorf("Play at the end: playing %v at %d, want from 0", s.playing, s.cursor.T)
	}
}

func TestSeekStaysInTheRun(t *testing.T) {
	s := newTestSession(t)
	for _, c := range []struct{ to, want int64 }{{-5, 0}, {0, 0}, {1, 1}, {s.End(), s.End()}, {s.End() + 1, s.End()}} {
		s.SeekTo(c.to)
		if s.cursor.T != c.want || s.cursor.Record != s.run.Past().Find(c.want) {
			t.Errorf("SeekTo(%d): cursor %+v, want %d and record %d", c.to, s.cursor, c.want, s.run.Past().Find(c.want))
		}
	}
}

func TestRunForksAtTheCursor(t *testing.T) {
	s := newTestSession(t)
	name := s.Workload()
	s.ToEnd()
	s.Kubectl(command.Scale(name, 4))
	computeAll(t, s)
	if len(s.rec.Commands) != 1 || lastFrame(s).Desired != 4 {
		t.Fatalf("commands %v, desired %d; want one command and 4", s.rec.Commands, lastFrame(s).Desired)
	}
	if !s.playing {
		t.Error("a command at the end should play what it does")
	}
	s.SeekTo(5000)
	s.Kubectl(command.Scale(name, 7))
	computeAll(t, s)
	if len(s.rec.Commands) != 1 || !strings.Contains(s.rec.Commands[0].Run, "=7") {
		t.Errorf("commands %v, want the later one cut", s.rec.Commands)
	}
	if at := s.rec.Commands[0].At; at < 5000 || s.cursor.T < at {
		t.Errorf("command at %d, cursor at %d; want both at or after 5000", at, s.cursor.T)
	}
	if s.said == "" {
		t.Error("kubectl's answer is not announced")
	}
}

func TestForkKeepsWhatWasSeen(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(11000)
	old, n := s.run, s.cursor.Record+1
	s.Kubectl(command.Scale(s.Workload(), 3))
	computeAll(t, s)
	for i := range n {
		a, b := old.Record(i), s.run.Record(i)
		if a.T != b.T || a.What != b.What || a.Actor != b.Actor {
			t.Fatalf("record %d is %v, was %v before the fork", i, b, a)
		}
	}
}

func TestRefusedCommandIsSaid(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(5000)
	s.Kubectl("kubectl delete pod nobody")
	computeAll(t, s)
	if !strings.Contains(s.said, "nobody") {
		t.Errorf("said %q, want kubectl's refusal", s.said)
	}
}

func TestUndoAndRedo(t *testing.T) {
	s := newTestSession(t)
	first := s.rec
	s.SeekTo(5000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	second := s.rec
	s.Undo()
	if !sameRecording(s.rec, first) {
		t.Errorf("after Undo %v, want %v", s.rec.Commands, first.Commands)
	}
	s.Redo()
	if !sameRecording(s.rec, second) {
		t.Errorf("after Redo %v, want %v", s.rec.Commands, second.Commands)
	}
	s.Undo()
	s.Kubectl(command.Scale(s.Workload(), 5))
	if len(s.future) != 0 {
		t.Error("a new action leaves nothing to redo")
	}
	s.Undo()
	s.Undo()
	if !sameRecording(s.rec, first) || s.said == "" {
		t.Errorf("one Undo too many: %v, said %q; want the first recording and a word about it", s.rec.Commands, s.said)
	}
}

func TestRemoveTakesOneCommandOut(t *testing.T) {
	s := newTestSession(t)
	for i, n := range []int{4, 6} {
		s.SeekTo(int64(4000 + 2000*i))
		s.Kubectl(command.Scale(s.Workload(), n))
		computeAll(t, s)
	}
	s.Remove(7) // no such command: nothing happens
	s.Remove(0)
	if len(s.rec.Commands) != 1 || !strings.Contains(s.rec.Commands[0].Run, "=6") {
		t.Errorf("commands %v, want the second alone", s.rec.Commands)
	}
	s.Undo()
	if len(s.rec.Commands) != 2 {
		t.Errorf("Undo brought %d commands back, want 2", len(s.rec.Commands))
	}
}

// TestDoIsACommand: what the environment does is kept, undone and forked like a kubectl line.
func TestDoIsACommand(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	tile := s.run.Past().Pods(s.cursor.Record, s.cursor.T)[0]
	line := "crash pod/" + strings.TrimPrefix(tile.Key, "default/")
	before := s.rec
	s.Do(line)
	computeAll(t, s)
	if !strings.HasSuffix(s.said, " crashed") || len(s.rec.Commands) != 1 || s.rec.Commands[0].Do != line {
		t.Errorf("said %q, commands %v", s.said, s.rec.Commands)
	}
	if got, _ := s.run.Past().Pod(tile.Key, s.cursor.Record, s.cursor.T); got.State != past.PodCrashLoop {
		t.Errorf("the pod is %s after its crash", got.State)
	}
	again := New(false)
	again.Open(s.Save())
	if !sameRecording(again.rec, s.rec) {
		t.Errorf("after a reload the commands are %v", again.rec.Commands)
	}
	s.Undo()
	if !sameRecording(s.rec, before) {
		t.Errorf("after Undo the commands are %v", s.rec.Commands)
	}
	s.Do("crash pod/nobody")
	if !strings.Contains(s.said, "not found") {
		t.Errorf("said %q of a pod that is not there", s.said)
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

func TestEveryScenarioHasATitle(t *testing.T) {
	for _, name := range scenarios.Names() {
		if Title(lang.English, name) == "" || Title(lang.English, name) == name {
			t.Errorf("scenario %s has the title %q", name, Title(lang.English, name))
		}
	}
}
