// Package chart makes lines, axes, marks and texts from the frames of a workload. The live chart and the posters draw them.
//
// The page measures its plot and gets the texts that fit (Panels.Answer). States shorter than 20 ms, or 4 px, are drawn as
// hairlines (Settle); the data stays as it is. A line that goes up and down more than twice has no pattern, because a browser
// spends up to 60 ms on cutting it into dashes.
package chart

import (
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
)

// Room around the plot in CSS pixels. The overlay of cursor and marks has the same in style.css (.plot).
const (
	plotLeft, plotRight = "40", "18"
	plotTop, plotBottom = "22", "28"
)

// chartOption is what ECharts receives before any data: everything that stays the same while a run is computed. Colours are
// written as names of CSS variables, so that a theme is a matter of the style sheet alone.
type chartOption struct {
	Animation bool         `json:"animation"`
	Grid      opts.Grid    `json:"grid"`
	XAxis     opts.XAxis   `json:"xAxis"`
	YAxis     opts.YAxis   `json:"yAxis"`
	Series    []LineSeries `json:"series"`
}

// LineSeries is what our lines use of go-echarts' charts.SingleSeries. Package charts itself stays out, because it
// brings html/template along and with it a good part of the download.
type LineSeries struct {
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Stack     string          `json:"stack,omitempty"`
	Step      string          `json:"step"`
	Symbol    string          `json:"symbol"`
	Data      []opts.LineData `json:"data"` // empty; the data follows as typed arrays
	LineStyle *opts.LineStyle `json:"lineStyle"`
	AreaStyle *opts.AreaStyle `json:"areaStyle,omitempty"`
}

// Option returns the option for a chart with these series as JSON.
func Option(ids []string, stacked bool) string {
	axisLine := &opts.AxisLine{LineStyle: &opts.LineStyle{Color: "var(--chart-axis)"}}
	return string(api.JSON(chartOption{
		Grid:   opts.Grid{Left: plotLeft, Right: plotRight, Top: plotTop, Bottom: plotBottom},
		XAxis:  opts.XAxis{Type: "value", Min: 0, AxisLabel: axisLabel(), AxisLine: axisLine, AxisTick: &opts.AxisTick{Show: opts.Bool(false)}, SplitLine: splitLine(false)},
		YAxis:  opts.YAxis{Type: "value", Min: 0, MinInterval: 1, AxisLabel: axisLabel(), AxisLine: &opts.AxisLine{Show: opts.Bool(false)}, SplitLine: splitLine(true)},
		Series: Styles(ids, stacked),
	}))
}

// Styles are how the lines with these ids are drawn: those with a stack below the others, and areas below the lines.
func Styles(ids []string, stacked bool) (all []LineSeries) {
	rs := 0
	for _, id := range ids {
		s, opacity := styleOf(id, rs), float32(1)
		if isRS(id) {
			if stacked {
				s.stack, s.area, opacity = "revisions", s.color, .35
			}
			rs++
		}
		line := LineSeries{ID: id, Name: id, Type: types.ChartLine, Stack: s.stack, Step: "end", Symbol: "none", Data: []opts.LineData{},
			LineStyle: &opts.LineStyle{Color: s.color, Width: s.width, Type: s.pattern}}
		if s.area != "" {
			line.AreaStyle = &opts.AreaStyle{Color: s.area, Opacity: opts.Float(opacity)}
		}
		if strings.HasPrefix(id, spikePrefix) {
			line.Step = ""
		}
		all = append(all, line)
	}
	return all
}

func axisLabel() *opts.AxisLabel {
	return &opts.AxisLabel{Color: "var(--chart-label)", FontSize: 11, HideOverlap: opts.Bool(true), ShowMinLabel: opts.Bool(true), ShowMaxLabel: opts.Bool(true)}
}

func splitLine(show bool) *opts.SplitLine {
	return &opts.SplitLine{Show: opts.Bool(show), LineStyle: &opts.LineStyle{Color: "var(--chart-grid)"}}
}

