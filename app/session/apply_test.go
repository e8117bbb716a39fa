package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/cursor"
)

func TestApplyAtTheStartIsANewScenario(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(0)
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	if !s.Document.Dirty() {
		t.Error("an edited text is dirty")
	}
	s.Apply()
	computeAll(t, s)
	if s.Computed.rec.Scenario != s.Document.Text || len(s.Computed.rec.Commands) != 0 || s.Document.Preset != "" || s.Document.Dirty() {
		t.Errorf("scenario is the text: %v, commands %v, preset %q, dirty %v", s.Computed.rec.Scenario == s.Document.Text, s.Computed.rec.Commands, s.Document.Preset, s.Document.Dirty())
	}
	if got := lastFrame(s).Desired; got != 6 {
		t.Errorf("desired %d, want 6", got)
	}
}

func TestApplyLaterIsACommand(t *testing.T) {
	s := newTestSession(t)
	scenario := s.Computed.rec.Scenario
	s.Cursor.SeekTo(9000)
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	computeAll(t, s)
	if s.Computed.rec.Scenario != scenario || len(s.Computed.rec.Commands) != 1 {
		t.Fatalf("same scenario %v, commands %v; want one apply", s.Computed.rec.Scenario == scenario, s.Computed.rec.Commands)
	}
	apply := s.Computed.rec.Commands[0].Apply
	if !strings.Contains(apply, "replicas: 6") || strings.Contains(apply, "kind: Scenario") {
		t.Errorf("applied %q, want the Deployment alone", apply)
	}
	if got := lastFrame(s).Desired; got != 6 || s.Document.Dirty() || s.Visit.Notice.Bad {
		t.Errorf("desired %d, dirty %v, notice %v; want 6, applied", got, s.Document.Dirty(), s.Visit.Notice)
	}
}

// TestApplyOfOtherObjectsIsANewScenario: who pastes a Deployment of their own over a run wants to see that one.
func TestApplyOfOtherObjectsIsANewScenario(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	s.Document.Set("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: mine}\nspec:\n  selector: {matchLabels: {app: mine}}\n" +
		"  template: {metadata: {labels: {app: mine}}, spec: {containers: [{name: c, image: i}]}}\n")
	s.Apply()
	computeAll(t, s)
	if s.Computed.rec.Scenario != s.Document.Text || len(s.Computed.rec.Commands) != 0 || s.Document.Preset != "" {
		t.Errorf("scenario is the text: %t, commands %v, preset %q", s.Computed.rec.Scenario == s.Document.Text, s.Computed.rec.Commands, s.Document.Preset)
	}
	if names := s.Computed.shown.Workloads(); len(names) != 1 || names[0] != "Deployment/default/mine" {
		t.Errorf("workloads are %v", names)
	}
	s.Undo()
	computeAll(t, s)
	if s.Document.Preset != "first-rollout" {
		t.Errorf("undo brings back %q", s.Document.Preset)
	}
}

func TestAChangedScenarioDocumentOffersARestart(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	s.Document.Set(strings.Replace(s.Document.Text, "seed: 1", "seed: 2", 1))
	s.Apply()
	if s.Visit.Notice.Offer != OfferRestart || len(s.Computed.rec.Commands) != 0 {
		t.Fatalf("notice %v, commands %v; want the offer and no command", s.Visit.Notice, s.Computed.rec.Commands)
	}
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	if s.Visit.Notice.Offer != OfferRestart || len(s.Computed.rec.Commands) != 1 {
		t.Fatalf("both changed: notice %v, commands %v; want the offer and one command", s.Visit.Notice, s.Computed.rec.Commands)
	}
	s.Restart()
	if s.Visit.Notice != (Notice{}) || s.Computed.rec.Scenario != s.Document.Text || len(s.Computed.rec.Commands) != 0 || s.Cursor.T != 0 {
		t.Errorf("after Restart: notice %v, commands %v, cursor %v", s.Visit.Notice, s.Computed.rec.Commands, s.Cursor.Place)
	}
}

