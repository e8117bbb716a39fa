package app

import (
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/session"
)

func TestPaceRendersOnlyWhatChanged(t *testing.T) {
	var c pace
	now := time.Unix(1000, 0)
	d := drawn{revision: 3}
	if !c.due(d, now) {
		t.Fatal("a first state is due")
	}
	c.rendered(d, now)
	c.finished(now.Add(2 * time.Millisecond))
	if c.due(d, now) {
		t.Error("the same state is due again")
	}
	d.revision = 4
	if !c.due(d, now.Add(16*time.Millisecond)) {
		t.Error("another record is not due in the next frame")
	}
}

func TestPacePutsOffAfterAnExpensiveRender(t *testing.T) {
	var c pace
	now := time.Unix(1000, 0)
	c.rendered(drawn{revision: 1}, now)
	now = now.Add(40 * time.Millisecond)
	c.finished(now)
	if d := (drawn{revision: 2}); c.due(d, now.Add(20*time.Millisecond)) || !c.due(d, now.Add(40*time.Millisecond)) {
		t.Error("the next render should wait for as long as the last one took")
	}
}

func TestPaceOfTheChart(t *testing.T) {
	now := time.Unix(1000, 0)
	shown := figure{run: 1, computed: session.Extent{Records: 10, End: 500}, workload: "Deployment/default/web"}
	grown := shown
	grown.computed = session.Extent{Records: 20, End: 900}
	done, other := grown, shown
	done.computed.Done = true
	other.run = 2
	for _, c := range []struct {
		name  string
		d     figure
		after time.Duration
		want  bool
	}{
		{"only the cursor moved", shown, time.Hour, false},
		{"the run grew a moment ago", grown, 16 * time.Millisecond, false},
		{"the run grew a while ago", grown, chartEvery, true},
		{"the run is done", done, 0, true},
		{"another run", other, 0, true},
	} {
		p := pace{chart: shown, charted: now}
		if got := p.chartDue(c.d, now.Add(c.after)); got != c.want {
			t.Errorf("%s: due %v, want %v", c.name, got, c.want)
		}
	}
	slow := pace{chart: shown, charted: now, drawing: 100 * time.Millisecond}
	if slow.chartDue(grown, now.Add(chartEvery)) || !slow.chartDue(grown, now.Add(time.Second)) {
		t.Error("a chart that takes 100 ms is not drawn once a second")
	}
}

// TestBudget: a run is computed in half of the time, however long drawing takes, up to a limit.
func TestBudget(t *testing.T) {
	for dt, want := range map[float64]time.Duration{5: 7 * time.Millisecond, 20: 10 * time.Millisecond, 60: 30 * time.Millisecond, 200: 100 * time.Millisecond, 250: 100 * time.Millisecond} {
		if got := budget(dt); got != want {
			t.Errorf("a frame %v ms after the last one computes for %s, want %s", dt, got, want)
		}
	}
}