// style is the look of a line, and the colour of the area from it down to the line on which it is stacked.
type style struct {
	id, stack, color string
	width            float32
	pattern          string
	area             string
}

var styles = [...]style{
	{seriesLower, "bands", "var(--c-lower)", 1, "solid", ""},
	{SeriesUnavailable, "bands", "var(--c-desired)", 1, "dashed", "var(--c-unavailable-band)"}, // desired, between the two bands
	{seriesSurge, "bands", "var(--c-upper)", 1, "solid", "var(--c-surge-band)"},
	{SeriesTotal, "pods", "var(--c-total)", 3.5, "solid", ""},
	{SeriesAvailable, "", "var(--c-available)", 2, "solid", ""},
	{SeriesTerminating, "pods", "var(--c-terminating)", 1, "dotted", "var(--c-terminating-area)"},
}

// styleOf is the style of a line. The rs-th ReplicaSet takes the rs-th colour and pattern, so that lines differ without colour too.
func styleOf(id string, rs int) style {
	prefix, of, _ := strings.Cut(id, ":")
	switch prefix + ":" {
	case spikePrefix:
		return style{color: "var(--c-" + of + "-faint)", width: 1, pattern: "solid"}
	case ghostPrefix:
		return style{color: "var(--c-" + of + "-faint)", width: 2, pattern: "solid"}
	case SeriesBudgetPrefix:
		return style{color: "var(--warn)", width: 1.5, pattern: "dashed"}
	case SeriesRSPrefix:
		return style{color: rsColor(rs), width: 1.75, pattern: Pattern(rs)}
	}
	return styles[slices.IndexFunc(styles[:], func(s style) bool { return s.id == id })]
}

const Colors = 6

func rsColor(i int) string { return "var(--c-rs-" + string(rune('0'+i%Colors)) + ")" }
func Pattern(i int) string { return [...]string{"dashed", "solid", "dotted"}[i%3] }

func isRS(id string) bool { return strings.HasPrefix(id, SeriesRSPrefix) }

// View is what the chart needs when the run changed.
type View struct {
	Option string // for these series
	Series []Series
	End    int64 // of the time axis; the page chooses the ticks, because it can zoom
	Open   Span  // the part that the chart shows first
	Key    int   // another one makes the chart forget what part somebody chose
	Count  Axis
	Marks  []Mark
	Syncs  []float64 // reconciles that decided something, for the scrubber: the time and the record of each
}

// Mark is a command on the time axis, or a time in which a bound did not hold or no pod was available. On the scrubber alone
// it is also a condition that changed.
type Mark struct {
	Kind   string `json:"kind"` // command, condition, violation or outage
	T      int64  `json:"t"`
	To     int64  `json:"to"` // the end of a violation or an outage
	Line   string `json:"line"`
	Failed bool   `json:"failed"` // a refused command, a bound that broke against the rules
}

// Small is the chart of a workload that is not chosen, on the same time axis: lines as t, value pairs.
type Small struct {
	Workload  string `json:"workload"` // what a click chooses
	Top       int    `json:"top"`      // the largest value
	Upper     points `json:"upper"`
	Lower     points `json:"lower"`
	Total     points `json:"total"`
	Available points `json:"available"`
}

func NewSmall(workload string, frames []engine.Frame, end int64) *Small {
	c := &Small{Workload: workload}
	for i := range frames {
		f := &frames[i]
		c.Top = max(c.Top, f.Upper, f.Total)
		c.Upper, c.Lower = c.Upper.add(f.T, f.Upper), c.Lower.add(f.T, f.Lower)
		c.Total, c.Available = c.Total.add(f.T, f.Total), c.Available.add(f.T, f.Available)
	}
	for _, line := range [...]*points{&c.Upper, &c.Lower, &c.Total, &c.Available} {
		*line = line.until(end).thin(end)
	}
	return c
}
