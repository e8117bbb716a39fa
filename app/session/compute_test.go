package session

import (
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

// pods is a Deployment of some size.
func pods(n string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: " + n +
		"\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n" +
		"      containers: [{name: web, image: \"nginx:1\"}]\n"
}

// slowSession shows a text, with a clock that runs so fast that a slice has few events.
func slowSession(t *testing.T, text string) *Session {
	t.Helper()
	s := New(true)
	var now time.Time
	s.Computed.UseClock(func() time.Time { now = now.Add(time.Millisecond); return now })
	s.Document.Set(text)
	s.Restart()
	if s.Computed.Latest() == nil {
		t.Fatalf("the text does not run: %v", s.Visit.Notice)
	}
	return s
}

// frame is what an animation frame computes.
func frame(s *Session) bool { return s.ComputeWhile(s.Computed.Until(sliceTime)) }

func frames(t *testing.T, s *Session, what string, until func() bool) {
	t.Helper()
	for range 100_000 {
		if until() {
			return
		}
		frame(s)
	}
	t.Fatalf("%s does not come; cursor %v, %d orders, end %d", what, s.Cursor.Place, len(s.History.waiting), s.Computed.End())
}

// TestActionsComputeASliceOnly: starting, seeking far and to the end compute a few events, and frames the rest.
func TestActionsComputeASliceOnly(t *testing.T) {
	s := slowSession(t, pods("200"))
	few := func(what string, do func()) {
		t.Helper()
		had := s.Computed.Latest().Len()
		if do(); s.Computed.Latest().Done() || s.Computed.Latest().Len() > had+200 {
			t.Errorf("%s computed %d records at once", what, s.Computed.Latest().Len()-had)
		}
	}
	few("the start", func() { s.Restart() })
	few("a far seek", func() { s.Cursor.SeekTo(2500) })
	if s.Cursor.T >= 2500 || s.Cursor.goal != 2500 {
		t.Errorf("the cursor is at %d on its way to %d", s.Cursor.T, s.Cursor.goal)
	}
	frames(t, s, "the goal", func() bool { return s.Cursor.goal < 0 })
	if s.Cursor.T != 2500 {
		t.Errorf("the cursor arrived at %d, want 2500", s.Cursor.T)
	}
	s.Restart()
	few("to the end", s.Cursor.ToEnd)
	frames(t, s, "the end", s.Cursor.AtEnd)
}

// TestCommandsWaitForTheRun: nothing that is typed while the run is computed is lost, and it happens at the moment at which it was
// typed. Undo takes back what still waits.
func TestCommandsWaitForTheRun(t *testing.T) {
	s := slowSession(t, pods("200"))
	frames(t, s, "the end", func() bool { return s.Computed.Latest().Done() && s.Computed.next == nil })
	s.Cursor.SeekTo(2000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 150))
	if s.Computed.next == nil {
		t.Fatal("the run with the command is there at once, so this tests nothing")
	}
	s.Kubectl("kubectl rollout restart deployment/web")
	s.Type("kubectl rollout pause deployment/web")
	s.Kubectl("kubectl delete deployment/web")
	if len(s.History.waiting) != 2 || !s.History.CanUndo() || s.Visit.Notice.Text == "" {
		t.Fatalf("%d commands wait, notice %q", len(s.History.waiting), s.Visit.Notice.Text)
	}
	s.Undo()
	frames(t, s, "the commands", func() bool { return len(s.History.waiting) == 0 && s.Prompt.terminal.Waiting() == 0 && !frame(s) })
	var got []string
	for _, c := range s.Computed.rec.Commands {
		got = append(got, strings.TrimPrefix(c.Run, "kubectl "))
	}
	want := "scale deployment/web --replicas=150; rollout restart deployment/web; rollout pause deployment/web"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("the run has %q, want %q", text, want)
	}
	for _, c := range s.Computed.rec.Commands {
		if c.At < 2000 || c.At > 2010 {
			t.Errorf("%s at %d, typed at 2000", c.Run, c.At)
		}
	}
}

// TestStopKeepsWhatIsComputed: the run ends where it is and says so, and can be read and changed.
func TestStopKeepsWhatIsComputed(t *testing.T) {
	s := slowSession(t, pods("500"))
	for range 20 {
		frame(s)
	}
	s.Cursor.SeekTo(100_000)
	had := s.Computed.shown.Len()
	s.Stop()
	if !s.Computed.shown.Done() || s.Computed.shown.Ended() != engine.Stopped || s.Computed.shown.Len() < had || s.Cursor.goal >= 0 || s.Computing() {
		t.Fatalf("done %v (%s), %d records, want at least %d", s.Computed.shown.Done(), s.Computed.shown.Ended(), s.Computed.shown.Len(), had)
	}
	if !strings.HasPrefix(s.Visit.Notice.Text, "Stopped at ") {
		t.Errorf("the notice is %q", s.Visit.Notice.Text)
	}
	s.Cursor.SeekTo(0)
	if s.StepNext(); s.Cursor.Record < 0 {
		t.Error("nothing of the stopped run can be looked at")
	}
	s.Restart()
	frames(t, s, "the end after a restart", func() bool { return s.Computed.Latest().Done() && s.Computed.shown.Ended() == "" })
}

