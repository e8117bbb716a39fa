package numbers

import (
	"encoding/json"
	"time"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// work is runs to be measured, in any order: the cells of a grid, or seeds.
type work struct {
	id   int // no other work of the panel has it
	of   runs
	have []bool
	done int // how many of them
	next int // here: those before it are measured or handed over
}

// runs are a sweep.Grid or sweep.Seeds.
type runs interface {
	Run(i int, library *scenario.Library)
	Task() string
	Take(i int, answer string) error
}

func (p *Panel) newWork(of runs, n int) *work {
	p.works++
	return &work{id: p.works, of: of, have: make([]bool, n)}
}

func (w *work) whole() bool { return w.done == len(w.have) }

func (w *work) measured(i int) {
	if !w.have[i] {
		w.have[i] = true
		w.done++
	}
}

func (w *work) missing() (list []int) {
	for i, have := range w.have {
		if !have {
			list = append(list, i)
		}
	}
	return list
}

// one measures the next run here.
func (w *work) one(library *scenario.Library) {
	for w.have[w.next] {
		w.next++
	}
	w.of.Run(w.next, library)
	w.measured(w.next)
}

// present is what is measured now: seeds, which somebody asked for later, before cells; nil if nothing is left.
func (p *Panel) present() *work {
	return p.find(func(w *work) bool { return !w.whole() })
}

// find returns the first work that is meant, nil if none is.
func (p *Panel) find(meant func(*work) bool) *work {
	for _, w := range [...]*work{p.draws, p.cells} {
		if w != nil && meant(w) {
			return w
		}
	}
	return nil
}

// Computing says that cells or seeds are still to be measured.
func (p *Panel) Computing() bool { return p.open && !p.stopped && p.present() != nil }

// Measured counts the runs that are measured.
func (p *Panel) Measured() (n int) {
	p.find(func(w *work) bool { n += w.done; return false })
	return n
}

// Compute measures runs for some time, at least one, unless workers do.
func (p *Panel) Compute(d time.Duration) {
	if p.crew {
		return
	}
	for start := time.Now(); p.Computing(); {
		p.present().one(&p.library)
		if p.progressed(); time.Since(start) >= d {
			return
		}
	}
}

// progressed follows a run that was measured.
func (p *Panel) progressed() {
	if p.cells.whole() && !p.ranked {
		p.grid.Rank()
		p.ranked = true
	}
	if !p.picked {
		p.Choose(p.current())
	}
}

// handOver gives the workers the next measurements.
func (p *Panel) handOver() {
	if w := p.present(); p.crew && p.Computing() && w.id != p.given {
		p.given = w.id
		browser.GiveWorkers(w.id, w.of.Task(), w.missing())
	}
}

// heard is what the workers report.
type heard struct {
	Ready, Lost bool
	Of          int // the id of a work
	Answers     []struct {
		I      int
		Answer json.RawMessage
	}
}

// Hear takes a report of the workers. What it cannot read ends them: then the rest is measured here.
func (p *Panel) Hear(report string) {
	var h heard
	if json.Unmarshal([]byte(report), &h) != nil || h.Lost || !p.take(&h) {
		p.dismiss()
		return
	}
	p.crew = p.crew || h.Ready && p.open && !p.stopped
	p.handOver()
}

// take takes the answers of a report. Its work may be that of settings that somebody has left.
func (p *Panel) take(h *heard) bool {
	w := p.find(func(w *work) bool { return w.id == h.Of })
	for i := range h.Answers {
		a := &h.Answers[i]
		if w == nil {
			break
		}
		if a.I < 0 || a.I >= len(w.have) || w.of.Take(a.I, string(a.Answer)) != nil {
			return false
		}
		w.measured(a.I)
		p.progressed()
	}
	return true
}

// A worker takes memory: the program itself, and about twice its run. Together they get what a tab should stay below.
const (
	memoryOfAll = 512 << 20
	memoryOfOne = 48 << 20
)

func (p *Panel) hire() {
	one := int64(memoryOfOne)
	if r := p.s.Run(); r != nil {
		one += 2 * r.Bytes()
	}
	browser.StartWorkers(int(max(1, memoryOfAll/one)))
}

func (p *Panel) dismiss() {
	p.crew, p.given = false, 0
	browser.EndWorkers()
}

// Stop stops measuring, or continues.
func (p *Panel) Stop() {
	if p.stopped = !p.stopped; p.stopped {
		p.dismiss()
	} else {
		p.hire()
	}
}

var _ = [...]runs{(*sweep.Grid)(nil), (*sweep.Seeds)(nil)}
