package numbers

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/scenarios"
)

// TestAnswer: the sentence names the safest settings that take no longer than the present ones, at most five cells are marked, and the
// button takes them over.
func TestAnswer(t *testing.T) {
	s := apptest.Session(t)
	p := New(s)
	p.Open()
	if p.advice() >= 0 {
		t.Error("it answers before anything is measured")
	}
	for p.Computing() {
		p.Compute(Budget)
	}
	i := p.advice()
	if i < 0 {
		t.Fatal("there is no answer")
	}
	chosen, now := &p.grid.Cells[i], 0
	fronts := 0
	for k := range p.grid.Cells {
		if p.grid.Cells[k].Current {
			now = k
		}
		if class, _, _ := p.shown(k); strings.Contains(class, " front") {
			fronts++
		}
	}
	most := tenths(p.grid.Cells[now].Rollout.Duration())
	for k := range p.grid.Cells {
		c := &p.grid.Cells[k]
		if p.completes(k) && tenths(c.Rollout.Duration()) <= most && c.Rollout.LowestPercent() > chosen.Rollout.LowestPercent() {
			t.Errorf("%s is safer than %s, and no slower than now", p.title(c), p.title(chosen))
		}
	}
	if fronts == 0 || fronts > marked {
		t.Errorf("%d cells are marked", fronts)
	}
	html := apptest.HTML(p.answer())
	if !strings.Contains(html, "maxSurge "+first(chosen.X)+", maxUnavailable "+first(chosen.Y)+" (") || !strings.Contains(html, "never below 10)") {
		t.Errorf("it says %s", html)
	}
	p.UseIt()
	if !strings.Contains(s.Recording().Scenario, "maxUnavailable: 0") {
		t.Errorf("the manifest does not have the settings:\n%s", s.Recording().Scenario)
	}
}

// TestAnswerIsAboutTheText: the text's own bounds are among the cells, whatever they are. Where its settings are none of the cells, nothing
// is compared with now; and where all pods go, the sentence says for how long.
func TestAnswerIsAboutTheText(t *testing.T) {
	for _, tt := range []struct{ lesson, bounds, says string }{
		{"first-rollout", "maxSurge: 40%, maxUnavailable: 0", "Safest, and no slower than now: maxSurge "},
		{"first-rollout", "maxSurge: 100%, maxUnavailable: 0", "Nothing is safer without being slower: maxSurge "},
		{"recreate", "", "Safest of these: preStop 0, start time 500ms (7.4 s, outage 6.6 s)"},
	} {
		s := apptest.Session(t)
		text := scenarios.Text(tt.lesson)
		if tt.bounds != "" {
			before, after, _ := strings.Cut(text, "  strategy:\n")
			_, after, _ = strings.Cut(after, "  template:\n")
			text = before + "  strategy: {rollingUpdate: {" + tt.bounds + "}}\n  template:\n" + after
		}
		s.NewText(text)
		apptest.Compute(t, s)
		p := New(s)
		p.Open()
		finish(t, p)
		if now := p.current() >= 0; now != (tt.bounds != "") {
			t.Errorf("%s, %s: there is a cell of the present settings: %v", tt.lesson, tt.bounds, now)
		}
		if html := apptest.HTML(p.answer()); !strings.Contains(html, tt.says) {
			t.Errorf("%s, %s: it says %s", tt.lesson, tt.bounds, html)
		}
	}
}

// TestNoAdviceWithoutPods: where no pod is replaced, no settings are safer than others, and none are marked.
func TestNoAdviceWithoutPods(t *testing.T) {
	s := apptest.Session(t)
	s.NewText(strings.Replace(s.Recording().Scenario, "replicas: 10", "replicas: 0", 1))
	apptest.Compute(t, s)
	p := New(s)
	p.Open()
	for p.Computing() {
		p.Compute(Budget)
	}
	if i := p.advice(); i >= 0 || len(p.best()) > 0 {
		t.Errorf("without pods it says %s", apptest.HTML(p.answer()))
	}
	if !p.completes(p.current()) {
		t.Error("the present settings do not complete, so this tests nothing")
	}
}

// TestABrokenUpdateIsNotCompared: where the first update is broken, or another one takes its place, cells have a good update, also in
// the workers, and its settings can be used.
func TestABrokenUpdateIsNotCompared(t *testing.T) {
	for _, lesson := range []string{"bad-image", "rollover"} {
		p := opened(t, lesson)
		complete := 0
		for i := range p.grid.Cells {
			if p.completes(i) {
				complete++
			}
		}
		if !p.cut || complete*4 < len(p.grid.Cells)*3 {
			t.Errorf("%s: %d of %d cells complete", lesson, complete, len(p.grid.Cells))
		}
		p.UseIt()
		apptest.Compute(t, p.s)
		if all := forecast.New(p.s.Run().Past()).Rollouts(p.s.Workload()); len(all) != 2 || all[1].Result != forecast.Complete {
			t.Errorf("%s: the settings lead to %+v", lesson, all)
		}
	}
	if p := begun(t, "first-rollout"); p.cut {
		t.Error("a good update is not compared")
	}
	s := apptest.Session(t)
	s.NewText("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 4\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: \"web:1\"}]}\n")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	s.Break(`{match: "web:bad", pull: fails}`, "kubectl set image deployment/web web=web:bad")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	s.Kubectl("kubectl rollout undo deployment/web")
	apptest.Compute(t, s)
	p := New(s)
	p.Open()
	finish(t, p)
	if i := p.advice(); !p.cut || i < 0 || !p.completes(i) || p.grid.Cells[i].Rollout.LowestPercent() != 100 {
		t.Errorf("after a broken update and its undo the advice is cell %d", i)
	}
}
