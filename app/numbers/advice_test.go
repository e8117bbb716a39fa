package numbers

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
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
	if !strings.Contains(html, p.title(chosen)) || !strings.Contains(html, "never below 100%") {
		t.Errorf("it says %s", html)
	}
	p.UseIt()
	if !strings.Contains(s.Recording().Scenario, "maxUnavailable: 0") {
		t.Errorf("the manifest does not have the settings:\n%s", s.Recording().Scenario)
	}
}
