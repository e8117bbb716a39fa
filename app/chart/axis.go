package chart

import "github.com/rollplay/rollplay/engine"

// axis is the range and the distance of the ticks.
type axis struct{ Max, Step float64 }

// TimeAxis keeps the time axis from being a point.
func TimeAxis(end int64) int64 { return max(end, 1000) }

// Ticks is the largest number of steps on the chart's axis of counts.
const Ticks = 7

// CountAxis runs to the first tick above top, in at most as many round steps as ticks says. With 6, 13 pods need steps of 5
// up to 15, because steps of 2 would be 7.
func CountAxis(top, ticks int) axis {
	for scale := 1; ; scale *= 10 {
		for _, s := range [...]int{1, 2, 5} {
			if step := s * scale; top < step*ticks {
				return axis{Max: float64((top/step + 1) * step), Step: float64(step)}
			}
		}
	}
}

// Highest is the largest count that any line reaches.
func Highest(frames []engine.Frame) int {
	top := 1
	for _, f := range frames {
		top = max(top, f.Upper, f.Total+f.Terminating, f.Desired)
	}
	return top
}

// BusyEnd is the end of the part of a run that is worth the chart's width. A broken image is tried again for half an
// hour, and all that moves is in the first seconds.
func BusyEnd(lastChange, end int64) int64 {
	if busy := lastChange + lastChange/3 + 3000; busy*3 < end {
		return busy
	}
	return end
}
