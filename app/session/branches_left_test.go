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
	p := s.Computed.shown.Past()
	return fmt.Sprint(p.Tables(p.Find(s.Cursor.T), s.Cursor.T, 1000))
}

// actAt gives a command at a moment and computes what comes of it.
func actAt(t *testing.T, s *Session, at int64, line string) {
	t.Helper()
	s.Cursor.SeekTo(at)
	s.Kubectl(line)
	computeAll(t, s)
}

func TestActingInThePastAndUndo(t *testing.T) {
	s := newTestSession(t)
	first := s.Computed.rec
	s.Cursor.SeekTo(14_000)
	records, seen := s.Computed.shown.Len(), shownTables(s)
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	s.Cursor.ToEnd()
	if shownTables(s) == seen || len(s.Branches.list) != 1 || !sameRecording(s.Branches.list[0].Rec, first) || s.Branches.list[0].Records != records || !s.Branches.list[0].Done {
		t.Fatalf("after acting in the past the forks are %+v, want the first recording with %d records", s.Branches.list, records)
	}
	second := s.Computed.rec
	s.Undo()
	computeAll(t, s)
	s.Cursor.SeekTo(14_000)
	if s.Computed.shown.Len() != records || shownTables(s) != seen {
		t.Errorf("undo gives %d records, want %d; the same tables: %t", s.Computed.shown.Len(), records, shownTables(s) == seen)
	}
	if len(s.Branches.list) != 1 || !sameRecording(s.Branches.list[0].Rec, second) {
		t.Errorf("after undo the forks are %+v, want the run with the command", s.Branches.list)
	}
	s.Redo()
	computeAll(t, s)
	if len(s.Branches.list) != 1 || !sameRecording(s.Branches.list[0].Rec, first) {
		t.Errorf("after redo the forks are %+v, want the first run", s.Branches.list)
	}
}

func TestGoingOnIsNoFork(t *testing.T) {
	s := newTestSession(t)
	for n := range 3 {
		actAt(t, s, s.Computed.End(), command.Scale(s.Computed.Workload(), 4+n))
	}
	if len(s.Computed.rec.Commands) != 3 || len(s.Branches.list) != 0 {
		t.Errorf("%d commands, forks %+v; want 3 and none", len(s.Computed.rec.Commands), s.Branches.list)
	}
	actAt(t, s, s.Computed.rec.Commands[0].At+500, command.Scale(s.Computed.Workload(), 9))
	if len(s.Branches.list) != 1 || len(s.Branches.list[0].Rec.Commands) != 3 {
		t.Errorf("forks %+v, want the run with three commands", s.Branches.list)
	}
}

func TestSwitchingToAFork(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 12_000, command.Scale(s.Computed.Workload(), 3))
	s.Cursor.SeekTo(11_000)
	s.Cursor.Pause()
	here, seen := s.Computed.rec, shownTables(s)
	s.SwitchTo(99) // no such branch
	s.SwitchTo(s.Branches.List()[0].ID)
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 0 || s.Cursor.T != 11_000 || s.Cursor.Playing || shownTables(s) != seen {
		t.Errorf("commands %v, cursor %v, playing %v; want none, the same place, and resting", s.Computed.rec.Commands, s.Cursor.Place, s.Cursor.Playing)
	}
	if len(s.Branches.list) != 1 || !sameRecording(s.Branches.list[0].Rec, here) {
		t.Errorf("forks %+v, want the run that was left", s.Branches.list)
	}
	s.Undo()
	computeAll(t, s)
	if !sameRecording(s.Computed.rec, here) || s.Cursor.T != 11_000 {
		t.Errorf("undo leads to %v at %d", s.Computed.rec.Commands, s.Cursor.T)
	}
}

