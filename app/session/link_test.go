package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

func TestALanguageThatThePageDoesNotHave(t *testing.T) {
	s := New(false)
	s.Visit.SetLang("de")
	if s.Visit.Lang != lang.English || s.Visit.langChosen {
		t.Errorf("a language that the page does not have was taken: %q", s.Visit.Lang)
	}
}

// linkOf is the link of a session at its cursor.
func linkOf(t *testing.T, s *Session) string {
	t.Helper()
	l := s.Link()
	s.Cursor.AddMoment(&l.View)
	s.Cursor.AddPlayback(&l.View)
	return encodeLink(t, l)
}

func encodeLink(t *testing.T, l sharing.Link) string {
	t.Helper()
	fragment, err := sharing.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	return fragment
}

// visit begins a visit and computes its run.
func visit(t *testing.T, saved, fragment string) *Session {
	t.Helper()
	s := New(false)
	s.Open(Kept{Draft: "d", Data: saved}, fragment)
	computeAll(t, s)
	return s
}

// TestALinkOpensTheSameRunAtTheSameCursor: also between two records of one moment.
func TestALinkOpensTheSameRunAtTheSameCursor(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	s.Cursor.SeekTo(14000)
	s.Do("crash pod/" + s.Computed.shown.Past().Objects(api.KindPod, s.Cursor.Record)[0].Key().Name)
	computeAll(t, s)
	loopOver(s, 2000, 15000)
	s.Cursor.SetSpeed(2)
	for _, t0 := range []int64{0, 9999, 10000, 12001, 13500, s.Computed.End()} {
		s.Cursor.SeekTo(t0)
		s.StepNext()
		again := visit(t, "", linkOf(t, s))
		if again.Cursor.Place != s.Cursor.Place || again.Cursor.Playing || again.Cursor.Speed != s.Cursor.Speed || again.Cursor.Loop != s.Cursor.Loop {
			t.Errorf("cursor %v, playing %v, speed %d, loop %v; want %v, resting, %d, %v",
				again.Cursor.Place, again.Cursor.Playing, again.Cursor.Speed, again.Cursor.Loop, s.Cursor.Place, s.Cursor.Speed, s.Cursor.Loop)
		}
		if !sameRecording(again.Computed.rec, s.Computed.rec) || again.Computed.shown.Len() != s.Computed.shown.Len() || again.Document.Text != s.Document.Text || again.Document.Dirty() || again.Document.Preset != FirstScenario {
			t.Errorf("%d commands, %d records, preset %q; want %d, %d", len(again.Computed.rec.Commands), again.Computed.shown.Len(), again.Document.Preset, len(s.Computed.rec.Commands), s.Computed.shown.Len())
		}
	}
}

// TestALinkHoldsTheEditorsText: also one that has errors, and one that was applied in the middle of the run.
func TestALinkHoldsTheEditorsText(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12000)
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 7", 1))
	s.Apply()
	again := visit(t, "", linkOf(t, s))
	if again.Document.Text != s.Document.Text || again.Document.Dirty() || again.Document.applied != s.Document.applied || !sameRecording(again.Computed.rec, s.Computed.rec) {
		t.Errorf("an applied text: dirty %v", again.Document.Dirty())
	}
	s.Document.Set("a: [")
	again = visit(t, "", linkOf(t, s))
	if again.Document.Text != "a: [" || !again.Document.Dirty() || again.Document.Errors() == 0 || !sameRecording(again.Computed.rec, s.Computed.rec) {
		t.Errorf("a text with errors: %q, dirty %v, %d errors", again.Document.Text, again.Document.Dirty(), again.Document.Errors())
	}
	alone := visit(t, "", encodeLink(t, sharing.Link{Draft: "a: ["}))
	if alone.Document.Text != "a: [" || alone.Computed.shown != nil || alone.Document.Errors() == 0 {
		t.Errorf("a text alone: %q, %d errors", alone.Document.Text, alone.Document.Errors())
	}
}

