package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// shownTables are what the screen shows of the cluster at the cursor.
func shownTables(s *Session) string {
	snap := s.run.Past().Snapshot(s.run.Past().Find(s.cursor.T))
	return fmt.Sprintf("%v %v %v", snap.Deployments, snap.ReplicaSets, snap.Pods)
}

// actAt gives a command at a moment and computes what comes of it.
func actAt(t *testing.T, s *Session, at int64, line string) {
	t.Helper()
	s.SeekTo(at)
	s.Kubectl(line)
	computeAll(t, s)
}

func TestActingInThePastAndUndo(t *testing.T) {
	s := newTestSession(t)
	first := s.rec
	s.SeekTo(14_000)
	records, seen := s.run.Len(), shownTables(s)
	actAt(t, s, 14_000, command.Scale(s.Workload(), 3))
	s.ToEnd()
	if shownTables(s) == seen || len(s.forks) != 1 || !sameRecording(s.forks[0].Rec, first) || s.forks[0].Records != records || !s.forks[0].Done {
		t.Fatalf("after acting in the past the forks are %+v, want the first recording with %d records", s.forks, records)
	}
	second := s.rec
	s.Undo()
	computeAll(t, s)
	s.SeekTo(14_000)
	if s.run.Len() != records || shownTables(s) != seen {
		t.Errorf("undo gives %d records, want %d; the same tables: %t", s.run.Len(), records, shownTables(s) == seen)
	}
	if len(s.forks) != 1 || !sameRecording(s.forks[0].Rec, second) {
		t.Errorf("after undo the forks are %+v, want the run with the command", s.forks)
	}
	s.Redo()
	computeAll(t, s)
	if len(s.forks) != 1 || !sameRecording(s.forks[0].Rec, first) {
		t.Errorf("after redo the forks are %+v, want the first run", s.forks)
	}
}

func TestGoingOnIsNoFork(t *testing.T) {
	s := newTestSession(t)
	for n := range 3 {
		actAt(t, s, s.End(), command.Scale(s.Workload(), 4+n))
	}
	if len(s.rec.Commands) != 3 || len(s.forks) != 0 {
		t.Errorf("%d commands, forks %+v; want 3 and none", len(s.rec.Commands), s.forks)
	}
	actAt(t, s, s.rec.Commands[0].At+500, command.Scale(s.Workload(), 9))
	if len(s.forks) != 1 || len(s.forks[0].Rec.Commands) != 3 {
		t.Errorf("forks %+v, want the run with three commands", s.forks)
	}
}

func TestSwitchingToAFork(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 12_000, command.Scale(s.Workload(), 3))
	s.SeekTo(11_000)
	s.Pause()
	here, seen := s.rec, shownTables(s)
	s.SwitchTo(7) // no such fork
	s.SwitchTo(0)
	computeAll(t, s)
	if len(s.rec.Commands) != 0 || s.cursor.T != 11_000 || s.playing || shownTables(s) != seen {
		t.Errorf("commands %v, cursor %v, playing %v; want none, the same place, and resting", s.rec.Commands, s.cursor, s.playing)
	}
	if len(s.forks) != 1 || !sameRecording(s.forks[0].Rec, here) {
		t.Errorf("forks %+v, want the run that was left", s.forks)
	}
	s.Undo()
	computeAll(t, s)
	if !sameRecording(s.rec, here) || s.cursor.T != 11_000 {
		t.Errorf("undo leads to %v at %d", s.rec.Commands, s.cursor.T)
	}
}

func TestForksOfOtherTexts(t *testing.T) {
	s := newTestSession(t)
	s.SetText(scenarios.Text("recreate"))
	s.Restart()
	computeAll(t, s)
	if len(s.forks) != 1 || s.forks[0].Preset != FirstScenario {
		t.Fatalf("forks %+v, want the first scenario", s.forks)
	}
	s.SetText(s.text + "# a draft\n")
	draft := s.text
	s.SwitchTo(0)
	if s.text != draft || s.preset != FirstScenario || s.applied != scenarios.Text(FirstScenario) {
		t.Errorf("preset %q, draft kept %t", s.preset, s.text == draft)
	}
	s.SetText(s.applied)
	s.SwitchTo(0)
	if s.text != scenarios.Text("recreate") || s.Dirty() || s.preset != "" {
		t.Errorf("the text did not follow: preset %q, dirty %t", s.preset, s.Dirty())
	}
}