func TestForksOfOtherTexts(t *testing.T) {
	s := newTestSession(t)
	s.Document.Set(scenarios.Text("recreate"))
	s.Restart()
	computeAll(t, s)
	if len(s.Branches.list) != 1 || s.Branches.list[0].Preset != FirstScenario {
		t.Fatalf("forks %+v, want the first scenario", s.Branches.list)
	}
	s.Document.Set(s.Document.Text + "# a draft\n")
	draft := s.Document.Text
	s.SwitchTo(s.Branches.List()[0].ID)
	if s.Document.Text != draft || s.Document.Preset != FirstScenario || s.Document.applied != scenarios.Text(FirstScenario) {
		t.Errorf("preset %q, draft kept %t", s.Document.Preset, s.Document.Text == draft)
	}
	s.Document.Set(s.Document.applied)
	s.SwitchTo(s.Branches.List()[0].ID)
	if s.Document.Text != scenarios.Text("recreate") || s.Document.Dirty() || s.Document.Preset != "" {
		t.Errorf("the text did not follow: preset %q, dirty %t", s.Document.Preset, s.Document.Dirty())
	}
}

func TestForksAreFewAndDifferent(t *testing.T) {
	s := newTestSession(t)
	for n := range 30 {
		actAt(t, s, int64(14_000-100*n), command.Scale(s.Computed.Workload(), n))
	}
	if len(s.Branches.list) != branchesMax {
		t.Errorf("%d forks, want %d", len(s.Branches.list), branchesMax)
	}
	if !strings.Contains(s.Branches.list[0].Rec.Commands[0].Run, "replicas=28") {
		t.Errorf("the newest fork has %v", s.Branches.list[0].Rec.Commands)
	}
	for range 5 {
		s.Undo()
		s.Redo()
	}
	for i, f := range s.Branches.list {
		if sameRecording(f.Rec, s.Computed.rec) {
			t.Errorf("fork %d is the present recording", i)
		}
		for _, g := range s.Branches.list[:i] {
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
	actAt(t, s, 12_000, command.Scale(s.Computed.Workload(), 3))
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	s.Document.Set(scenarios.Text("recreate"))
	s.Restart()
	computeAll(t, s)
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	computeAll(t, again)
	if len(again.Branches.list) != len(s.Branches.list) || len(s.Branches.list) != 3 {
		t.Fatalf("%d forks after a reload, want %d, and those 3", len(again.Branches.list), len(s.Branches.list))
	}
	for i := range s.Branches.list {
		a, b := &again.Branches.list[i], &s.Branches.list[i]
		if !sameRecording(a.Rec, b.Rec) || a.applied != b.applied || a.Preset != b.Preset || a.Records != b.Records || a.End != b.End || a.Done != b.Done {
			t.Errorf("fork %d is %+v, want %+v", i, a, b)
		}
	}
	again.SwitchTo(again.Branches.List()[1].ID)
	computeAll(t, again)
	if again.Computed.shown.Len() != s.Branches.list[1].Records {
		t.Errorf("the fork has %d records, had %d", again.Computed.shown.Len(), s.Branches.list[1].Records)
	}
}

func TestSavedForksShareTextsAndAreBounded(t *testing.T) {
	text := strings.Repeat("x", branchesBytes/4)
	var forks []Branch
	for i := range branchesMax {
		rec := engine.Recording{Scenario: text, Commands: []engine.Command{{At: int64(i), Run: "scale"}}}
		forks = append(forks, Branch{Rec: rec, applied: text})
	}
	if saved, texts := saveBranches(forks); len(saved) != branchesMax || len(texts) != 1 {
		t.Errorf("%d forks of one text are saved with %d texts", len(saved), len(texts))
	}
	for i := range forks {
		forks[i].Rec.Scenario += fmt.Sprint(i)
		forks[i].applied = forks[i].Rec.Scenario
	}
	if saved, texts := saveBranches(forks); len(saved) != 3 || len(texts) != 3 || saved[0].Commands[0].At != 0 {
		t.Errorf("%d forks with %d texts are saved, want the newest 3", len(saved), len(texts))
	}
	if got := restoreBranches([]savedBranch{{Scenario: 1}, {Applied: -1}, {}}, []string{"a"}); len(got) != 1 {
		t.Errorf("%d forks are restored, want the one that is whole", len(got))
	}
}
