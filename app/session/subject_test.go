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
		{"seek", func(s *Session) { s.SeekTo(5000); s.StepNext(); s.ToEnd() }, false},
		{"speed", func(s *Session) { s.SetSpeed(2); s.ToggleLoop() }, false},
		{"a line that reads", func(s *Session) { s.Type("kubectl get pods") }, false},
		{"the caption", func(s *Session) { s.LessonNext() }, false},
		{"a command", func(s *Session) { s.Kubectl(command.Scale(s.Workload(), 4)) }, true},
		{"a command that is undone", func(s *Session) { s.SeekTo(500); s.Kubectl(command.Scale(s.Workload(), 4)); s.Undo() }, true}, // a branch
		{"an edit", func(s *Session) { s.Edit(s.text + "# mine\n") }, true},
		{"the version", func(s *Session) { s.SetVersion("1.34") }, true},
		{"an edit taken back", func(s *Session) { was := s.text; s.Edit("a"); s.Edit(was) }, false},
	} {
		for _, s := range []*Session{newTestSession(t), visit(t, "", "s=recreate")} {
			tt.do(s)
			computeAll(t, s)
			if s.Changed() != tt.want {
				t.Errorf("%s: changed %v", tt.what, s.Changed())
			}
		}
	}
}

// TestLessonsAndDraftsSideBySide: each subject has its own draft, through undo and redo.
func TestLessonsAndDraftsSideBySide(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Workload(), 4))
	computeAll(t, s)
	s.KeepAs("first")
	first := s.rec
	s.LoadScenario("recreate")
	if s.Draft() != "" || s.Changed() || len(s.forks) != 0 {
		t.Errorf("a lesson begins with draft %q, changed %v, %d forks", s.Draft(), s.Changed(), len(s.forks))
	}
	s.Edit(s.text + "# mine\n")
	s.KeepAs("second")
	s.Undo()
	if s.Draft() != "first" || !sameRecording(s.rec, first) || s.text != scenarios.Text(FirstScenario) {
		t.Errorf("undone to draft %q, text of %d bytes", s.Draft(), len(s.text))
	}
	s.Redo()
	if s.Draft() != "second" || s.text != scenarios.Text("recreate")+"# mine\n" {
		t.Errorf("redone to draft %q, text of %d bytes", s.Draft(), len(s.text))
	}
}

// TestBranchesOfASubject: they come back with it, by undo and with its draft, and others do not mix with them.
func TestBranchesOfASubject(t *testing.T) {
	s := newTestSession(t)
	for n, at := range []int64{12_000, 11_000, 10_500} {
		s.SeekTo(at)
		s.Kubectl(command.Scale(s.Workload(), n+2))
		computeAll(t, s)
	}
	names := func(s *Session) string {
		var all []string
		for _, b := range s.Branches() {
			all = append(all, b.Title)
		}
		return strings.Join(all, "|")
	}
	want, data := names(s), s.Save()
	if strings.Count(want, "|") < 2 {
		t.Fatalf("too few branches: %s", want)
	}
	s.LoadScenario("recreate")
	if got := s.Branches(); len(got) != 1 {
		t.Errorf("a lesson begins with %d branches", len(got))
	}
	s.SeekTo(1000)
	s.Kubectl(command.Scale(s.Workload(), 2))
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
	s.SeekTo(9000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	computeAll(t, s)
	s.SeekTo(5000)
	s.Kubectl(command.Scale(s.Workload(), 6))
	computeAll(t, s)
	data := s.Save()

	other := visit(t, "", "s=recreate")
	address := other.address
	if !other.OpenDraft("mine", data) {
		t.Fatal(other.notice)
	}
	computeAll(t, other)
	if !sameRecording(other.rec, s.rec) || other.Draft() != "mine" || len(other.forks) != len(s.forks) || other.cursor != s.cursor || other.playing || other.address != address {
		t.Errorf("draft %q, %d forks, cursor %v, address %q", other.Draft(), len(other.forks), other.cursor, other.address)
	}
	other.Undo()
	if other.preset != "recreate" || other.Draft() != "" || len(other.forks) != 0 {
		t.Errorf("undone to %q, draft %q, %d forks", other.preset, other.Draft(), len(other.forks))
	}
	if other.OpenDraft("x", "{") || other.preset != "recreate" || !other.notice.Bad {
		t.Errorf("a damaged draft: %+v", other.notice)
	}
	if !other.OpenDraft("old", `{"version":1,"text":"a: [","recording":{"scenario":"a: ["}}`) || other.text != "a: [" || other.run != nil || other.Errors() == 0 || other.rec.Scenario != "" {
		t.Errorf("a draft that no longer runs: text %q, run %v, %d errors", other.text, other.run != nil, other.Errors())
	}
}

// TestABrokenLinkBesideADraft: what the link brought is no part of the draft.
func TestABrokenLinkBesideADraft(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Workload(), 4))
	again := visit(t, s.Save(), encodeLink(t, sharing.Link{Draft: "a: ["}))
	if again.text != "a: [" || again.Draft() != "" || again.Changed() || !sameRecording(again.rec, s.rec) {
		t.Errorf("text %q, draft %q, changed %v", again.text, again.Draft(), again.Changed())
	}
	if again = visit(t, s.Save(), "s=nowhere"); again.Draft() != "d" {
		t.Errorf("a link without anything leaves the draft %q open", again.Draft())
	}
}

// TestPaste: into an empty text, it runs at once and offers what to do next, until something is done.
func TestPaste(t *testing.T) {
	s := newTestSession(t)
	s.NewText()
	if s.Draft() != "" || s.Changed() || s.text != "" || s.run == nil {
		t.Errorf("a new text: draft %q, changed %v, %q", s.Draft(), s.Changed(), s.text)
	}
	s.Paste("kind: [")
	if s.Offering() || s.Errors() == 0 || s.rec.Scenario != scenarios.Text(FirstScenario) {
		t.Errorf("a text with errors: offers %v, %d errors", s.Offering(), s.Errors())
	}
	s.Paste(pods("6"))
	computeAll(t, s)
	if !s.Offering() || s.rec.Scenario != pods("6") || len(s.forks) != 0 {
		t.Errorf("offers %v, %d forks", s.Offering(), len(s.forks))
	}
	s.Kubectl(command.Scale(s.Workload(), 2))
	computeAll(t, s)
	if s.Offering() {
		t.Error("it still offers after a command")
	}
	s.OpenText(scenarios.Text("recreate"))
	if computeAll(t, s); s.Offering() {
		t.Error("a scenario with a timeline needs no offer")
	}
}

func TestLabels(t *testing.T) {
	s := newTestSession(t)
	for text, want := range map[string]string{
		"": "Empty", pods("3"): "web nginx:1", "a: [": "nginx-deployment", scenarios.Text("recreate"): "Recreate: all out, then all in, edited",
	} {
		s.SetText(text)
		if got := s.Label(); got != want && !(strings.HasSuffix(want, ", edited") && strings.HasSuffix(got, ", edited")) {
			t.Errorf("%.20q is called %q, want %q", text, got, want)
		}
	}
	if n := len(s.Curve()); n < 40 || n > 400 {
		t.Errorf("the picture has %d bytes: %s", n, s.Curve())
	}
}
