package app

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// linkOf is the link of a session at its cursor.
func linkOf(t *testing.T, s *session) string {
	t.Helper()
	l := s.Link()
	s.lookAt(&l.View)
	s.lookWith(&l.View)
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
func visit(t *testing.T, saved, fragment string) *session {
	t.Helper()
	s := newSession(false)
	s.Begin(saved, fragment)
	computeAll(t, s)
	return s
}

// TestALinkOpensTheSameRunAtTheSameCursor: also between two records of one moment.
func TestALinkOpensTheSameRunAtTheSameCursor(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(12000)
	s.Run(scaleLine(s.watched(), 4))
	s.SeekTo(14000)
	s.Do("crash pod/" + s.run.Past().Snapshot(s.cursor.Record).Pods[0].Name)
	computeAll(t, s)
	loopOver(s, 2000, 15000)
	s.SetSpeed(2)
	for _, t0 := range []int64{0, 9999, 10000, 12001, 13500, s.end()} {
		s.SeekTo(t0)
		s.StepNext()
		again := visit(t, "", linkOf(t, s))
		if again.cursor != s.cursor || again.playing || again.speed != s.speed || again.loop != s.loop {
			t.Errorf("cursor %v, playing %v, speed %d, loop %v; want %v, resting, %d, %v",
				again.cursor, again.playing, again.speed, again.loop, s.cursor, s.speed, s.loop)
		}
		if !sameRecording(again.rec, s.rec) || again.run.Len() != s.run.Len() || again.text != s.text || again.Dirty() || again.preset != firstScenario {
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

// TestOpeningALinkCanBeUndone: what was there is among the other runs.
func TestOpeningALinkCanBeUndone(t *testing.T) {
	s := newTestSession(t)
	s.Run(scaleLine(s.watched(), 4))
	was, text := s.rec, s.text
	if _, ok := s.OpenLink("#s=recreate"); !ok || s.preset != "recreate" || s.text != scenarios.Text("recreate") || !s.playing {
		t.Fatalf("preset %q, playing %v, %v", s.preset, s.playing, s.notice)
	}
	if len(s.forks) == 0 || !sameRecording(s.forks[0].rec, was) {
		t.Errorf("%d other runs, want the one that was there first", len(s.forks))
	}
	s.Undo()
	if !sameRecording(s.rec, was) || s.text != text || s.preset != firstScenario {
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
		for _, s := range []*session{newTestSession(t), visit(t, "", tt.fragment)} {
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
	s.Run(scaleLine(s.watched(), 4))
	own, changed := s.Address()
	if !changed || own == "" {
		t.Fatalf("the address is %q", own)
	}
	s.SeekTo(15000)
	saved := s.Save()

	reloaded := visit(t, saved, own)
	if reloaded.cursor.T != 15000 || len(reloaded.past) != 0 || !sameRecording(reloaded.rec, s.rec) {
		t.Errorf("a reload is at %d with %d actions to undo", reloaded.cursor.T, len(reloaded.past))
	}
	other := visit(t, saved, "s=recreate")
	if other.preset != "recreate" || len(other.forks) == 0 || !sameRecording(other.forks[0].rec, s.rec) {
		t.Errorf("preset %q, %d other runs", other.preset, len(other.forks))
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
		if fragment, changed := s.Address(); changed != want || fragment != s.address {
			t.Errorf("%s: %.60q, changed %v", what, fragment, changed)
		}
	}
	step("nothing", false, func() {})
	step("the cursor", false, func() { s.SeekTo(5000); s.SetSpeed(1); s.Loop() })
	step("a command", true, func() { s.Run("scale " + target(s.watched()) + " --replicas=2") })
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

// TestSnippets: titles cannot break out of what they stand in.
func TestSnippets(t *testing.T) {
	p := &page{s: newTestSession(t), tab: "queues", theme: "dark"}
	p.share.moment, p.share.view = true, true
	p.s.SeekTo(4000)
	all := p.links("https://rollplay.example/")
	l, err := sharing.Decode(sharing.Fragment(all.URL), scenarios.Text)
	if err != nil || !l.Still || l.T != 4000 || l.Tab != "queues" || l.Theme != "dark" || all.Warning != "" {
		t.Errorf("%+v, %v, %+v", l.View, err, all)
	}
	if !strings.HasPrefix(all.Embed, "https://rollplay.example/embed/#1.") {
		t.Errorf("the embed is at %s", all.Embed)
	}
	all.Title = `a [b] \ <c> & "d"`
	for got, want := range map[string]string{
		markdownLink(all): `[a \[b\] \\ <c> & "d"](` + all.URL + ")",
		htmlLink(all):     `<a href="` + all.URL + `">a [b] \ &lt;c&gt; &amp; &quot;d&quot;</a>`,
		iframe(all): `<iframe src="` + all.Embed + `" title="a [b] \ &lt;c&gt; &amp; &quot;d&quot;" width="100%" height="640" ` +
			`sandbox="allow-scripts" loading="lazy"></iframe>`,
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestLongLinks: a warning says what makes them long.
func TestLongLinks(t *testing.T) {
	text, script := hardText(3000), hardText(4500)[3000:]
	for _, tt := range []struct {
		l    sharing.Link
		want string
	}{
		{sharing.Link{Draft: text}, "The text makes 100 % of this one, the commands 0 %."},
		{sharing.Link{Recording: engine.Recording{Scenario: text, Commands: []engine.Command{{At: 1, Apply: script + "#"}}}}, "The text makes 67 % of this one, the commands 33 %."},
	} {
		if got := warning(english, &tt.l, len(encodeLink(t, tt.l))); !strings.HasSuffix(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