// TestOpeningALinkCanBeUndone: undo goes back to the draft that was open, with its branches.
func TestOpeningALinkCanBeUndone(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	s.Draft.KeepAs("mine")
	was, text := s.Computed.rec, s.Document.Text
	if _, ok := s.OpenLink("#s=recreate"); !ok || s.Document.Preset != "recreate" || s.Document.Text != scenarios.Text("recreate") || !s.Cursor.Playing {
		t.Fatalf("preset %q, playing %v, %v", s.Document.Preset, s.Cursor.Playing, s.Visit.Notice)
	}
	if len(s.Branches.list) != 0 || s.Draft.ID() != "" || s.Draft.Changed() || s.Save() != "" {
		t.Errorf("the link has %d other runs, draft %q, changed %v", len(s.Branches.list), s.Draft.ID(), s.Draft.Changed())
	}
	s.Undo()
	if s.Draft.ID() != "mine" || len(s.Branches.list) == 0 {
		t.Errorf("undone to draft %q with %d other runs", s.Draft.ID(), len(s.Branches.list))
	}
	if !sameRecording(s.Computed.rec, was) || s.Document.Text != text || s.Document.Preset != FirstScenario {
		t.Errorf("undone to %d commands, preset %q", len(s.Computed.rec.Commands), s.Document.Preset)
	}
	s.OpenLink(encodeLink(t, sharing.Link{Recording: engine.Recording{Scenario: text}, Draft: "half a text"}))
	s.Undo()
	if s.Document.Text != text {
		t.Errorf("the text that a link brought stays after undo: %q", s.Document.Text)
	}
}

// TestBadLinks: the page lives with what was kept, or with what it had.
func TestBadLinks(t *testing.T) {
	own := encodeLink(t, sharing.Link{Recording: engine.Recording{Scenario: scenarios.Text("recreate") + "# mine\n",
		Commands: []engine.Command{{At: 20000, Run: "kubectl scale deployment/web --replicas=2"}}}})
	for _, tt := range []struct {
		name, fragment, notice string
		kept                   bool
	}{
		{"cut off", own[:60], "cut off", false},
		{"cut off at its end", own[:len(own)-4], "cut off", true},
		{"newer", "7.x", "newer rollplay", false},
		{"unknown", "s=nowhere", "nowhere", false},
		{"no scenario", encodeLink(t, sharing.Link{Recording: engine.Recording{Scenario: "kind: ["}}), "This cannot run: line 1", false},
	} {
		for _, s := range []*Session{newTestSession(t), visit(t, "", tt.fragment)} {
			s.OpenLink(tt.fragment)
			computeAll(t, s)
			if !s.Visit.Notice.Bad || !strings.Contains(s.Visit.Notice.Text, tt.notice) {
				t.Errorf("%s: the notice is %q", tt.name, s.Visit.Notice.Text)
			}
			if kept := strings.HasSuffix(s.Computed.rec.Scenario, "# mine\n"); kept != tt.kept || (s.Computed.shown == nil) != (s.Document.Text == "kind: [" && s.Computed.rec.Scenario == "") {
				t.Errorf("%s: kept %v, run %v, text %.40q", tt.name, kept, s.Computed.shown != nil, s.Document.Text)
			}
		}
	}
}

// TestALinkAndASavedSession: a link wins, and nothing is lost; its own link leaves the saved session as it is.
func TestALinkAndASavedSession(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	own, changed := s.UpdateAddress()
	if !changed || own == "" {
		t.Fatalf("the address is %q", own)
	}
	s.Cursor.SeekTo(15000)
	saved := s.Save()

	reloaded := visit(t, saved, own)
	if reloaded.Cursor.T != 15000 || len(reloaded.History.past) != 0 || !sameRecording(reloaded.Computed.rec, s.Computed.rec) {
		t.Errorf("a reload is at %d with %d actions to undo", reloaded.Cursor.T, len(reloaded.History.past))
	}
	late := New(false)
	late.Open(Kept{Draft: "d", Data: saved, Own: true}, "s=first-rollout") // before the command the draft had this address
	computeAll(t, late)
	if fragment, changed := late.UpdateAddress(); !sameRecording(late.Computed.rec, s.Computed.rec) || late.Draft.ID() != "d" || !changed || fragment != own {
		t.Errorf("an earlier address of the draft opens draft %q, and becomes %q", late.Draft.ID(), fragment)
	}
	other := visit(t, saved, "s=recreate")
	if other.Document.Preset != "recreate" || other.Draft.ID() != "" || reloaded.Draft.ID() != "d" {
		t.Errorf("preset %q, draft %q; after a reload it is %q", other.Document.Preset, other.Draft.ID(), reloaded.Draft.ID())
	}
	plain := visit(t, saved, "stage")
	if !sameRecording(plain.Computed.rec, s.Computed.rec) {
		t.Error("a place in the page counts as a link")
	}
	if first := visit(t, "", "s=recreate"); len(first.Branches.list) != 0 || len(first.History.past) != 0 || first.Save() != "" {
		t.Errorf("a first visit by a link has %d other runs, %d actions to undo", len(first.Branches.list), len(first.History.past))
	}
}

