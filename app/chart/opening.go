package chart

import "github.com/rollplay/rollplay/engine"

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
