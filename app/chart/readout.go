package chart

import (
	"sort"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
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

// FrameAt returns the index of the frame that holds at a place, -1 if the workload is not there yet. A pod that has been Ready for
// minReadySeconds is available without a record: its frame has the record before it, and comes later.
func FrameAt(frames []engine.Frame, at cursor.Place) int {
	return sort.Search(len(frames), func(k int) bool { return frames[k].Record > at.Record || frames[k].T > at.T }) - 1
}

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
	if rs := f.ReplicaSet(name); rs != nil {
		return rs.Replicas
	}
	return 0
}
