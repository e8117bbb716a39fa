package app

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
)

// TestABugInAHandlerDoesNotEndThePage: the page says so, with a report, and works on. If it happens again, it is without the run.
func TestABugInAHandlerDoesNotEndThePage(t *testing.T) {
	p := pageOf(apptest.Session(t))
	text := p.s.Document.Text
	broken := p.guarded(func(app.Context, app.Action) { panic("a bug for the test") })
	broken(app.Context{}, app.Action{})
	html := apptest.HTML(p.Render())
	if !strings.Contains(html, `data-act="report"`) || !strings.Contains(html, "a bug for the test") || p.s.Run() == nil {
		t.Errorf("the page has no report, or no run: %v", p.s.Visit.Notice)
	}
	broken(app.Context{}, app.Action{})
	html = apptest.HTML(p.Render())
	if p.s.Run() != nil || p.s.Document.Text != text || !strings.Contains(html, `data-act="editor"`) {
		t.Errorf("after two bugs: run %v, %d bytes of text", p.s.Run() != nil, len(p.s.Document.Text))
	}
	p.s.Restart()
	apptest.Compute(t, p.s)
	if p.s.Run() == nil {
		t.Errorf("the page is of no use after a bug: %v", p.s.Visit.Notice)
	}
}
