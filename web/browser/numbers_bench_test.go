package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/performance"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// untilMeasured opens the dialog and answers with the ms until all cells are measured, and how many there are.
const untilMeasured = `new Promise((done) => {
	const from = performance.now();
	const look = () => ` + measured + ` ? done([performance.now() - from, document.querySelectorAll(".heat [data-cell]").length]) : requestAnimationFrame(look);
	document.querySelector('[data-act="numbers"]').click();
	requestAnimationFrame(look);
})`

// BenchmarkNumbers measures from the click that opens the dialog until all its cells are there: those of ten replicas are 49, those of
// fourteen 72. The page measures them itself, in workers that begin with the click, and in workers that are there. Values in ms hold only
// when nothing else runs, those in cpu-ms, of the page's own thread, always. Run it with -benchtime 1x.
func BenchmarkNumbers(b *testing.B) {
	for _, replicas := range []int{10, 14} {
		text := strings.Replace(scenarios.Text("first-rollout"), "  replicas: 10", fmt.Sprint("  replicas: ", replicas), 1)
		fragment, err := link.Encode(link.Link{Recording: engine.Recording{Scenario: text}, View: link.View{Still: true}})
		if err != nil {
			b.Fatal(err)
		}
		for _, where := range []string{"page", "workers"} {
			b.Run(fmt.Sprint(where, "/", replicas), func(b *testing.B) {
				for b.Loop() {
					p := open(b, desktop, "light", "#"+fragment)
					p.waitComputed()
					eval[bool](p, noteWorkers)
					if where == "page" {
						eval[bool](p, "(window.Worker = undefined, true)")
					}
					call(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
					work := p.work()
					took := eval[[]float64](p, untilMeasured)
					b.ReportMetric(1000*(p.work()-work), "cpu-ms/page")
					b.ReportMetric(took[0], "ms/wall")
					b.ReportMetric(took[1], "cells")
					b.ReportMetric(0, "ns/op")
					if where == "workers" {
						b.ReportMetric(eval[float64](p, `noted.findLast(([what]) => what === "ready")[1] - noted[0][1]`), "ms/ready")
						b.ReportMetric(float64(p.notes("answer")), "answers")
						b.ReportMetric(p.again(), "ms/warm")
					}
				}
			})
		}
	}
}

// again lets the workers that are there measure all cells once more.
func (p *tab) again() float64 {
	p.t.Helper()
	return eval[float64](p, `new Promise((done) => {
		const swap = (axis) => {
			const e = document.querySelector('[data-act="numbers-columns"]');
			e.value = axis;
			e.dispatchEvent(new Event("change"));
		};
		const from = performance.now();
		const look = (begun) => {
			const is = `+measured+`;
			if (begun && is) done(performance.now() - from);
			else requestAnimationFrame(() => look(begun || !is));
		};
		swap("maxUnavailable");
		requestAnimationFrame(() => look(false));
	})`)
}
