package app

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// embedded returns the page of an embed as JavaScript describes it.
func embedded(t *testing.T, options string) *page {
	t.Helper()
	p := &page{theme: header.Themes[0]}
	p.show(session.New(false), readEmbed(options))
	p.openEmbed()
	apptest.Compute(t, p.s)
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
		"why": `data-act="why"`, "controls": `data-act="set-image"`, "pods": `data-act="pod-view"`, "tables": `data-act="table-ReplicaSet"`,
		"tab bar": `role="tablist"`, "yaml": `data-act="editor"`,
	}
	for panels, want := range map[string][]string{
		`[]`:                   nil,
		`["why"]`:              {"why"},
		`["controls","pods"]`:  {"controls", "pods"},
		`["tables"]`:           {"tables"},
		`["pods","tables"]`:    {"pods", "tab bar"},
		`["yaml"]`:             {"yaml"},
		`["why","everything"]`: {"why"},
	} {
		html := apptest.HTML(embedded(t, `{"fragment":"#s=recreate","panels":`+panels+`}`).Render())
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
		for _, act := range []string{"scenario", "theme", "help-dialog", "notice"} {
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
	if p.s.Document.Preset != "recreate" || p.s.Cursor.T != 4000 || p.s.Cursor.Playing || session.Speeds[p.s.Cursor.Speed] != 10 {
		t.Errorf("opened %s at %d, playing %v, %g×", p.s.Document.Preset, p.s.Cursor.T, p.s.Cursor.Playing, session.Speeds[p.s.Cursor.Speed])
	}
	if p.details.Tab != "pods" {
		t.Errorf("the tab is %q: the link's, and not the author's", p.details.Tab)
	}
	if p := embedded(t, `{"fragment":"#`+fragment+`","speed":0.5}`); session.Speeds[p.s.Cursor.Speed] != 0.5 {
		t.Errorf("the speed is %g×: the link's, and not the author's", session.Speeds[p.s.Cursor.Speed])
	}
	if p := embedded(t, `{"fragment":"#s=three-replicas"}`); p.s.Document.Preset != "three-replicas" || !p.s.Cursor.Playing {
		t.Errorf("opened %s, playing %v", p.s.Document.Preset, p.s.Cursor.Playing)
	}
}

func TestEmbedSaysWhatIsWrongWithItsLink(t *testing.T) {
	p := embedded(t, `{"fragment":"#1.dAAAA","panels":[]}`)
	if html := apptest.HTML(p.Render()); !strings.Contains(html, `data-act="notice"`) || !strings.Contains(html, "This link is") {
		t.Errorf("a damaged link is not complained of: %s", html)
	}
	if p.s.Run() == nil {
		t.Error("there is nothing to see besides")
	}
}