func TestABadTextKeepsTheRun(t *testing.T) {
	s := newTestSession(t)
	run := s.Computed.shown
	s.Cursor.SeekTo(9000)
	bad := strings.Replace(s.Document.Text, "replicas: 10", "replicas: ten", 1)
	for _, text := range []string{bad, "", "  \n", "a: [", "kind: Deployment\n"} {
		s.Document.Set(text)
		s.Apply()
		if s.Computed.shown != run || s.Document.Text != text || !s.Visit.Notice.Bad {
			t.Errorf("text %q: same run %v, notice %v; want the run kept and a word", text, s.Computed.shown == run, s.Visit.Notice)
		}
		s.Restart()
		if s.Computed.shown != run || s.Cursor.T != 9000 {
			t.Errorf("text %q: Restart lost the run or the cursor %v", text, s.Cursor.Place)
		}
	}
	s.Document.Set(bad)
	if s.Document.Errors() == 0 || s.Document.Diagnostics[0].Line == 0 {
		t.Errorf("diagnostics %v, want an error with its line", s.Document.Diagnostics)
	}
}

func TestUndoBringsTheTextBackUnlessEdited(t *testing.T) {
	s := newTestSession(t)
	original := s.Document.Text
	s.Document.Set(strings.Replace(original, "replicas: 10", "replicas: 6", 1))
	edited := s.Document.Text
	s.LoadScenario(FirstScenario)
	if s.Document.Text != original {
		t.Fatal("LoadScenario does not show its text")
	}
	s.Undo()
	if s.Document.Text != edited {
		t.Error("Undo lost the text that was not applied yet")
	}
	s.Redo()
	s.Document.Set("# mine\n" + original)
	s.Undo()
	if s.Document.Text != edited {
		t.Error("Undo does not show the text of the subject that it goes back to")
	}
	s.Redo()
	if !strings.HasPrefix(s.Document.Text, "# mine") {
		t.Error("Redo lost the text that was edited")
	}
	s.Kubectl("kubectl rollout restart deployment/nginx-deployment")
	s.Document.Set("# later\n" + original)
	if s.Undo(); !strings.HasPrefix(s.Document.Text, "# later") {
		t.Error("Undo of a command overwrote a text that was edited since")
	}
}

func TestLoadScenarioRefusesUnknownNames(t *testing.T) {
	s := newTestSession(t)
	run := s.Computed.shown
	s.LoadScenario("no-such")
	if s.Computed.shown != run || !s.Visit.Notice.Bad {
		t.Errorf("run kept %v, notice %v", s.Computed.shown == run, s.Visit.Notice)
	}
}

// A comment behind the kind of a Scenario document changes nothing of what it is.
func TestApplyOfACommentedScenario(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12000)
	commented := strings.Replace(s.Document.Text, "kind: Scenario", "kind: Scenario # mine", 1)
	s.Document.Set(strings.Replace(commented, "pull: 500ms", "pull: 700ms", 1))
	s.Apply()
	if want := s.Visit.Lang.Say("applied-none"); s.Visit.Notice.Text != want || s.Visit.Notice.Offer != OfferRestart || len(s.Computed.rec.Commands) != 0 {
		t.Errorf("notice %+v with commands %v, want %q and the offer to restart", s.Visit.Notice, s.Computed.rec.Commands, want)
	}
	s.Document.Set(commented)
	s.Apply()
	if want := s.Visit.Lang.Say("applied", cursor.Clock(s.Cursor.T)); s.Visit.Notice.Text != want || s.Visit.Notice.Offer != offerNothing {
		t.Errorf("a comment alone: notice %+v, want %q", s.Visit.Notice, want)
	}
	if c := s.Computed.rec.Commands; len(c) != 1 || strings.Contains(c[0].Apply, "Scenario") {
		t.Errorf("commands %v", c)
	}
}
