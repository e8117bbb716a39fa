package browser_test

import (
	"strings"
	"testing"

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

// BenchmarkNumbers measures from the click that opens the dialog until all its cells are there: those of ten replicas, which are 49, and
// of twenty, which are 81. Nothing else may run. Run it with -benchtime 1x.
func BenchmarkNumbers(b *testing.B) {
	for _, tt := range []struct{ name, replicas string }{{"ten", "replicas: 10"}, {"twenty", "replicas: 20"}} {
		b.Run(tt.name, func(b *testing.B) {
			text := strings.Replace(scenarios.Text("first-rollout"), "  replicas: 10", "  "+tt.replicas, 1)
			fragment, err := link.Encode(link.Link{Recording: engine.Recording{Scenario: text}, View: link.View{Still: true}})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p := open(b, desktop, "light", "#"+fragment)
				p.waitComputed()
				eval[bool](p, noteWorkers)
				took := eval[[]float64](p, untilMeasured)
				began := eval[float64](p, `noted.find(([what]) => what === "began")[1]`)
				for _, name := range []string{"first", "last"} {
					at := eval[float64](p, `noted.filter(([what]) => what === "ready").at(`+map[string]string{"first": "0", "last": "-1"}[name]+`)?.[1] ?? NaN`)
					b.ReportMetric(at-began, "ms/"+name+"-worker")
				}
				b.ReportMetric(eval[float64](p, `noted.filter(([what]) => what === "answer").length`), "cells-of-workers")
				b.ReportMetric(took[0], "ms/wall")
				b.ReportMetric(took[1], "cells")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
