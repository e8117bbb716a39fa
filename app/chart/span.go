package chart

import (
	"github.com/rollplay/rollplay/engine"
)

// settling is how long a workload must stay complete before a rollout counts as over, in virtual ms.
const settling = 2000

// Opening is the part of a run that a chart shows first: the first change after everything was available, until everything is
// available again, with a margin of an eighth on both sides. A first rollout from 10 s to 16 s opens at 9.25 s to 16.75 s. Without
// such a change it is the part from 0 to busy.
func Opening(frames []engine.Frame, busy, end int64) Span {
	k := 0
	for k < len(frames) && !complete(&frames[k]) {
		k++
	}
	for k+1 < len(frames) && (frames[k+1].T == frames[k].T || complete(&frames[k+1])) {
		k++
	}
	if k+1 >= len(frames) {
		return Span{0, busy}
	}
	from, to := frames[k+1].T, over(frames, k+1, busy, end)
	margin := max((to-from)/8, 400)
	s := Span{max(from-margin, 0), min(to+margin, end)}
	if s.From < s.To/10 {
		s.From = 0
	}
	return s
}

// over is when a rollout that began with frame k was over, busy if it was not.
func over(frames []engine.Frame, k int, busy, end int64) int64 {
	for ; k < len(frames); k++ {
		next := end
		if k+1 < len(frames) {
			next = frames[k+1].T
		}
		if complete(&frames[k]) && (next-frames[k].T >= settling || k+1 == len(frames)) {
			return frames[k].T
		}
	}
	return max(busy, frames[len(frames)-1].T)
}

// complete says that a workload is as it wants to be.
func complete(f *engine.Frame) bool {
	return f.Desired > 0 && f.Complete() && f.Terminating == 0
}

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

// Span is a stretch of virtual time.
type Span struct{ From, To int64 }

// Outages are the times without an available pod although some are desired. Before the first pod was available there was nothing
// that could fail. A state that lasts less than 1 ms does not count.
func Outages(frames []engine.Frame, end int64) (all []Span) {
	served := false
	for i := range frames {
		f, to := &frames[i], end
		if i+1 < len(frames) {
			to = frames[i+1].T
		}
		if f.Available > 0 && to > f.T {
			served = true
		}
		if !served || f.Available > 0 || f.Desired == 0 || to <= f.T {
			continue
		}
		if n := len(all); n > 0 && all[n-1].To == f.T {
			all[n-1].To = to
		} else {
			all = append(all, Span{f.T, to})
		}
	}
	return all
}
