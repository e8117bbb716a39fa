package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// TestWhatChangesASubject: looking around does not; an edit, a command and a branch do.
func TestWhatChangesASubject(t *testing.T) {
	for _, tt := range []struct {
		what string
		do   func(*Session)
		want bool
	}{
		{"seek", func(s *Session) { s.Cursor.SeekTo(5000); s.StepNext(); s.Cursor.ToEnd() }, false},
		{"speed", func(s *Session) { s.Cursor.SetSpeed(2); s.Cursor.ToggleLoop() }, false},
		{"a line that reads", func(s *Session) { s.Type("kubectl get pods") }, false},
		{"the caption", func(s *Session) { s.Lesson.Next() }, false},
		{"a command", func(s *Session) { s.Kubectl(command.Scale(s.Computed.Workload(), 4)) }, true},
		{"a command that is undone", func(s *Session) { s.Cursor.SeekTo(500); s.Kubectl(command.Scale(s.Computed.Workload(), 4)); s.Undo() }, true}, // a branch
		{"an edit", func(s *Session) { s.Document.Edit(s.Document.Text + "# mine\n") }, true},
		{"the version", func(s *Session) { SetVersion(s, "1.34") }, true},
		{"an edit taken back", func(s *Session) { was := s.Document.Text; s.Document.Edit("a"); s.Document.Edit(was) }, false},
	} {
		for _, s := range []*Session{newTestSession(t), visit(t, "", "s=recreate")} {
			tt.do(s)
			computeAll(t, s)
			if s.Draft.Changed() != tt.want {
				t.Errorf("%s: changed %v", tt.what, s.Draft.Changed())
			}
		}
	}
}

// TestLessonsAndDraftsSideBySide: each subject has its own draft, through undo and redo.
func TestLessonsAndDraftsSideBySide(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	computeAll(t, s)
	s.Draft.KeepAs("first")
	first := s.Computed.rec
	s.LoadScenario("recreate")
	if s.Draft.ID() != "" || s.Draft.Changed() || len(s.Branches.list) != 0 {
		t.Errorf("a lesson begins with draft %q, changed %v, %d forks", s.Draft.ID(), s.Draft.Changed(), len(s.Branches.list))
	}
	s.Document.Edit(s.Document.Text + "# mine\n")
	s.Draft.KeepAs("second")
	s.Undo()
	if s.Draft.ID() != "first" || !sameRecording(s.Computed.rec, first) || s.Document.Text != scenarios.Text(FirstScenario) {
		t.Errorf("undone to draft %q, text of %d bytes", s.Draft.ID(), len(s.Document.Text))
	}
	s.Redo()
	if s.Draft.ID() != "second" || s.Document.Text != scenarios.Text("recreate")+"# mine\n" {
		t.Errorf("redone to draft %q, text of %d bytes", s.Draft.ID(), len(s.Document.Text))
	}
}

// TestBranchesOfASubject: they come back with it, by undo and with its draft, and others do not mix with them.
func TestBranchesOfASubject(t *testing.T) {
	s := newTestSession(t)
	for n, at := range []int64{12_000, 11_000, 10_500} {
		s.Cursor.SeekTo(at)
		s.Kubectl(command.Scale(s.Computed.Workload(), n+2))
		computeAll(t, s)
	}
	names := func(s *Session) string {
		var all []string
		for _, b := range s.Branches.Rows() {
			all = append(all, b.Title)
		}
		return strings.Join(all, "|")
	}
	want, data := names(s), s.Save()
	if strings.Count(want, "|") < 2 {
		t.Fatalf("too few branches: %s", want)
	}
	s.LoadScenario("recreate")
	if got := s.Branches.Rows(); len(got) != 1 {
		t.Errorf("a lesson begins with %d branches", len(got))
	}
	s.Cursor.SeekTo(1000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 2))
	computeAll(t, s)
	of := names(s)
	s.Undo()
	s.Undo()
	if got := names(s); got != want {
		t.Errorf("undone to the branches %s, want %s", got, want)
	}
	s.Redo()
	s.Redo()
	if got := names(s); got != of {
		t.Errorf("redone to the branches %s, want %s", got, of)
	}
	s.OpenDraft("x", data)
	if got := names(s); got != want {
		t.Errorf("the draft has the branches %s, want %s", got, want)
	}
}