// TestTheAddressFollowsTheRun: it changes with the run and the text, and with nothing else.
func TestTheAddressFollowsTheRun(t *testing.T) {
	s := visit(t, "", "s=recreate")
	step := func(what string, want bool, do func()) {
		t.Helper()
		do()
		if fragment, changed := s.UpdateAddress(); changed != want || fragment != s.Visit.Address {
			t.Errorf("%s: %.60q, changed %v", what, fragment, changed)
		}
	}
	step("nothing", false, func() {})
	step("the cursor", false, func() { s.Cursor.SeekTo(5000); s.Cursor.SetSpeed(1); s.Cursor.ToggleLoop() })
	step("a command", true, func() { s.Kubectl("scale " + command.Target(s.Computed.Workload()) + " --replicas=2") })
	step("the cursor", false, s.Cursor.ToEnd)
	step("undo", true, s.Undo)
	if s.Visit.Address != "s=recreate" {
		t.Errorf("after undo the address is %q", s.Visit.Address)
	}
	step("the text", true, func() { s.Document.Set(s.Document.Text + "# mine\n") })
	step("a text that is too long", true, func() { s.Document.Set(s.Document.Text + hardText(addressMax)) })
	if s.Visit.Address != "" {
		t.Errorf("the address has %d characters", len(s.Visit.Address))
	}
	step("a link with a cursor", false, func() {
		l := sharing.Link{Preset: "recreate", Recording: engine.Recording{Scenario: scenarios.Text("recreate")}, View: sharing.View{Still: true, T: 700}}
		s.OpenLink(encodeLink(t, l))
	})
}

// hardText is a text that deflate cannot make much shorter.
func hardText(n int) string {
	var b strings.Builder
	for x := uint32(1); b.Len() < n; {
		x = x*1664525 + 1013904223
		b.WriteByte(' ' + byte(x>>24)%90)
	}
	return "# " + b.String() + "\n"
}

// TestLinksKeepTheLanguage: once it was chosen, and a link without one changes nothing.
func TestLinksKeepTheLanguage(t *testing.T) {
	s := newTestSession(t)
	if got := encodeLink(t, s.Link()); got != "s=first-rollout" {
		t.Errorf("nobody has chosen a language, and the link is %s", got)
	}
	s.Visit.SetLang("zh")
	if got := encodeLink(t, s.Link()); got != "s=first-rollout&lang=zh" {
		t.Errorf("the link is %s", got)
	}
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	fragment := linkOf(t, s)
	if again := visit(t, "", fragment); again.Visit.Lang != lang.Chinese || encodeLink(t, again.Link()) != encodeLink(t, s.Link()) {
		t.Errorf("the link opens in %q", again.Visit.Lang)
	}
	s.OpenLink("s=recreate")
	if s.Visit.Lang != lang.Chinese {
		t.Errorf("a link without a language changed it to %q", s.Visit.Lang)
	}
	s.OpenLink(sharing.Shipped("recreate", "en"))
	if s.Visit.Lang != lang.English {
		t.Errorf("the page is in %q, the link in English", s.Visit.Lang)
	}
}

// TestAReloadKeepsTheLanguageOfTheLink: also where the saved session has more than the link and wins.
func TestAReloadKeepsTheLanguageOfTheLink(t *testing.T) {
	s := visit(t, "", "s=first-rollout&lang=zh")
	s.Cursor.SeekTo(5000)
	again := visit(t, s.Save(), s.Visit.Address)
	if again.Visit.Lang != lang.Chinese || again.Cursor.T != 5000 {
		t.Errorf("the page is in %q, at %d", again.Visit.Lang, again.Cursor.T)
	}
}

// TestTheAddressFollowsTheLanguage: a link that opens the run in another language is not the one of this page.
func TestTheAddressFollowsTheLanguage(t *testing.T) {
	s := visit(t, "", "s=first-rollout")
	if got, changed := s.UpdateAddress(); changed {
		t.Errorf("nothing has happened, and the address is %s", got)
	}
	s.Visit.SetLang("zh")
	if got, changed := s.UpdateAddress(); !changed || got != "s=first-rollout&lang=zh" {
		t.Errorf("the address is %s, changed %v", got, changed)
	}
}
