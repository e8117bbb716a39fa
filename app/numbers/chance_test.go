package numbers

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine/forecast"
)

// TestVary: the seeds of the chosen cell have its settings, the table has their percentiles, and the worst seed's run can be opened.
func TestVary(t *testing.T) {
	p := opened(t, "first-rollout")
	if strings.Contains(apptest.HTML(p.Render()), `data-act="numbers-chance"`) || p.seeds != nil {
		t.Error("seeds are measured before anybody asks")
	}
	p.Vary()
	if html := apptest.HTML(p.chanceView()); p.draws.done != 0 || strings.Contains(html, "<svg") || !strings.Contains(html, "100 seeds: maxSurge 3") || !p.Computing() {
		t.Errorf("at first: %s", html)
	}
	p.Compute(time.Hour)
	told, cell, html := p.percentiles(), p.Cell(), apptest.HTML(p.chanceView())
	if p.draws.done != seedsCount || len(told) < figuresAlways || len(told) > len(figures) || !strings.Contains(html, p.lang().Say("numbers-fan")) ||
		p.seeds.Outcomes[0].Rollout != cell.Rollout {
		t.Errorf("in the end: %s", html)
	}
	if d := p.seeds.Durations(); told[0].Text != figures[duration].text(d.P5)+" · "+figures[duration].text(d.P50)+" · "+figures[duration].text(d.P95) || d.P5 >= d.P95 {
		t.Errorf("the first row is %+v, want %+v", told[0], d)
	}
	worst := p.seeds.Outcomes[p.seeds.Worst()]
	p.FollowWorst()
	apptest.Compute(t, p.s)
	all := forecast.New(p.s.Run().Past()).Rollouts(p.s.Workload())
	if got := all[len(all)-1]; got.Duration() != worst.Rollout.Duration() || got.Figures != worst.Rollout.Figures || p.open {
		t.Errorf("the run has %+v, the worst seed %+v", got, worst.Rollout)
	}
	p.Open()
	if p.seeds != nil {
		t.Error("the seeds of another run are still shown")
	}
}

// drawing is what the page's policy accepts as HTML (web/shell/trusted.js).
var drawing = regexp.MustCompile(`^(<svg( (class|viewBox|aria-hidden)="[\w .-]*")+>(<path( (class|fill-rule|d)="[\w .-]*")+/>)+</svg>)$`)

// TestFanDrawing: the drawing stays within its box, the median lies within its band, and the page's policy accepts it.
func TestFanDrawing(t *testing.T) {
	p := opened(t, "first-rollout")
	p.Vary()
	p.Compute(time.Hour)
	moments := p.seeds.Fan(fanColumns)
	svg := fan(moments, highest(moments))
	if !drawing.MatchString(svg) || strings.Count(svg, "<path") != 4 || len(svg) > 8000 {
		t.Errorf("%d bytes: %s", len(svg), svg)
	}
	for _, corner := range regexp.MustCompile(`[ML](\S+) ([\d-]+)`).FindAllStringSubmatch(svg, -1) {
		if strings.HasPrefix(corner[2], "-") || len(corner[2]) > 3 || len(corner[1]) > 3 {
			t.Errorf("a corner is at %s, %s", corner[1], corner[2])
		}
	}
}
