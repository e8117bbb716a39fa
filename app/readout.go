package app

import (
	"sort"

	"github.com/rollplay/rollplay/engine"
)

// readout is what holds at the cursor: the numbers in the chart's legend.
type readout struct {
	Known       bool // false before the workload exists
	Desired     int
	Total       int
	Available   int
	Updated     int
	Terminating int
	Upper       int
	Lower       int
	Over, Short bool // a bound does not hold
}

// frameAt returns the index of the frame that holds after record i, -1 if the workload is not there yet.
func frameAt(frames []engine.Frame, record int) int {
	return sort.Search(len(frames), func(k int) bool { return frames[k].Record > record }) - 1
}

// readoutAt tells the numbers of frame i against its bounds.
func readoutAt(frames []engine.Frame, i int) readout {
	if i < 0 || i >= len(frames) {
		return readout{}
	}
	f := frames[i]
	return readout{
		Known: true, Desired: f.Desired, Total: f.Total, Available: f.Available, Updated: f.Updated,
		Terminating: f.Terminating, Upper: f.Upper, Lower: f.Lower,
		Over:  f.Total > f.Upper,
		Short: f.Available < f.Lower,
	}
}
