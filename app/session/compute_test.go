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
	s.UseClock(func() time.Time { now = now.Add(time.Millisecond); return now })
	s.SetText(text)
	s.Restart()
	if s.Latest() == nil {
		t.Fatalf("the text does not run: %v", s.notice)
	}
	return s
}

// frame is what an animation frame computes.
func frame(s *Session) bool { return s.ComputeWhile(s.Until(sliceTime)) }

func frames(t *testing.T, s *Session, what string, until func() bool) {
	t.Helper()
	for range 100_000 {
		if until() {
			return
		}
		frame(s)
	}
	t.Fatalf("%s does not come; cursor %v, %d orders, end %d", what, s.cursor, len(s.orders), s.End())
}

// TestActionsComputeASliceOnly: starting, seeking far and to the end compute a few events, and frames the rest.
func TestActionsComputeASliceOnly(t *testing.T) {
	s := slowSession(t, pods("200"))
	few := func(what string, do func()) {
		t.Helper()
		had := s.Latest().Len()
		if do(); s.Latest().Done() || s.Latest().Len() > had+200 {
			t.Errorf("%s computed %d records at once", what, s.Latest().Len()-had)
		}
	}
	few("the start", func() { s.Restart() })
	few("a far seek", func() { s.SeekTo(2500) })
	if s.cursor.T >= 2500 || s.goal != 2500 {
		t.Errorf("the cursor is at %d on its way to %d", s.cursor.T, s.goal)
	}
	frames(t, s, "the goal", func() bool { return s.goal < 0 })
	if s.cursor.T != 2500 {
		t.Errorf("the cursor arrived at %d, want 2500", s.cursor.T)
	}
	s.Restart()
	few("to the end", s.ToEnd)
	frames(t, s, "the end", s.AtEnd)
}

// TestCommandsWaitForTheRun: nothing that is typed while the run is computed is lost, and it happens at the moment at which it was
// typed. Undo takes back what still waits.
func TestCommandsWaitForTheRun(t *testing.T) {
	s := slowSession(t, pods("200"))
	frames(t, s, "the end", func() bool { return s.Latest().Done() && s.next == nil })
	s.SeekTo(2000)
	s.Kubectl(command.Scale(s.Workload(), 150))
	if s.next == nil {
		t.Fatal("the run with the command is there at once, so this tests nothing")
	}
	s.Kubectl("kubectl rollout restart deployment/web")
	s.Type("kubectl rollout pause deployment/web")
	s.Kubectl("kubectl delete deployment/web")
	if len(s.orders) != 2 || !s.CanUndo() || s.notice.Text == "" {
		t.Fatalf("%d commands wait, notice %q", len(s.orders), s.notice.Text)
	}
	s.Undo()
	frames(t, s, "the commands", func() bool { return len(s.orders) == 0 && s.terminal.Waiting() == 0 && !frame(s) })
	var got []string
	for _, c := range s.rec.Commands {
		got = append(got, strings.TrimPrefix(c.Run, "kubectl "))
	}
	want := "scale deployment/web --replicas=150; rollout restart deployment/web; rollout pause deployment/web"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("the run has %q, want %q", text, want)
	}
	for _, c := range s.rec.Commands {
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
	s.SeekTo(100_000)
	had := s.run.Len()
	s.Stop()
	if !s.run.Done() || s.run.Ended() != engine.Stopped || s.run.Len() < had || s.goal >= 0 || s.Computing() {
		t.Fatalf("done %v (%s), %d records, want at least %d", s.run.Done(), s.run.Ended(), s.run.Len(), had)
	}
	if !strings.HasPrefix(s.notice.Text, "Stopped at ") {
		t.Errorf("the notice is %q", s.notice.Text)
	}
	s.SeekTo(0)
	if s.StepNext(); s.cursor.Record < 0 {
		t.Error("nothing of the stopped run can be looked at")
	}
	s.Restart()
	frames(t, s, "the end after a restart", func() bool { return s.Latest().Done() && s.run.Ended() == "" })
}

