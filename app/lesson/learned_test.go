package lesson

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// TestLearned: a lesson is finished when its last caption is reached in its own run, and the menu ticks it.
func TestLearned(t *testing.T) {
	p := show(session.New(false))
	p.s.LoadScenario("first-rollout")
	apptest.Compute(t, p.s)
	toLast := func() {
		for p.s.Lesson.NextCaption() >= 0 {
			if p.Learn(); strings.Contains(p.Learned, p.s.Document.Preset) {
				t.Fatalf("%q is finished at caption %d", p.Learned, p.s.Lesson.Caption())
			}
			p.s.Lesson.Next()
		}
		p.Learn()
	}
	toLast()
	if p.Learned != "first-rollout" {
		t.Fatalf("finished: %q", p.Learned)
	}
	p.s.LoadScenario("recreate")
	p.s.Kubectl(command.Scale(p.s.Workload(), 4))
	apptest.Compute(t, p.s)
	toLast()
	if p.Learned != "first-rollout" {
		t.Errorf("after a command the captions do not count, but finished is %q", p.Learned)
	}
	p.Learn()
	html := apptest.HTML((&document.Menu{View: document.New(p.s, false).View(p.Learned)}).Box())
	if !strings.Contains(html, "✓ A first rolling update") || strings.Contains(html, "✓ Recreate") || strings.Count(html, "<h3") != len(scenarios.Chapters()) {
		t.Errorf("the menu: %s", html)
	}
	if got := ReadLearned(" recreate no-such-lesson\n first-rollout"); got != "recreate first-rollout" {
		t.Errorf("what was stored is read as %q", got)
	}
}

// TestFormerNames: a link by the former name of a scenario opens what it leads to, and the path continues from there.
func TestFormerNames(t *testing.T) {
	for old, now := range scenarios.Aliases() {
		s := session.New(false)
		if _, ok := s.OpenLink("#s=" + old); !ok || s.Document.Preset != now || s.Document.Text != scenarios.Text(now) || s.Visit.Notice.Bad {
			t.Errorf("%s opens %q: %s", old, s.Document.Preset, s.Visit.Notice.Text)
		}
		if names := scenarios.Names(); slices.Contains(names, old) || s.Lesson.NextName() != names[slices.Index(names, now)+1] {
			t.Errorf("after %s comes %q", old, s.Lesson.NextName())
		}
	}
}
