package picture

import (
	"math"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
)

// curves draws the lines and bands of the page's chart (app/chart) as ECharts does: what is stacked lies below the rest, and areas lie below
// lines.
func (s *sheet) curves() {
	window := chart.Window((s.right - s.left) / float64(s.end-s.begin))
	all := append(chart.Lines(s.frames, s.end, window, false), chart.BudgetLines(s.budgets, s.end)...)
	var ids []string
	for _, x := range all {
		ids = append(ids, x.ID)
	}
	styles := chart.Styles(ids, false)
	var areas, stacked, free []shape
	tops := map[string][]float64{} // of the stacks
	for i, style := range styles {
		low := tops[style.Stack]
		high := raised(all[i].Points, low)
		if style.AreaStyle != nil && low != nil {
			areas = append(areas, s.between(low, high, named(style.AreaStyle.Color)))
		}
		width := float64(style.LineStyle.Width)
		line := steps{s.place(high), named(style.LineStyle.Color), width, pattern(style.LineStyle.Type, width)}
		switch {
		case len(high) == 0:
		case style.Stack != "":
			stacked, tops[style.Stack] = append(stacked, line), high
		default:
			free = append(free, line)
		}
	}
	s.add(areas...)
	s.add(stacked...)
	s.add(free...)
}

// raised is a line of times and counts on top of another one.
func raised(line, low []float64) []float64 {
	high := append([]float64(nil), line...)
	for k := 1; k < min(len(high), len(low)); k += 2 {
		high[k] += low[k]
	}
	return high
}

// named is the name of a colour that the chart's option writes as var(--name).
func named(variable string) string {
	return strings.TrimSuffix(strings.TrimPrefix(variable, "var(--"), ")")
}

// pattern is the dashes that ECharts draws.
func pattern(kind string, width float64) []float64 {
	switch kind {
	case "dashed":
		return []float64{4 * width, 2 * width}
	case "dotted":
		return []float64{width, width}
	}
	return nil
}

// place puts a line of times and counts on the sheet. A gap in it is a point without a place.
func (s *sheet) place(line []float64) (points []point) {
	for k := 0; k < len(line); k += 2 {
		if math.IsNaN(line[k]) {
			points = append(points, gap)
			continue
		}
		points = append(points, point{s.x(int64(line[k])), s.y(int(line[k+1]))})
	}
	if len(points) == 0 {
		return nil
	}
	return thin(points)
}

// between is the area between two lines with the same times.
func (s *sheet) between(low, high []float64, color string) area {
	a := area{fill: color}
	for k := 0; k < len(high); k += 2 {
		a.to(s.x(int64(high[k])), s.y(int(high[k+1])), s.y(int(low[k+1])))
	}
	return a
}
