package numbers

import (
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// begun returns the dialog of a lesson of which nothing is measured yet.
func begun(t *testing.T, lesson string) *Panel {
	t.Helper()
	s := apptest.Session(t)
	s.LoadScenario(lesson)
	apptest.Compute(t, s)
	p := New(s)
	p.Open()
	return p
}

// opened returns the measured dialog of a lesson.
func opened(t *testing.T, lesson string) *Panel {
	t.Helper()
	p := begun(t, lesson)
	finish(t, p)
	return p
}

func finish(t *testing.T, p *Panel) {
	t.Helper()
	p.Compute(time.Hour)
	if p.wrong != "" || p.grid == nil || !p.cells.whole() {
		t.Fatalf("%d cells are measured: %s", p.cells.done, p.wrong)
	}
}

// TestTheCellOfTheRun: the cell that is chosen first is the run that is shown, with the numbers of its scorecard.
func TestTheCellOfTheRun(t *testing.T) {
	p := opened(t, "first-rollout")
	all := forecast.New(p.s.Run().Past()).Rollouts(p.s.Workload())
	got, want := p.Cell(), all[len(all)-1]
	if got == nil || !got.Current || got.Rollout.Duration() != want.Duration() || got.Rollout.Figures != want.Figures {
		t.Errorf("the cell has %+v, the run %+v", got, want)
	}
	if class, title, text := p.shown(0); !strings.Contains(class, "impossible") || text != "refused" || !strings.Contains(title, "may not be 0") {
		t.Errorf("0 and 0 is %s, %q, %q", class, title, text)
	}
}

// TestUseACell: its settings are written into the manifest, the run is that of the cell, and undo takes both back.
func TestUseACell(t *testing.T) {
	p := opened(t, "first-rollout")
	before := p.s.Document.Text
	for i := range p.grid.Cells {
		if c := &p.grid.Cells[i]; c.Problem == sweep.Fine && c.Surge == 5 && c.Down == 0 {
			p.Choose(i)
		}
	}
	want := p.Cell().Rollout
	p.Use()
	apptest.Compute(t, p.s)
	if text := p.s.Document.Text; !strings.Contains(text, "maxSurge: 50%") && !strings.Contains(text, "maxSurge: 5") || !strings.Contains(text, "maxUnavailable: 0") {
		t.Errorf("the manifest is\n%s", text)
	}
	all := forecast.New(p.s.Run().Past()).Rollouts(p.s.Workload())
	if got := all[len(all)-1]; got.Duration() != want.Duration() || got.Figures != want.Figures {
		t.Errorf("the run has %+v, the cell %+v", got, want)
	}
	p.s.Undo()
	if p.s.Document.Text != before {
		t.Error("undo does not bring the manifest back")
	}
}

// TestFollowACell opens its run, which has the update even where the recording has none.
func TestFollowACell(t *testing.T) {
	p := opened(t, "three-replicas")
	c := p.Cell()
	p.Follow()
	apptest.Compute(t, p.s)
	if len(p.s.Recording().Commands) != len(c.Recording.Commands) || p.s.Recording().Scenario != c.Recording.Scenario || p.open {
		t.Errorf("it shows %+v", p.s.Recording())
	}
}

// TestAxes: the same setting on both makes them change places, and one that does not fit says so.
func TestAxes(t *testing.T) {
	p := opened(t, "first-rollout")
	p.SetAxis(0, "maxUnavailable")
	if p.axes != [2]string{"maxUnavailable", "maxSurge"} {
		t.Errorf("the axes are %v", p.axes)
	}
	p.SetAxis(1, "minReadySeconds")
	finish(t, p)
	if rows := p.grid.Y.Values; rows[len(rows)-1] != "60" {
		t.Errorf("the rows are %v", rows)
	}
	p.SetAxis(1, "partition")
	if !strings.Contains(p.wrong, "only a StatefulSet") || p.grid != nil {
		t.Errorf("the page says %q", p.wrong)
	}
}

// TestShades: the best cell is 0 and the worst the last, also where more is better. Of two that are as safe the shorter one is the better.
func TestShades(t *testing.T) {
	p := opened(t, "first-rollout")
	for k := range figures {
		p.Color(k)
		best, worst := -1, -1
		for i := range p.grid.Cells {
			c := &p.grid.Cells[i]
			if c.Problem != sweep.Fine {
				continue
			}
			better := func(j int) bool {
				other := &p.grid.Cells[j].Rollout
				a, b := figures[k].Of(&c.Rollout), figures[k].Of(other)
				if a == b && (k == lowest || k == failed) { // of equally safe ones the shorter
					return c.Rollout.Duration() < other.Duration()
				}
				return a != b && (a > b) == figures[k].More
			}
			if best < 0 || better(best) {
				best = i
			}
			if worst < 0 || !better(worst) && figures[k].Of(&c.Rollout) != figures[k].Of(&p.grid.Cells[worst].Rollout) {
				worst = i
			}
		}
		if p.shade(best) != 0 || figures[k].Of(&p.grid.Cells[worst].Rollout) != figures[k].Of(&p.grid.Cells[best].Rollout) && p.shade(worst) != shades-1 {
			t.Errorf("%s: the best cell has shade %d, the worst %d", lang.English.Say(figures[k].name), p.shade(best), p.shade(worst))
		}
	}
}

// TestAxesOfTheKind: each kind opens with settings that it has, and is offered no other.
func TestAxesOfTheKind(t *testing.T) {
	for lesson, want := range map[string][2]string{
		"first-rollout": {"maxSurge", "maxUnavailable"}, "sts-rolling": {"maxUnavailable", "minReadySeconds"}, "ds-rolling": {"maxSurge", "maxUnavailable"},
		"recreate": {"preStop", "start"},
	} {
		p := begun(t, lesson)
		if p.wrong != "" || p.axes != want {
			t.Errorf("%s: %v, %s", lesson, p.axes, p.wrong)
		}
		for _, name := range p.axisNames() {
			p.SetAxis(0, name)
			if p.wrong != "" {
				t.Errorf("%s: %s is offered: %s", lesson, name, p.wrong)
			}
		}
	}
}

// TestTold: every measure of a scorecard can colour the cells, and what is 0 is told only of the first ones.
func TestTold(t *testing.T) {
	known := map[string]bool{}
	for i := range figures {
		known[figures[i].Name] = true
	}
	for i := range forecast.Measures {
		if !known[forecast.Measures[i].Name] {
			t.Errorf("%s is missing", forecast.Measures[i].Name)
		}
	}
	p := opened(t, "first-rollout")
	said := map[lang.Message]string{}
	for _, f := range p.cellFigures(p.Cell()) {
		said[f.Name] = f.Text
	}
	for name, want := range map[lang.Message]string{"numbers-outage": "0 s", "numbers-refused": "", "numbers-created": "10", "numbers-peak": "18"} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
}