func TestForksAreFewAndDifferent(t *testing.T) {
	s := newTestSession(t)
	for n := range 30 {
		actAt(t, s, int64(14_000-100*n), command.Scale(s.Workload(), n))
	}
	if len(s.forks) != forksMax {
		t.Errorf("%d forks, want %d", len(s.forks), forksMax)
	}
	if !strings.Contains(s.forks[0].Rec.Commands[0].Run, "replicas=28") {
		t.Errorf("the newest fork has %v", s.forks[0].Rec.Commands)
	}
	for range 5 {
		s.Undo()
		s.Redo()
	}
	for i, f := range s.forks {
		if sameRecording(f.Rec, s.rec) {
			t.Errorf("fork %d is the present recording", i)
		}
		for _, g := range s.forks[:i] {
			if sameRecording(f.Rec, g.Rec) {
				t.Errorf("fork %d is there twice: %v", i, f.Rec.Commands)
			}
		}
	}
}

func TestOnlyIn(t *testing.T) {
	a, b, c := engine.Command{At: 1, Run: "a"}, engine.Command{At: 1, Run: "b"}, engine.Command{At: 2, Run: "a"}
	for _, tt := range []struct{ a, b, want []engine.Command }{
		{nil, []engine.Command{a}, nil},
		{[]engine.Command{a, b}, []engine.Command{b, c}, []engine.Command{a}},
		{[]engine.Command{a, a, c}, []engine.Command{a}, []engine.Command{a, c}},
	} {
		if got := OnlyIn(tt.a, tt.b); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("of %v, %v has not %v; want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestForksSurviveAReload(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 12_000, command.Scale(s.Workload(), 3))
	s.SetText(strings.Replace(s.text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	s.SetText(scenarios.Text("recreate"))
	s.Restart()
	computeAll(t, s)
	again := New(false)
	again.Open(s.Save())
	computeAll(t, again)
	if len(again.forks) != len(s.forks) || len(s.forks) != 3 {
		t.Fatalf("%d forks after a reload, want %d, and those 3", len(again.forks), len(s.forks))
	}
	for i := range s.forks {
		a, b := &again.forks[i], &s.forks[i]
		if !sameRecording(a.Rec, b.Rec) || a.applied != b.applied || a.Preset != b.Preset || a.Records != b.Records || a.End != b.End || a.Done != b.Done {
			t.Errorf("fork %d is %+v, want %+v", i, a, b)
		}
	}
	again.SwitchTo(1)
	computeAll(t, again)
	if again.run.Len() != s.forks[1].Records {
		t.Errorf("the fork has %d records, had %d", again.run.Len(), s.forks[1].Records)
	}
}

func TestSavedForksShareTextsAndAreBounded(t *testing.T) {
	text := strings.Repeat("x", forksBytes/4)
	var forks []Fork
	for i := range forksMax {
		rec := engine.Recording{Scenario: text, Commands: []engine.Command{{At: int64(i), Run: "scale"}}}
		forks = append(forks, Fork{Rec: rec, applied: text})
	}
	if saved, texts := saveForks(forks); len(saved) != forksMax || len(texts) != 1 {
		t.Errorf("%d forks of one text are saved with %d texts", len(saved), len(texts))
	}
	for i := range forks {
		forks[i].Rec.Scenario += fmt.Sprint(i)
		forks[i].applied = forks[i].Rec.Scenario
	}
	if saved, texts := saveForks(forks); len(saved) != 3 || len(texts) != 3 || saved[0].Commands[0].At != 0 {
		t.Errorf("%d forks with %d texts are saved, want the newest 3", len(saved), len(texts))
	}
	if got := restoreForks([]savedFork{{Scenario: 1}, {Applied: -1}, {}}, []string{"a"}); len(got) != 1 {
		t.Errorf("%d forks are restored, want the one that is whole", len(got))
	}
}
