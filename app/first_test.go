//go:build !js

package app

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/apptest"
)

// TestArrive: the page continues where the page without the program has come to, although its run is not computed up to there. The panel of a
// first visit stays open unless a person has touched that page.
func TestArrive(t *testing.T) {
	for _, touched := range []string{"true", "false"} {
		for _, at := range []string{"0", "5000", "10000", "18000"} {
			p := &page{}
			p.OnInit()
			now := time.Now()
			p.s.Computed.UseClock(func() time.Time { now = now.Add(5 * time.Millisecond); return now }) // so that it is long at work
			p.arrive(at + " " + touched)
			for n := 0; n < 500 || p.s.Cursor.T != parseMS(at) && n < 20_000; n++ { // a busy machine computes less in a turn
				p.move(16)
				if html := apptest.HTML(p.Render()); p.broken > 0 {
					t.Fatalf("at %s, %s: it breaks: %s %.100s", at, touched, p.s.Visit.Notice.Report, html)
				}
			}
			if p.s.Cursor.T != parseMS(at) || p.s.Cursor.Playing || p.start.Open != (touched == "false") || p.s.Visit.Touched != (touched == "true") {
				t.Errorf("at %s, touched %s: it is at %d, plays: %v, has the panel: %v, touched: %v", at, touched, p.s.Cursor.T, p.s.Cursor.Playing, p.start.Open, p.s.Visit.Touched)
			}
		}
	}
}

// TestFirstPage: the page of a first visit is the same in each build, and holds what its script needs.
func TestFirstPage(t *testing.T) {
	first, again := FirstPage("zh"), FirstPage("zh")
	if first.Page != again.Page || string(first.Script) != string(again.Script) {
		t.Error("it differs from build to build")
	}
	for _, want := range []string{`class="page inviting"`, `class="plot"`, `data-act="scrub"`, `data-act="play"`, `class="pods-panel in-place"`} {
		if strings.Count(first.Page, want) != 1 {
			t.Errorf("%s is there %d times", want, strings.Count(first.Page, want))
		}
	}
	for _, no := range []string{"<dialog", " style=", "aria-live", `role="status"`, "<script"} {
		if strings.Contains(first.Page, no) {
			t.Errorf("there is %s", no)
		}
	}
	var script firstScript
	if err := json.Unmarshal(first.Script, &script); err != nil {
		t.Fatal(err)
	}
	rest, calm := script.Rest, script.Calm
	rest.Regions["transport"] = calm.Regions["transport"] // Play is called Step
	if rest.T == 0 || rest.T != calm.T || !maps.Equal(rest.Regions, calm.Regions) {
		t.Errorf("it stands at %d ms, with less motion at %d, with the parts %v and %v", rest.T, calm.T, rest.Regions, calm.Regions)
	}
}
