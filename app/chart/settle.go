package chart

import (
	"math"

	"github.com/rollplay/rollplay/engine"
)

// gap ends a part of a line.
var gap = math.NaN()

// Settle keeps, of frames that follow each other within a window of virtual ms, the last one. A controller that scales one
// ReplicaSet up and another one down passes through states that no person could have seen: with a window of 20, frames at
// 100, 101, 104 and 130 ms become those at 104 and 130. A window begins at its first frame, so a steady flow of changes keeps a
// frame for each 20 ms.
func Settle(frames []engine.Frame, window int64) []engine.Frame {
	out := make([]engine.Frame, 0, len(frames))
	for i := 0; i < len(frames); {
		j := windowEnd(frames, i, window)
		out = append(out, frames[j])
		i = j + 1
	}
	return out
}

// windowEnd is the last frame of the window that begins with frame i.
func windowEnd(frames []engine.Frame, i int, window int64) int {
	j := i
	for j+1 < len(frames) && frames[j+1].T-frames[i].T < window {
		j++
	}
	return j
}

// spikes are upright hairlines, as x, y pairs with a gap after each: how far a count went within a window beyond what it was
// before and after. Of 10 → 8 → 11 that is from 10 to 8. A state that lasts less than 1 ms is none.
func spikes(frames []engine.Frame, window int64, count func(*engine.Frame) int) (lines points) {
	for i, before := 0, 0; i < len(frames); {
		j := windowEnd(frames, i, window)
		after := count(&frames[j])
		if i == 0 {
			before = after
		}
		low, high := min(before, after), max(before, after)
		for k := i; k < j; k++ {
			if n := count(&frames[k]); frames[k+1].T > frames[k].T && (n < low || n > high) {
				lines = append(lines, float64(frames[k].T), float64(min(max(n, low), high)), float64(frames[k].T), float64(n), gap, gap)
			}
		}
		before, i = after, j+1
	}
	return lines
}

// Window is the window for a scale: at most 20 ms, and at most what 4 pixels show. At 100 px for each second 4 px are 40 ms,
// so it is 20; at 1,000 px it is 4, of which 2 is the next round one.
func Window(pxPerMS float64) int64 {
	for _, w := range [...]int64{20, 10, 5, 2} {
		if float64(w)*pxPerMS <= 4 {
			return w
		}
	}
	return 1
}
