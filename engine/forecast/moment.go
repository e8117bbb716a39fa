package forecast

import "github.com/rollplay/rollplay/engine/frames"

// moment holds the figures of a workload at the beginning of one of its frames.
type moment struct {
	rollout          int // the last one that had begun, -1 before the first
	lowest, lowestOf int // as in Figures, of that rollout so far
	atZero           int64
	up               bool  // a pod had been available
	down             int64 // since when no pod has been available in this frame, -1 if one is, none was yet or none is desired
}

// Sofar is how a rollout has gone up to a moment.
type Sofar struct {
	Figures       // Lowest, LowestOf and AtZero
	Down    int64 // since when no pod has been available, -1 if one is, none was yet or none is desired
}

// note stores the figures at the beginning of a frame.
func (w *work) note(f *frames.Frame) {
	m := moment{rollout: len(w.rollouts) - 1, lowest: w.tally.Lowest, lowestOf: w.tally.LowestOf, atZero: w.tally.AtZero, up: w.up, down: -1}
	if w.up && f.Available == 0 && f.Desired > 0 {
		m.down = f.T
		if n := len(w.moments); n > 0 && w.moments[n-1].down >= 0 {
			m.down = w.moments[n-1].down
		}
	}
	w.moments = append(w.moments, m)
}

// Until returns how a rollout has gone up to virtual ms t in a frame of its workload. The state of that moment counts even if it
// has just begun.
func (f *Forecast) Until(r *Rollout, frame int, t int64) Sofar {
	f.Rollouts(r.Workload)
	w, all := f.works[r.Workload], f.past.Frames(r.Workload)
	if w == nil || frame < 0 || frame >= len(w.moments) {
		return Sofar{Down: -1}
	}
	m, at := &w.moments[frame], &all[frame]
	var sum tally
	if m.rollout >= 0 && w.rollouts[m.rollout].Record == r.Record {
		sum.Figures = Figures{Lowest: m.lowest, LowestOf: m.lowestOf, AtZero: m.atZero}
	}
	now := state{desired: at.Desired, available: at.Available}
	sum.low(&now, at.T)
	sum.add(&now, max(at.T, r.Start), t, m.up)
	return Sofar{sum.Figures, m.down}
}
