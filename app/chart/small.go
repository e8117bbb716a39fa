package chart

import "github.com/rollplay/rollplay/engine"

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
		*line = line.until(end)
		if line.Len() > pointsMax {
			*line = line.thin(end)
		}
	}
	return c
}