// TestALargeRunAsks: it is computed on only as the person says; an ordinary one never asks.
func TestALargeRunAsks(t *testing.T) {
	s := slowSession(t, pods("10000")+"---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  timeline:\n  - {at: 60s, run: kubectl set image deployment/web web=nginx:2}\n")
	frames(t, s, "the question", s.Asks)
	had := s.Latest().Len()
	if frame(s); s.Latest().Len() != had || s.Computing() || had > 3*firstRecords {
		t.Errorf("%d records while it asks, %d before", s.Latest().Len(), had)
	}
	if !strings.Contains(s.LargeText(), " MB") {
		t.Errorf("it asks %q", s.LargeText())
	}
	s.Continue(false)
	frames(t, s, "as much as is watched", func() bool { return !frame(s) })
	if s.Asks() || s.Latest().Done() || s.Latest().Now() <= s.cursor.T+watchedAhead {
		t.Errorf("asks %v; computed to %d with the cursor at %d", s.Asks(), s.Latest().Now(), s.cursor.T)
	}
	s.Continue(true)
	if !frame(s) {
		t.Error("nothing is computed after the answer")
	}
	s.Stop()

	small := slowSession(t, pods("1000"))
	frames(t, small, "the end", func() bool {
		if small.Asks() {
			t.Fatal("a run of a thousand pods asks")
		}
		return small.Latest().Done()
	})
}

// TestWhatDidNotFinishIsNotRunAgain: the next visit offers the text, and runs it when it is told to.
func TestWhatDidNotFinishIsNotRunAgain(t *testing.T) {
	mark := ""
	s := newTestSession(t)
	s.OnStart(func(m string) { mark = m })
	s.SeekTo(9000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	saved, own := s.Save(), mark
	if own == "" {
		t.Fatal("the start of a run leaves no mark")
	}
	visit := func(fragment string) *Session {
		t.Helper()
		again := New(false)
		again.Suspect(own)
		again.Begin(Kept{Draft: "d", Data: saved}, fragment)
		computeAll(t, again)
		return again
	}

	again := visit("")
	if again.run != nil || again.text != s.text || again.notice.Offer != OfferAnyway {
		t.Fatalf("run %v, %d bytes of text, notice %+v; want the text and an offer", again.run != nil, len(again.text), again.notice)
	}
	if again.Save() != "" {
		t.Error("what is not run replaces what is saved")
	}
	again.RunAnyway()
	computeAll(t, again)
	if again.run == nil || !sameRecording(again.rec, s.rec) || again.cursor.T != s.cursor.T || again.notice.Text != "" {
		t.Errorf("run anyway: %v, cursor %d, notice %+v", again.run != nil, again.cursor.T, again.notice)
	}

	other := visit("s=recreate")
	if other.run == nil || other.preset != "recreate" || len(other.forks) != 0 || other.Draft() != "" {
		t.Errorf("another link: run %v, preset %q, %d forks", other.run != nil, other.preset, len(other.forks))
	}

	link := visit(linkOf(t, s))
	if link.run != nil || link.notice.Offer != OfferAnyway {
		t.Errorf("the same run by a link: run %v, notice %+v", link.run != nil, link.notice)
	}
	link.RunAnyway()
	computeAll(t, link)
	if link.run == nil || !sameRecording(link.rec, s.rec) {
		t.Errorf("the link, run anyway: %v", link.run != nil)
	}

	edited := visit("")
	edited.Edit(pods("3"))
	edited.Apply()
	computeAll(t, edited)
	if edited.run == nil || edited.rec.Scenario != pods("3") {
		t.Errorf("an edited text: run %v, %v", edited.run != nil, edited.notice)
	}
}

// TestALinkLeavesTheDraftAlone: its run is not computed, and nothing of it is in the link's subject.
func TestALinkLeavesTheDraftAlone(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	computeAll(t, s)
	again := New(false)
	started := 0
	again.OnStart(func(string) { started++ })
	again.Begin(Kept{Draft: "d", Data: s.Save()}, "s=recreate")
	computeAll(t, again)
	if started != 1 || again.Draft() != "" || len(again.forks) != 0 || again.CanUndo() || again.Changed() {
		t.Errorf("%d runs were started; draft %q, %d forks, undo %v, changed %v", started, again.Draft(), len(again.forks), again.CanUndo(), again.Changed())
	}
}

// TestABugLeavesAReport: with the run, or without it if it can't be shown.
func TestABugLeavesAReport(t *testing.T) {
	s := newTestSession(t)
	s.Broke("index out of range", false)
	if s.run == nil || !s.notice.Bad || !strings.Contains(s.notice.Report, "index out of range") || !strings.Contains(s.notice.Report, "#s=first-rollout") {
		t.Errorf("notice %+v", s.notice)
	}
	text := s.text
	s.Broke("index out of range", true)
	if s.run != nil || s.text != text {
		t.Errorf("run %v, %d bytes of text", s.run != nil, len(s.text))
	}
	if s.Restart(); s.Latest() == nil {
		t.Errorf("no run after a restart: %v", s.notice)
	}
}
