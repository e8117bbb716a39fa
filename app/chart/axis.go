package chart

import "github.com/rollplay/rollplay/engine"

// Axis is the end of an axis that begins at 0, and the distance of its ticks.
type Axis struct{ Max, Step float64 }

// TimeAxis is the end of a time axis: at least a second, so that the axis is no point.
func TimeAxis(end int64) int64 { return max(end, 1000) }

// CountAxis runs to the first tick above top, with at most that many ticks above 0: for 13 pods and 7 ticks to 14, with a tick
// at each 2; with 6 ticks 2 would end at 12, so the ticks are 5 apart and the axis ends at 15.
func CountAxis(top, ticks int) Axis {
	for scale := 1; ; scale *= 10 {
		for _, s := range [...]int{1, 2, 5} {
			if step := s * scale; top < step*ticks {
				return Axis{Max: float64((top/step + 1) * step), Step: float64(step)}
			}
		}
	}
}

// Highest is the largest count of any line.
func Highest(frames []engine.Frame) int {
	top := 1
	for _, f := range frames {
		top = max(top, f.Upper, f.Total+f.Terminating, f.Desired)
	}
	return top
}

// BusyEnd is the end of the part of a run that deserves the chart's width. A broken image is tried again for half an
// hour, and everything else happens in the first seconds: with the last change at 12 s of 30 min the part ends at 12 + 4 + 3 = 19 s.
func BusyEnd(lastChange, end int64) int64 {
	if busy := lastChange + lastChange/3 + 3000; busy*3 < end {
		return busy
	}
	return end
}
