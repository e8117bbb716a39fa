package chart

import (
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// Readout is the numbers at the cursor, as in the chart's legend.
type Readout struct {
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

// FrameAt returns the index of the frame that holds after record i, -1 if the workload is not there yet.
func FrameAt(frames []engine.Frame, record int) int { return past.FrameAfter(frames, record) }

// ReadoutAt returns the numbers of frame i, and whether they keep its bounds.
func ReadoutAt(frames []engine.Frame, i int) Readout {
	if i < 0 || i >= len(frames) {
		return Readout{}
	}
	f := frames[i]
	return Readout{
		Known: true, Desired: f.Desired, Total: f.Total, Available: f.Available, Updated: f.Updated,
		Terminating: f.Terminating, Upper: f.Upper, Lower: f.Lower,
		Over:  f.Total > f.Upper,
		Short: f.Available < f.Lower,
	}
}

// Number returns the number that a line of the chart has in a frame.
func Number(f *engine.Frame, id string) int {
	switch id {
	case SeriesTotal:
		return f.Total
	case SeriesAvailable:
		return f.Available
	case SeriesUnavailable:
		return f.Desired
	case SeriesTerminating:
		return f.Terminating
	}
	name, _ := strings.CutPrefix(id, SeriesRSPrefix)
	for _, rs := range f.ReplicaSets {
		if rs.Name == name {
			return rs.Replicas
		}
	}
	return 0
}
