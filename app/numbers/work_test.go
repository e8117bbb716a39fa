package numbers

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// answers is what a worker reports of some runs of a work.
func answers(t *testing.T, w *work, list ...int) string {
	t.Helper()
	hand, err := sweep.NewHand(w.of.Task())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range list {
		all = append(all, fmt.Sprintf(`{"I":%d,"Answer":%s}`, i, hand.Run(i)))
	}
	return fmt.Sprintf(`{"Of":%d,"Answers":[%s]}`, w.id, strings.Join(all, ","))
}

// TestWorkers: what workers answer, in any order, is what the page would have measured itself; until they are ready, it does.
func TestWorkers(t *testing.T) {
	want, p := opened(t, "first-rollout"), begun(t, "first-rollout")
	p.Compute(1) // one cell
	if p.cells.done != 1 || !p.Computing() {
		t.Fatalf("%d cells are measured", p.cells.done)
	}
	p.Hear(`{"Ready":true}`)
	if p.Compute(time.Hour); p.cells.done != 1 || p.given != p.cells.id {
		t.Errorf("%d cells are measured here, the workers have work %d", p.cells.done, p.given)
	}
	missing := p.cells.missing()
	if len(missing) != len(p.grid.Cells)-1 || missing[0] != 1 {
		t.Errorf("the workers get %v", missing)
	}
	slices.Reverse(missing)
	half := len(missing) / 2
	p.Hear(answers(t, p.cells, missing[:half]...))
	if p.ranked || p.cells.done != 1+half {
		t.Errorf("%d cells, ranked %t", p.cells.done, p.ranked)
	}
	p.Hear(answers(t, p.cells, missing[half:]...))
	p.Hear(answers(t, p.cells, 3)) // twice
	if p.Computing() || !reflect.DeepEqual(p.grid.Cells, want.grid.Cells) || p.chosen != want.chosen || p.Cell() == nil {
		t.Errorf("%d cells, of which %d is chosen, want %d:\n%+v\nwant\n%+v", p.cells.done, p.chosen, want.chosen, p.grid.Cells, want.grid.Cells)
	}

	p.Vary()
	want.Vary()
	finishSeeds(t, want)
	if p.given != p.draws.id {
		t.Error("the seeds are not handed over")
	}
	p.Hear(answers(t, p.draws, p.draws.missing()...))
	if !reflect.DeepEqual(p.percentiles(), want.percentiles()) || !reflect.DeepEqual(p.seeds.Fan(fanColumns), want.seeds.Fan(fanColumns)) ||
		p.seeds.Worst() != want.seeds.Worst() || !p.varied() {
		t.Errorf("the seeds give\n%+v\nwant\n%+v", p.percentiles(), want.percentiles())
	}
}

func finishSeeds(t *testing.T, p *Panel) {
	t.Helper()
	if p.Compute(time.Hour); !p.varied() {
		t.Fatalf("%d seeds are measured", p.draws.done)
	}
}

// TestLateWorkers: answers about settings that somebody has left change nothing, and seeds go before the rest of the cells.
func TestLateWorkers(t *testing.T) {
	p := begun(t, "first-rollout")
	p.Hear(`{"Ready":true}`)
	old := p.cells
	late := answers(t, old, 0, 1)
	p.SetAxis(1, "grace")
	if p.given != p.cells.id || p.given == old.id {
		t.Error("the workers still have the old cells")
	}
	if p.Hear(late); p.cells.done != 0 || !p.crew {
		t.Errorf("%d cells are measured", p.cells.done)
	}
	i := slices.IndexFunc(p.grid.Cells, func(c sweep.Cell) bool { return c.X != "0" })
	p.Hear(answers(t, p.cells, i))
	p.Choose(i)
	if p.Vary(); p.given != p.draws.id || p.present() != p.draws {
		t.Error("the seeds wait for the cells")
	}
	p.Hear(answers(t, p.cells, 0)) // was under way
	p.Hear(answers(t, p.draws, p.draws.missing()...))
	if p.given != p.cells.id || p.cells.done != 2 || !p.varied() {
		t.Errorf("the workers have work %d, %d cells are measured", p.given, p.cells.done)
	}
}

// TestLostWorkers: the page measures what is missing itself, whatever became of the workers.
func TestLostWorkers(t *testing.T) {
	want := opened(t, "three-replicas")
	for name, report := range map[string]func(*Panel) string{
		"lost":          func(*Panel) string { return `{"Lost":true}` },
		"damaged":       func(*Panel) string { return `{"Of":` },
		"another cell":  func(p *Panel) string { return strings.Replace(answers(t, p.cells, 0), `"I":0`, `"I":1000`, 1) },
		"another value": func(p *Panel) string { return strings.Replace(answers(t, p.cells, 0), `"Surge":`, `"Surge":"`, 1) },
		"no number":     func(p *Panel) string { return fmt.Sprintf(`{"Of":%d,"Answers":[{"I":0,"Answer":"x"}]}`, p.cells.id) },
	} {
		p := begun(t, "three-replicas")
		p.Hear(`{"Ready":true}`)
		p.Hear(answers(t, p.cells, 2))
		p.Hear(report(p))
		if p.crew {
			t.Errorf("%s: the workers are still there", name)
		}
		finish(t, p)
		if !reflect.DeepEqual(p.grid.Cells, want.grid.Cells) {
			t.Errorf("%s: the cells are\n%+v\nwant\n%+v", name, p.grid.Cells, want.grid.Cells)
		}
	}
}

// TestStop: nothing is measured until somebody continues, then the rest is; the seeds of a cell continue it, too.
func TestStop(t *testing.T) {
	p := begun(t, "first-rollout")
	p.Hear(`{"Ready":true}`)
	p.Hear(answers(t, p.cells, 0, 1))
	p.Stop()
	if p.Compute(time.Hour); p.Computing() || p.crew || p.cells.done != 2 {
		t.Errorf("it is stopped, and computing is %t: %d cells", p.Computing(), p.cells.done)
	}
	p.Hear(`{"Ready":true}`) // was under way
	if p.Stop(); !p.Computing() {
		t.Error("it does not continue")
	}
	p.Hear(`{"Lost":true}`)
	finish(t, p)
	p.Vary()
	p.Stop()
	if p.Vary(); !p.Computing() || p.draws.done != 0 {
		t.Error("new seeds do not continue")
	}
	p.Close()
	if p.Computing() || p.crew {
		t.Error("it is closed, and computing")
	}
	if p.Open(); !p.Computing() {
		t.Error("it does not continue when it is opened again")
	}
	var h heard
	if err := json.Unmarshal([]byte(`{"Ready":true,"Of":2,"Answers":[]}`), &h); err != nil || !h.Ready || h.Of != 2 {
		t.Errorf("%+v, %v", h, err)
	}
}
