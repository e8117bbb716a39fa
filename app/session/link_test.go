package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

func TestALanguageThatThePageDoesNotHave(t *testing.T) {
	s := New(false)
	s.SetLang("de")
	if s.lang != lang.English || s.langChosen {
		t.Errorf("a language that the page does not have was taken: %q", s.lang)
	}
}

// linkOf is the link of a session at its cursor.
func linkOf(t *testing.T, s *Session) string {
	t.Helper()
	l := s.Link()
	s.AddMoment(&l.View)
	s.AddPlayback(&l.View)
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
	s.Begin(Kept{Draft: "d", Data: saved}, fragment)
	computeAll(t, s)
	return s
}

// TestALinkOpensTheSameRunAtTheSameCursor: also between two records of one moment.
func TestALinkOpensTheSameRunAtTheSameCursor(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(12000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	s.SeekTo(14000)
	s.Do("crash pod/" + s.run.Past().Snapshot(s.cursor.Record).Pods[0].Name)
	computeAll(t, s)
	loopOver(s, 2000, 15000)
	s.SetSpeed(2)
	for _, t0 := range []int64{0, 9999, 10000, 12001, 13500, s.End()} {
		s.SeekTo(t0)
		s.StepNext()
		again := visit(t, "", linkOf(t, s))
		if again.cursor != s.cursor || again.playing || again.speed != s.speed || again.loop != s.loop {
			t.Errorf("cursor %v, playing %v, speed %d, loop %v; want %v, resting, %d, %v",
				again.cursor, again.playing, again.speed, again.loop, s.cursor, s.speed, s.loop)
		}
		if !sameRecording(again.rec, s.rec) || again.run.Len() != s.run.Len() || again.text != s.text || again.Dirty() || again.preset != FirstScenario {
			t.Errorf("%d commands, %d records, preset %q; want %d, %d", len(again.rec.Commands), again.run.Len(), again.preset, len(s.rec.Commands), s.run.Len())
		}
	}
}

// TestALinkHoldsTheEditorsText: also one that has errors, and one that was applied in the middle of the run.
func TestALinkHoldsTheEditorsText(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(12000)
	s.SetText(strings.Replace(s.text, "replicas: 10", "replicas: 7", 1))
	s.Apply()
	again := visit(t, "", linkOf(t, s))
	if again.text != s.text || again.Dirty() || again.applied != s.applied || !sameRecording(again.rec, s.rec) {
		t.Errorf("an applied text: dirty %v", again.Dirty())
	}
	s.SetText("a: [")
	again = visit(t, "", linkOf(t, s))
	if again.text != "a: [" || !again.Dirty() || again.Errors() == 0 || !sameRecording(again.rec, s.rec) {
		t.Errorf("a text with errors: %q, dirty %v, %d errors", again.text, again.Dirty(), again.Errors())
	}
	alone := visit(t, "", encodeLink(t, sharing.Link{Draft: "a: ["}))
	if alone.text != "a: [" || alone.run != nil || alone.Errors() == 0 {
		t.Errorf("a text alone: %q, %d errors", alone.text, alone.Errors())
	}
}

// TestOpeningALinkCanBeUndone: undo goes back to the draft that was open, with its branches.
func TestOpeningALinkCanBeUndone(t *testing.T) {
	s := newTestSession(t)
	s.Kubectl(command.Scale(s.Workload(), 4))
	s.KeepAs("mine")
	was, text := s.rec, s.text
	if _, ok := s.OpenLink("#s=recreate"); !ok || s.preset != "recreate" || s.text != scenarios.Text("recreate") || !s.playing {
		t.Fatalf("preset %q, playing %v, %v", s.preset, s.playing, s.notice)
	}
	if len(s.forks) != 0 || s.Draft() != "" || s.Changed() || s.Save() != "" {
		t.Errorf("the link has %d other runs, draft %q, changed %v", len(s.forks), s.Draft(), s.Changed())
	}
	s.Undo()
	if s.Draft() != "mine" || len(s.forks) == 0 {
		t.Errorf("undone to draft %q with %d other runs", s.Draft(), len(s.forks))
	}
	if !sameRecording(s.rec, was) || s.text != text || s.preset != FirstScenario {
		t.Errorf("undone to %d commands, preset %q", len(s.rec.Commands), s.preset)
	}
	s.OpenLink(encodeLink(t, sharing.Link{Recording: engine.Recording{Scenario: text}, Draft: "half a text"}))
	s.Undo()
	if s.text != text {
		t.Errorf("the text that a link brought stays after undo: %q", s.text)
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
			if !s.notice.Bad || !strings.Contains(s.notice.Text, tt.notice) {
				t.Errorf("%s: the notice is %q", tt.name, s.notice.Text)
			}
			if kept := strings.HasSuffix(s.rec.Scenario, "# mine\n"); kept != tt.kept || (s.run == nil) != (s.text == "kind: [" && s.rec.Scenario == "") {
				t.Errorf("%s: kept %v, run %v, text %.40q", tt.name, kept, s.run != nil, s.text)
			}
		}
	}
}

