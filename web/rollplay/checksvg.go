package main

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
)

// The measures of the chart, in px.
const (
	panelWidth, panelHeight = 720, 130
	plotLeft, plotTop       = 40, 26
	plotWidth, plotHeight   = panelWidth - plotLeft - 12, 84
	panelsMax               = 12
)

// draw returns the chart of the update with the first seed: a panel for each workload that changes, with its available pods as an area,
// all of its pods as a line, and its bounds.
func (j *judgement) draw() []byte {
	r := j.shown()
	panels := j.check.Changed()
	panels = panels[:min(len(panels), panelsMax)]
	from, to := j.check.Shown()
	var b strings.Builder
	openSVG(&b, panelWidth, panelHeight*len(panels), "pods during the update")
	for i, name := range panels {
		drawPanel(&b, i*panelHeight, name, r.Frames(name), from, to)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// shown returns the run of the first seed, which is played once for all pictures.
func (j *judgement) shown() *engine.Run {
	if j.run == nil {
		j.run, _ = engine.StartIn(j.watch.library(), j.check.Recording())
		j.run.Finish()
	}
	return j.run
}

// drawPanel draws one workload.
func drawPanel(b *strings.Builder, top int, name string, frames []engine.Frame, from, to int64) {
	high := 1
	for i := range frames {
		high = max(high, frames[i].Total+frames[i].Terminating, frames[i].Upper)
	}
	x := func(t int64) float64 {
		return plotLeft + float64(min(max(t, from), to)-from)*plotWidth/float64(to-from)
	}
	y := func(n int) float64 { return float64(top+plotTop+plotHeight) - float64(n)*plotHeight/float64(high) }
	path := func(of func(*engine.Frame) int) string {
		var p strings.Builder
		move := "M%.1f %.1f"
		for i := range frames {
			f := &frames[i]
			if i+1 < len(frames) && frames[i+1].T <= from || f.T > to {
				continue
			}
			fmt.Fprintf(&p, move, x(f.T), y(of(f)))
			move = "H%.1fV%.1f"
		}
		fmt.Fprintf(&p, "H%.1f", x(to))
		return p.String()
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="600">%s</text>`, plotLeft, top+16, esc(shortName(name)))
	for _, n := range []int{0, high} {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#555">%d</text>`, plotLeft-6, y(n)+4, n)
	}
	available := path(func(f *engine.Frame) int { return f.Available })
	line := func(line, style string) { fmt.Fprintf(b, `<path d="%s" fill="none" %s/>`, line, style) }
	fmt.Fprintf(b, `<path d="%sV%.1fH%dZ" fill="#bfe3c6"/>`, available, y(0), plotLeft)
	line(available, `stroke="#1a7f37" stroke-width="1.5"`)
	line(path(func(f *engine.Frame) int { return f.Total + f.Terminating }), `stroke="#0b57d0" stroke-width="1.5"`)
	line(path(func(f *engine.Frame) int { return f.Lower }), `stroke="#b35900" stroke-dasharray="4 3"`)
	line(path(func(f *engine.Frame) int { return f.Upper }), `stroke="#b35900" stroke-dasharray="4 3"`)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" fill="#555">green: available, blue: all pods, dashed: bounds, %s in all</text>`+"\n",
		panelWidth-12, top+16, forecast.Millis.Text(to-from))
}
