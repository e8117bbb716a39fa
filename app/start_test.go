package app

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/start"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestStartPanel: it offers three ways above the figure, and "break it" opens something that is broken.
func TestStartPanel(t *testing.T) {
	p := pageOf(apptest.Session(t))
	p.start.Open = true
	html := apptest.HTML(p.Render())
	for _, act := range []string{"start-show", "start-break", "start-own", "start-close"} {
		if strings.Count(html, `data-act="`+act+`"`) != 1 {
			t.Errorf("no %s, or several", act)
		}
	}
	if !strings.Contains(html, `data-act="lesson"`) {
		t.Error("the panel takes the lesson away")
	}
	p.start.Open = false
	if html := apptest.HTML(p.Render()); strings.Contains(html, `data-act="start-show"`) || !strings.Contains(html, `data-act="lesson"`) {
		t.Error("the panel is closed, and there, or there is no lesson")
	}
	if sc, _ := scenario.Parse(scenarios.Text(session.FirstScenario)); len(sc.Captions) == 0 {
		t.Errorf("%s, which \"show me\" plays, has no lesson", session.FirstScenario)
	}
	s := session.New(false)
	s.LoadScenario(start.BreakScenario)
	if s.Run() == nil {
		t.Fatalf("%s does not run: %s", start.BreakScenario, s.Visit.Notice.Text)
	}
	apptest.Compute(t, s)
	stuck := false
	for t := int64(0); t <= s.End() && !stuck; t += cursor.Second {
		stuck = diagnosis.Of(s.Run().Past(), s.Workload(), s.Run().Past().Find(t), t).State == diagnosis.StateStuck
	}
	if !stuck {
		t.Errorf("%s is never stuck", start.BreakScenario)
	}
}