// TestALinkAndASavedSession: a link wins, and nothing is lost; its own link leaves the saved session as it is.
func TestALinkAndASavedSession(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(12000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	own, changed := s.UpdateAddress()
	if !changed || own == "" {
		t.Fatalf("the address is %q", own)
	}
	s.SeekTo(15000)
	saved := s.Save()

	reloaded := visit(t, saved, own)
	if reloaded.cursor.T != 15000 || len(reloaded.past) != 0 || !sameRecording(reloaded.rec, s.rec) {
		t.Errorf("a reload is at %d with %d actions to undo", reloaded.cursor.T, len(reloaded.past))
	}
	late := New(false)
	late.Begin(Kept{Draft: "d", Data: saved, Own: true}, "s=first-rollout") // before the command the draft had this address
	computeAll(t, late)
	if fragment, changed := late.UpdateAddress(); !sameRecording(late.rec, s.rec) || late.Draft() != "d" || !changed || fragment != own {
		t.Errorf("an earlier address of the draft opens draft %q, and becomes %q", late.Draft(), fragment)
	}
	other := visit(t, saved, "s=recreate")
	if other.preset != "recreate" || other.Draft() != "" || reloaded.Draft() != "d" {
		t.Errorf("preset %q, draft %q; after a reload it is %q", other.preset, other.Draft(), reloaded.Draft())
	}
	plain := visit(t, saved, "stage")
	if !sameRecording(plain.rec, s.rec) {
		t.Error("a place in the page counts as a link")
	}
	if first := visit(t, "", "s=recreate"); len(first.forks) != 0 || len(first.past) != 0 || first.Save() != "" {
		t.Errorf("a first visit by a link has %d other runs, %d actions to undo", len(first.forks), len(first.past))
	}
}

// TestTheAddressFollowsTheRun: it changes with the run and the text, and with nothing else.
func TestTheAddressFollowsTheRun(t *testing.T) {
	s := visit(t, "", "s=recreate")
	step := func(what string, want bool, do func()) {
		t.Helper()
		do()
		if fragment, changed := s.UpdateAddress(); changed != want || fragment != s.address {
			t.Errorf("%s: %.60q, changed %v", what, fragment, changed)
		}
	}
	step("nothing", false, func() {})
	step("the cursor", false, func() { s.SeekTo(5000); s.SetSpeed(1); s.ToggleLoop() })
	step("a command", true, func() { s.Kubectl("scale " + command.Target(s.Workload()) + " --replicas=2") })
	step("the cursor", false, s.ToEnd)
	step("undo", true, s.Undo)
	if s.address != "s=recreate" {
		t.Errorf("after undo the address is %q", s.address)
	}
	step("the text", true, func() { s.SetText(s.text + "# mine\n") })
	step("a text that is too long", true, func() { s.SetText(s.text + hardText(addressMax)) })
	if s.address != "" {
		t.Errorf("the address has %d characters", len(s.address))
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
	s.SetLang("zh")
	if got := encodeLink(t, s.Link()); got != "s=first-rollout&lang=zh" {
		t.Errorf("the link is %s", got)
	}
	s.Kubectl(command.Scale(s.Workload(), 4))
	fragment := linkOf(t, s)
	if again := visit(t, "", fragment); again.lang != lang.Chinese || encodeLink(t, again.Link()) != encodeLink(t, s.Link()) {
		t.Errorf("the link opens in %q", again.lang)
	}
	s.OpenLink("s=recreate")
	if s.lang != lang.Chinese {
		t.Errorf("a link without a language changed it to %q", s.lang)
	}
	s.OpenLink(sharing.Shipped("recreate", "en"))
	if s.lang != lang.English {
		t.Errorf("the page is in %q, the link in English", s.lang)
	}
}

// TestAReloadKeepsTheLanguageOfTheLink: also where the saved session has more than the link and wins.
func TestAReloadKeepsTheLanguageOfTheLink(t *testing.T) {
	s := visit(t, "", "s=first-rollout&lang=zh")
	s.SeekTo(5000)
	again := visit(t, s.Save(), s.address)
	if again.lang != lang.Chinese || again.cursor.T != 5000 {
		t.Errorf("the page is in %q, at %d", again.lang, again.cursor.T)
	}
}

// TestTheAddressFollowsTheLanguage: a link that opens the run in another language is not the one of this page.
func TestTheAddressFollowsTheLanguage(t *testing.T) {
	s := visit(t, "", "s=first-rollout")
	if got, changed := s.UpdateAddress(); changed {
		t.Errorf("nothing has happened, and the address is %s", got)
	}
	s.SetLang("zh")
	if got, changed := s.UpdateAddress(); !changed || got != "s=first-rollout&lang=zh" {
		t.Errorf("the address is %s, changed %v", got, changed)
	}
}
