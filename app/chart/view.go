package chart

import "github.com/rollplay/rollplay/engine"

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