func TestOpenADraft(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	computeAll(t, s)
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 6))
	computeAll(t, s)
	data := s.Save()

	other := visit(t, "", "s=recreate")
	address := other.Visit.Address
	if !other.OpenDraft("mine", data) {
		t.Fatal(other.Visit.Notice)
	}
	computeAll(t, other)
	if !sameRecording(other.Computed.rec, s.Computed.rec) || other.Draft.ID() != "mine" || len(other.Branches.list) != len(s.Branches.list) || other.Cursor.Place != s.Cursor.Place || other.Cursor.Playing || other.Visit.Address != address {
		t.Errorf("draft %q, %d forks, cursor %v, address %q", other.Draft.ID(), len(other.Branches.list), other.Cursor.Place, other.Visit.Address)
	}
	other.Undo()
	if other.Document.Preset != "recreate" || other.Draft.ID() != "" || len(other.Branches.list) != 0 {
		t.Errorf("undone to %q, draft %q, %d forks", other.Document.Preset, other.Draft.ID(), len(other.Branches.list))
	}
	if other.OpenDraft("x", "{") || other.Document.Preset != "recreate" || !other.Visit.Notice.Bad {
		t.Errorf("a damaged draft: %+v", other.Visit.Notice)
	}
	if !other.OpenDraft("old", `{"version":1,"text":"a: [","recording":{"scenario":"a: ["}}`) || other.Document.Text != "a: [" || other.Computed.shown != nil || other.Document.Errors() == 0 || other.Computed.rec.Scenario != "" {
		t.Errorf("a draft that no longer runs: text %q, run %v, %d errors", other.Document.Text, other.Computed.shown != nil, other.Document.Errors())
	}
}

// TestABrokenLinkBesideADraft: what the link brought is no part of the draft.
func TestABrokenLinkBesideADraft(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	again := visit(t, s.Save(), encodeLink(t, sharing.Link{Draft: "a: ["}))
	if again.Document.Text != "a: [" || again.Draft.ID() != "" || again.Draft.Changed() || !sameRecording(again.Computed.rec, s.Computed.rec) {
		t.Errorf("text %q, draft %q, changed %v", again.Document.Text, again.Draft.ID(), again.Draft.Changed())
	}
	if again = visit(t, s.Save(), "s=nowhere"); again.Draft.ID() != "d" {
		t.Errorf("a link without anything leaves the draft %q open", again.Draft.ID())
	}
}

// TestPaste: into an empty text, it runs at once and offers what to do next, until something is done.
func TestPaste(t *testing.T) {
	s := newTestSession(t)
	s.NewText("")
	if s.Draft.ID() != "" || s.Draft.Changed() || s.Document.Text != "" || s.Computed.shown == nil {
		t.Errorf("a new text: draft %q, changed %v, %q", s.Draft.ID(), s.Draft.Changed(), s.Document.Text)
	}
	s.Paste("kind: [")
	if s.Draft.Offering() || s.Document.Errors() == 0 || s.Computed.rec.Scenario != scenarios.Text(FirstScenario) {
		t.Errorf("a text with errors: offers %v, %d errors", s.Draft.Offering(), s.Document.Errors())
	}
	s.Paste(pods("6"))
	computeAll(t, s)
	if !s.Draft.Offering() || s.Computed.rec.Scenario != pods("6") || len(s.Branches.list) != 0 {
		t.Errorf("offers %v, %d forks", s.Draft.Offering(), len(s.Branches.list))
	}
	s.Kubectl(command.Scale(s.Computed.Workload(), 2))
	computeAll(t, s)
	if s.Draft.Offering() {
		t.Error("it still offers after a command")
	}
	s.NewText(scenarios.Text("recreate"))
	if computeAll(t, s); s.Draft.Offering() {
		t.Error("a scenario with a timeline needs no offer")
	}
}

func TestLabels(t *testing.T) {
	s := newTestSession(t)
	for text, want := range map[string]string{
		"": "Empty", pods("3"): "web nginx:1", "a: [": "nginx-deployment", scenarios.Text("recreate"): "Recreate: all out, then all in, edited",
	} {
		s.Document.Set(text)
		if got := s.Document.Label(); got != want && !(strings.HasSuffix(want, ", edited") && strings.HasSuffix(got, ", edited")) {
			t.Errorf("%.20q is called %q, want %q", text, got, want)
		}
	}
	if n := len(s.Computed.Curve()); n < 40 || n > 400 {
		t.Errorf("the picture has %d bytes: %s", n, s.Computed.Curve())
	}
}
