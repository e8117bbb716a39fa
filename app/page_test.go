package app

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
)

// TestNamesAreInTheCatalogue: of tabs, units of a step and themes, whose keys are put together.
func TestNamesAreInTheCatalogue(t *testing.T) {
	for _, name := range details.TabNames {
		if _, ok := lang.Messages[details.TabLabels[name]]; !ok {
			t.Errorf("tab %s has no name", name)
		}
	}
	for _, unit := range session.StepUnits {
		if key := lang.Message("unit-" + unit); lang.Messages[key].En == "" {
			t.Errorf("there is no message %s", key)
		}
	}
	for _, theme := range header.Themes {
		if key := lang.Message("theme-" + theme); lang.Messages[key].En == "" {
			t.Errorf("there is no message %s", key)
		}
	}
}

// pageOf is a page that shows a session.
func pageOf(s *session.Session) *page {
	p := &page{theme: header.Themes[0]}
	p.show(s, nil)
	return p
}

func TestPageHasWhatPeopleLookFor(t *testing.T) {
	p := &page{}
	if err := app.NewTestEngine().Load(p); err != nil {
		t.Fatal(err)
	}
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(p.s.End())
	p = pageOf(p.s)
	p.panes.Why = true
	html := apptest.HTML(p)
	for _, act := range []string{
		"scenario", "undo", "redo", "restart", "theme", "help", "status", "editor", "apply", "edit-state",
		"container", "image-input", "set-image", "scale-input", "scale", "restart-rollout", "pause-rollout", "undo-rollout",
		"play", "start", "end", "step-prev", "step-next", "prev-moment", "next-moment", "step-by", "loop", "speed", "speed-text", "time",
		"scrub", "progress", "chart", "legend", "judge", "why", "caption", "data-table", "violations", "strips",
		"pods-order", "pod-view", "help-dialog", "status-line", "pane-code", "pane-why",
	} {
		if n := strings.Count(html, `data-act="`+act+`"`); n != 1 {
			t.Errorf("%d elements with data-act=%q, want 1", n, act)
		}
	}
	if n := strings.Count(html, `data-act="tab"`); n != 4 {
		t.Errorf("%d tabs, want 4", n)
	}
	if strings.Contains(html, " style=") {
		t.Error("an element has a style attribute, which the content security policy forbids")
	}
}

func TestPageWithoutARun(t *testing.T) {
	p := pageOf(session.New(true))
	for _, tab := range details.TabNames {
		p.details.Tab = tab
		if html := apptest.HTML(p.Render()); !strings.Contains(html, `data-act="preset"`) {
			t.Errorf("tab %s: an empty page offers no scenario", tab)
		}
	}
}

// BenchmarkRender is what go-app's part of an animation frame begins with: the page at another record.
func BenchmarkRender(b *testing.B) {
	p := pageOf(session.New(false))
	p.s.Open(session.Kept{}, "")
	for p.s.Compute(session.Slice) {
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.s.Cursor.LookAt(i % p.s.Run().Len())
		if p.Render() == nil {
			b.Fatal("nothing")
		}
	}
}
