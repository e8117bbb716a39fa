package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/web/must"
)

// The measures of the heat map, in px.
const (
	cellWidth, cellHeight = 92, 44
	leftWidth, headHeight = 150, 92
	footHeight            = 26
)

// svg draws a heat map: green is good, red is bad, impossible cells are hatched, the Pareto front is outlined, and the present choice
// has a dot.
func (w *gridWriter) svg() {
	g := w.grid
	width, height := leftWidth+cellWidth*len(g.X.Values)+10, headHeight+cellHeight*len(g.Y.Values)+footHeight
	var b strings.Builder
	name, figure := esc(shortName(g.Plan.Workload)), w.color.Name
	switch w.color.Unit {
	case forecast.PodMillis:
		figure += " (pod-seconds)"
	case forecast.NodeMillis:
		figure += " (node-hours)"
	}
	openSVG(&b, width, height, fmt.Sprintf("%s: %s by %s and %s", name, figure, g.X.Name, g.Y.Name))
	b.WriteString(`<defs><pattern id="no" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="8" height="8" fill="#eee"/><rect width="3" height="8" fill="#bbb"/></pattern></defs>` + "\n")
	fmt.Fprintf(&b, `<text x="10" y="22" font-size="15" font-weight="600">%s</text>`, name)
	fmt.Fprintf(&b, `<text x="10" y="42" fill="#444">%s: green is better</text>`+"\n", figure)
	fmt.Fprintf(&b, `<text x="%d" y="66" font-weight="600">%s →</text>`, leftWidth, g.X.Name)
	fmt.Fprintf(&b, `<text x="10" y="84" font-weight="600">%s ↓</text>`+"\n", g.Y.Name)
	for i, x := range g.X.Values {
		fmt.Fprintf(&b, `<text x="%d" y="84" text-anchor="middle">%s</text>`+"\n", leftWidth+i*cellWidth+cellWidth/2, esc(short(x)))
	}
	for i, y := range g.Y.Values {
		fmt.Fprintf(&b, `<text x="10" y="%d">%s</text>`+"\n", headHeight+i*cellHeight+26, esc(short(y)))
	}
	low, high := w.span()
	for i := range g.Cells {
		w.cell(&b, i, low, high)
	}
	fmt.Fprintf(&b, `<text x="10" y="%d" fill="#444">outlined: nothing else is better in time, availability and pods alike; `+
		"dot: the present choice; hatched: impossible</text>\n</svg>\n", height-9)
	must.Have(io.WriteString(w.out, b.String()))
}

// cell draws one cell, with its figures as a tooltip.
func (w *gridWriter) cell(b *strings.Builder, i int, low, high int64) {
	c, columns := &w.grid.Cells[i], len(w.grid.X.Values)
	x, y := leftWidth+i%columns*cellWidth, headHeight+i/columns*cellHeight
	fill, line, tip := "url(#no)", string(c.Problem), c.Reason
	if c.Problem == sweep.Fine {
		value := w.color.Of(&c.Rollout)
		fill, line = w.shade(value, low, high), w.color.Unit.Text(value)
		took := forecast.Millis.Text(c.Rollout.Duration())
		tip = fmt.Sprintf("%s, lowest %s, %d pods at most%s", took, c.Rollout.LowestText(), c.Rollout.PeakPods, requestsFail(&c.Rollout))
	}
	stroke := `stroke="#fff"`
	if c.Front {
		stroke = `stroke="#111" stroke-width="2.5"`
	}
	fmt.Fprintf(b, `<g><title>%s %s, %s %s: %s</title>`, w.grid.X.Name, esc(c.X), w.grid.Y.Name, esc(c.Y), esc(tip))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" %s/>`, x+2, y+2, cellWidth-4, cellHeight-4, fill, stroke)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#111">%s</text>`, x+cellWidth/2, y+cellHeight/2+4, esc(line))
	if c.Current {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="4" fill="#111"/>`, x+cellWidth-13, y+13)
	}
	b.WriteString("</g>\n")
}

// span returns the smallest and the largest value of the cells.
func (w *gridWriter) span() (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for i := range w.grid.Cells {
		if c := &w.grid.Cells[i]; c.Problem == sweep.Fine {
			v := w.color.Of(&c.Rollout)
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// shade returns a light colour between green, for the best value, and red.
func (w *gridWriter) shade(value, low, high int64) string {
	bad := 0.0
	if high > low {
		bad = float64(value-low) / float64(high-low)
		if w.color.More {
			bad = 1 - bad
		}
	}
	return fmt.Sprintf("hsl(%d 62%% 76%%)", int(130*(1-bad)))
}

// short leaves out values with the same meaning: 3 of "3 (25%, 30%)".
func short(value string) string {
	if len(value) > 14 {
		value, _, _ = strings.Cut(value, " ")
	}
	return value
}

func esc(s string) string { return html.EscapeString(s) }

// openSVG writes the beginning of a picture on a white ground.
func openSVG(b *strings.Builder, width, height int, title string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `, width, height, width, height)
	b.WriteString(`font-family="system-ui, sans-serif" font-size="12" role="img"><title>` + title + "</title>")
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
}

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