// TestALargeRunAsks: it is computed on only as the person says; an ordinary one never asks.
func TestALargeRunAsks(t *testing.T) {
	s := slowSession(t, pods("10000")+"---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  timeline:\n  - {at: 60s, run: kubectl set image deployment/web web=nginx:2}\n")
	frames(t, s, "the question", s.Computed.Asks)
	had := s.Computed.Latest().Len()
	if frame(s); s.Computed.Latest().Len() != had || s.Computing() || had > 3*firstRecords {
		t.Errorf("%d records while it asks, %d before", s.Computed.Latest().Len(), had)
	}
	if !strings.Contains(s.Computed.LargeText(), " MB") {
		t.Errorf("it asks %q", s.Computed.LargeText())
	}
	s.Computed.Continue(false)
	frames(t, s, "as much as is watched", func() bool { return !frame(s) })
	if s.Computed.Asks() || s.Computed.Latest().Done() || s.Computed.Latest().Now() <= s.Cursor.T+watchedAhead {
		t.Errorf("asks %v; computed to %d with the cursor at %d", s.Computed.Asks(), s.Computed.Latest().Now(), s.Cursor.T)
	}
	s.Computed.Continue(true)
	if !frame(s) {
		t.Error("nothing is computed after the answer")
	}
	s.Stop()

	small := slowSession(t, pods("1000"))
	frames(t, small, "the end", func() bool {
		if small.Computed.Asks() {
			t.Fatal("a run of a thousand pods asks")
		}
		return small.Computed.Latest().Done()
	})
}

// TestWhatDidNotFinishIsNotRunAgain: the next visit offers the text, and runs it when it is told to.
func TestWhatDidNotFinishIsNotRunAgain(t *testing.T) {
	mark := ""
	s := newTestSession(t)
	s.Unfinished.Mark = func(m string) { mark = m }
	s.Cursor.SeekTo(9000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	saved, own := s.Save(), mark
	if own == "" {
		t.Fatal("the start of a run leaves no mark")
	}
	visit := func(fragment string) *Session {
		t.Helper()
		again := New(false)
		again.Unfinished.Suspect = own
		again.Open(Kept{Draft: "d", Data: saved}, fragment)
		computeAll(t, again)
		return again
	}

	again := visit("")
	if again.Computed.shown != nil || again.Document.Text != s.Document.Text || again.Visit.Notice.Offer != OfferAnyway {
		t.Fatalf("run %v, %d bytes of text, notice %+v; want the text and an offer", again.Computed.shown != nil, len(again.Document.Text), again.Visit.Notice)
	}
	if again.Save() != "" {
		t.Error("what is not run replaces what is saved")
	}
	again.RunAnyway()
	computeAll(t, again)
	if again.Computed.shown == nil || !sameRecording(again.Computed.rec, s.Computed.rec) || again.Cursor.T != s.Cursor.T || again.Visit.Notice.Text != "" {
		t.Errorf("run anyway: %v, cursor %d, notice %+v", again.Computed.shown != nil, again.Cursor.T, again.Visit.Notice)
	}

	other := visit("s=recreate")
	if other.Computed.shown == nil || other.Document.Preset != "recreate" || len(other.Branches.list) != 0 || other.Draft.ID() != "" {
		t.Errorf("another link: run %v, preset %q, %d forks", other.Computed.shown != nil, other.Document.Preset, len(other.Branches.list))
	}

	link := visit(linkOf(t, s))
	if link.Computed.shown != nil || link.Visit.Notice.Offer != OfferAnyway {
		t.Errorf("the same run by a link: run %v, notice %+v", link.Computed.shown != nil, link.Visit.Notice)
	}
	link.RunAnyway()
	computeAll(t, link)
	if link.Computed.shown == nil || !sameRecording(link.Computed.rec, s.Computed.rec) {
		t.Errorf("the link, run anyway: %v", link.Computed.shown != nil)
	}

	edited := visit("")
	edited.Document.Edit(pods("3"))
	edited.Apply()
	computeAll(t, edited)
	if edited.Computed.shown == nil || edited.Computed.rec.Scenario != pods("3") {
		t.Errorf("an edited text: run %v, %v", edited.Computed.shown != nil, edited.Visit.Notice)
	}
}

// TestALinkLeavesTheDraftAlone: its run is not computed, and nothing of it is in the link's subject.
func TestALinkLeavesTheDraftAlone(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	computeAll(t, s)
	again := New(false)
	started := 0
	again.Unfinished.Mark = func(string) { started++ }
	again.Open(Kept{Draft: "d", Data: s.Save()}, "s=recreate")
	computeAll(t, again)
	if started != 1 || again.Draft.ID() != "" || len(again.Branches.list) != 0 || again.History.CanUndo() || again.Draft.Changed() {
		t.Errorf("%d runs were started; draft %q, %d forks, undo %v, changed %v", started, again.Draft.ID(), len(again.Branches.list), again.History.CanUndo(), again.Draft.Changed())
	}
}

// TestABugLeavesAReport: with the run, or without it if it can't be shown.
func TestABugLeavesAReport(t *testing.T) {
	s := newTestSession(t)
	s.Broke("index out of range", false)
	if s.Computed.shown == nil || !s.Visit.Notice.Bad || !strings.Contains(s.Visit.Notice.Report, "index out of range") || !strings.Contains(s.Visit.Notice.Report, "#s=first-rollout") {
		t.Errorf("notice %+v", s.Visit.Notice)
	}
	text := s.Document.Text
	s.Broke("index out of range", true)
	if s.Computed.shown != nil || s.Document.Text != text {
		t.Errorf("run %v, %d bytes of text", s.Computed.shown != nil, len(s.Document.Text))
	}
	if s.Restart(); s.Computed.Latest() == nil {
		t.Errorf("no run after a restart: %v", s.Visit.Notice)
	}
}
