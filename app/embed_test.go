package app

import (
	"strings"
	"testing"

	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// embedded returns the page of an embed as JavaScript describes it.
func embedded(t *testing.T, options string) *page {
	t.Helper()
	p := &page{theme: themes[0]}
	p.show(newSession(false), readEmbed(options))
	p.openEmbed()
	computeAll(t, p.s)
	return p
}

func TestReadEmbed(t *testing.T) {
	if readEmbed("") != nil {
		t.Error("the playground is an embed")
	}
	e := readEmbed(`{"fragment":"#s=recreate","panels":["why","nonsense","timeline","pods"],"speed":5}`)
	if e.Fragment != "#s=recreate" || e.Speed != 5 || !e.has("why") || e.has("controls") {
		t.Errorf("got %+v", e)
	}
	if got := strings.Join(e.tabs(), " "); got != "pods timeline" {
		t.Errorf("the tabs are %q, want pods and timeline in the playground's order", got)
	}
	if e := readEmbed(`{"panels":7}`); e == nil || !e.has("why") {
		t.Errorf("options that make no sense give %+v, want an embed with the usual panel", e)
	}
}

func TestEmbedShowsWhatTheAuthorWants(t *testing.T) {
	all := map[string]string{
		"why": `data-act="why"`, "controls": `data-act="set-image"`, "pods": `data-act="pod-view"`, "tables": `data-act="rs-table"`,
		"tab bar": `role="tablist"`,
	}
	for panels, want := range map[string][]string{
		`[]`:                   nil,
		`["why"]`:              {"why"},
		`["controls","pods"]`:  {"controls", "pods"},
		`["tables"]`:           {"tables"},
		`["pods","tables"]`:    {"pods", "tab bar"},
		`["why","everything"]`: {"why"},
	} {
		html := htmlOf(embedded(t, `{"fragment":"#s=recreate","panels":`+panels+`}`).Render())
		for name, mark := range all {
			wanted := strings.Contains(" "+strings.Join(want, " , ")+" ", " "+name+" ")
			if strings.Contains(html, mark) != wanted {
				t.Errorf("panels %s: %s is there: %v, want %v", panels, name, !wanted, wanted)
			}
		}
		for _, act := range []string{"chart", "judge", "play", "scrub", "status"} {
			if strings.Count(html, `data-act="`+act+`"`) != 1 {
				t.Errorf("panels %s: no %s, or several", panels, act)
			}
		}
		for _, act := range []string{"editor", "scenario", "theme", "help-dialog", "notice"} {
			if strings.Contains(html, `data-act="`+act+`"`) {
				t.Errorf("panels %s: an embed has %s", panels, act)
			}
		}
	}
}

func TestEmbedOpensItsLink(t *testing.T) {
	l := sharing.Link{Preset: "recreate", View: sharing.View{Still: true, T: 4000, Speed: 10, Tab: "queues"}}
	l.Recording.Scenario = scenarios.Text("recreate")
	fragment, err := sharing.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	p := embedded(t, `{"fragment":"#`+fragment+`","panels":["pods"]}`)
	if p.s.preset != "recreate" || p.s.cursor.T != 4000 || p.s.playing || speeds[p.s.speed] != 10 {
		t.Errorf("opened %s at %d, playing %v, %g×", p.s.preset, p.s.cursor.T, p.s.playing, speeds[p.s.speed])
	}
	if p.details.tab != "pods" {
		t.Errorf("the tab is %q: the link's, and not the author's", p.details.tab)
	}
	if p := embedded(t, `{"fragment":"#`+fragment+`","speed":0.5}`); speeds[p.s.speed] != 0.5 {
		t.Errorf("the speed is %g×: the link's, and not the author's", speeds[p.s.speed])
	}
	if p := embedded(t, `{"fragment":"#s=three-replicas"}`); p.s.preset != "three-replicas" || !p.s.playing {
		t.Errorf("opened %s, playing %v", p.s.preset, p.s.playing)
	}
}

func TestEmbedSaysWhatIsWrongWithItsLink(t *testing.T) {
	p := embedded(t, `{"fragment":"#1.dAAAA","panels":[]}`)
	if html := htmlOf(p.Render()); !strings.Contains(html, `data-act="notice"`) || !strings.Contains(html, "This link is") {
		t.Errorf("a damaged link is not complained of: %s", html)
	}
	if p.s.run == nil {
		t.Error("there is nothing to see besides")
	}
}

// TestSeekFar: a message may name a moment that is not computed yet.
func TestSeekFar(t *testing.T) {
	s := newSession(false)
	s.LoadScenario(firstScenario)
	end := func() int64 { c := newTestSession(t); return c.end() }()
	s.SeekFar(end - 1)
	if s.cursor.T != end-1 {
		t.Errorf("the cursor is at %d, want %d", s.cursor.T, end-1)
	}
	if s.SeekFar(end + 1e6); s.cursor.T != end || !s.atEnd() {
		t.Errorf("beyond the end the cursor is at %d, want the end %d", s.cursor.T, end)
	}
}
