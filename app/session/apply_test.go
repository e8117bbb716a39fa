package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/cursor"
)

func TestApplyAtTheStartIsANewScenario(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(0)
	s.SetText(strings.Replace(s.text, "replicas: 10", "replicas: 6", 1))
	if !s.Dirty() {
		t.Error("an edited text is dirty")
	}
	s.Apply()
	computeAll(t, s)
	if s.rec.Scenario != s.text || len(s.rec.Commands) != 0 || s.preset != "" || s.Dirty() {
		t.Errorf("scenario is the text: %v, commands %v, preset %q, dirty %v", s.rec.Scenario == s.text, s.rec.Commands, s.preset, s.Dirty())
	}
	if got := lastFrame(s).Desired; got != 6 {
		t.Errorf("desired %d, want 6", got)
	}
}

func TestApplyLaterIsACommand(t *testing.T) {
	s := newTestSession(t)
	scenario := s.rec.Scenario
	s.SeekTo(9000)
	s.SetText(strings.Replace(s.text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	computeAll(t, s)
	if s.rec.Scenario != scenario || len(s.rec.Commands) != 1 {
		t.Fatalf("same scenario %v, commands %v; want one apply", s.rec.Scenario == scenario, s.rec.Commands)
	}
	apply := s.rec.Commands[0].Apply
	if !strings.Contains(apply, "replicas: 6") || strings.Contains(apply, "kind: Scenario") {
		t.Errorf("applied %q, want the Deployment alone", apply)
	}
	if got := lastFrame(s).Desired; got != 6 || s.Dirty() || s.notice.Bad {
		t.Errorf("desired %d, dirty %v, notice %v; want 6, applied", got, s.Dirty(), s.notice)
	}
}

// TestApplyOfOtherObjectsIsANewScenario: who pastes a Deployment of their own over a run wants to see that one.
func TestApplyOfOtherObjectsIsANewScenario(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	s.SetText("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: mine}\nspec:\n  selector: {matchLabels: {app: mine}}\n" +
		"  template: {metadata: {labels: {app: mine}}, spec: {containers: [{name: c, image: i}]}}\n")
	s.Apply()
	computeAll(t, s)
	if s.rec.Scenario != s.text || len(s.rec.Commands) != 0 || s.preset != "" {
		t.Errorf("scenario is the text: %t, commands %v, preset %q", s.rec.Scenario == s.text, s.rec.Commands, s.preset)
	}
	if names := s.run.Workloads(); len(names) != 1 || names[0] != "Deployment/default/mine" {
		t.Errorf("workloads are %v", names)
	}
	s.Undo()
	computeAll(t, s)
	if s.preset != "first-rollout" {
		t.Errorf("undo brings back %q", s.preset)
	}
}

func TestAChangedScenarioDocumentOffersARestart(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	s.SetText(strings.Replace(s.text, "seed: 1", "seed: 2", 1))
	s.Apply()
	if s.notice.Offer != OfferRestart || len(s.rec.Commands) != 0 {
		t.Fatalf("notice %v, commands %v; want the offer and no command", s.notice, s.rec.Commands)
	}
	s.SetText(strings.Replace(s.text, "replicas: 10", "replicas: 6", 1))
	s.Apply()
	if s.notice.Offer != OfferRestart || len(s.rec.Commands) != 1 {
		t.Fatalf("both changed: notice %v, commands %v; want the offer and one command", s.notice, s.rec.Commands)
	}
	s.Restart()
	if s.notice != (Notice{}) || s.rec.Scenario != s.text || len(s.rec.Commands) != 0 || s.cursor.T != 0 {
		t.Errorf("after Restart: notice %v, commands %v, cursor %v", s.notice, s.rec.Commands, s.cursor)
	}
}

func TestABadTextKeepsTheRun(t *testing.T) {
	s := newTestSession(t)
	run := s.run
	s.SeekTo(9000)
	bad := strings.Replace(s.text, "replicas: 10", "replicas: ten", 1)
	for _, text := range []string{bad, "", "  \n", "a: [", "kind: Deployment\n"} {
		s.SetText(text)
		s.Apply()
		if s.run != run || s.text != text || !s.notice.Bad {
			t.Errorf("text %q: same run %v, notice %v; want the run kept and a word", text, s.run == run, s.notice)
		}
		s.Restart()
		if s.run != run || s.cursor.T != 9000 {
			t.Errorf("text %q: Restart lost the run or the cursor %v", text, s.cursor)
		}
	}
	s.SetText(bad)
	if s.Errors() == 0 || s.diags[0].Line == 0 {
		t.Errorf("diagnostics %v, want an error with its line", s.diags)
	}
}

func TestUndoBringsTheTextBackUnlessEdited(t *testing.T) {
	s := newTestSession(t)
	original := s.text
	s.SetText(strings.Replace(original, "replicas: 10", "replicas: 6", 1))
	edited := s.text
	s.LoadScenario(FirstScenario)
	if s.text != original {
		t.Fatal("LoadScenario does not show its text")
	}
	s.Undo()
	if s.text != edited {
		t.Error("Undo lost the text that was not applied yet")
	}
	s.Redo()
	s.SetText("# mine\n" + original)
	s.Undo()
	if s.text != edited {
		t.Error("Undo does not show the text of the subject that it goes back to")
	}
	s.Redo()
	if !strings.HasPrefix(s.text, "# mine") {
		t.Error("Redo lost the text that was edited")
	}
	s.Kubectl("kubectl rollout restart deployment/nginx-deployment")
	s.SetText("# later\n" + original)
	if s.Undo(); !strings.HasPrefix(s.text, "# later") {
		t.Error("Undo of a command overwrote a text that was edited since")
	}
}

func TestLoadScenarioRefusesUnknownNames(t *testing.T) {
	s := newTestSession(t)
	run := s.run
	s.LoadScenario("no-such")
	if s.run != run || !s.notice.Bad {
		t.Errorf("run kept %v, notice %v", s.run == run, s.notice)
	}
}

// A comment behind the kind of a Scenario document changes nothing of what it is.
func TestApplyOfACommentedScenario(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(12000)
	commented := strings.Replace(s.text, "kind: Scenario", "kind: Scenario # mine", 1)
	s.SetText(strings.Replace(commented, "pull: 500ms", "pull: 700ms", 1))
	s.Apply()
	if want := s.lang.Say("applied-none"); s.notice.Text != want || s.notice.Offer != OfferRestart || len(s.rec.Commands) != 0 {
		t.Errorf("notice %+v with commands %v, want %q and the offer to restart", s.notice, s.rec.Commands, want)
	}
	s.SetText(commented)
	s.Apply()
	if want := s.lang.Say("applied", cursor.Clock(s.cursor.T)); s.notice.Text != want || s.notice.Offer != offerNothing {
		t.Errorf("a comment alone: notice %+v, want %q", s.notice, want)
	}
	if c := s.rec.Commands; len(c) != 1 || strings.Contains(c[0].Apply, "Scenario") {
		t.Errorf("commands %v", c)
	}
}
