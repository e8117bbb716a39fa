package app

import "github.com/rollplay/rollplay/engine"

// smallChart is another workload than the chosen one on the same time axis: lines as t, value pairs.
type smallChart struct {
	Workload  string `json:"workload"` // what a click chooses
	Top       int    `json:"top"`      // the largest value
	Upper     points `json:"upper"`
	Lower     points `json:"lower"`
	Total     points `json:"total"`
	Available points `json:"available"`
}

// smallChartsMax bounds what is drawn beside the chosen workload.
const smallChartsMax = 6

// smallCharts are the other workloads, in the order of their appearance.
func (p *stagePanels) smallCharts(chosen string) (rows []strip) {
	for _, w := range p.s.run.Workloads() {
		if w == chosen || len(rows) == smallChartsMax {
			continue
		}
		name := kindOf(w) + " " + nameOf(w)
		rows = append(rows, strip{Name: name, Title: p.s.lang.say("strip-choose", name), Segments: []stripSegment{},
			Chart: newSmallChart(w, p.s.run.Frames(w), p.s.end())})
	}
	return rows
}

func newSmallChart(workload string, frames []engine.Frame, end int64) *smallChart {
	c := &smallChart{Workload: workload}
	for i := range frames {
		f := &frames[i]
		c.Top = max(c.Top, f.Upper, f.Total)
		c.Upper, c.Lower = c.Upper.add(f.T, f.Upper), c.Lower.add(f.T, f.Lower)
		c.Total, c.Available = c.Total.add(f.T, f.Total), c.Available.add(f.T, f.Available)
	}
	for _, line := range [...]*points{&c.Upper, &c.Lower, &c.Total, &c.Available} {
		*line = line.until(end)
		if line.len() > pointsMax {
			*line = line.thin(end)
		}
	}
	return c
}
