package stage

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
)

// score is what a rollout has cost by the cursor: the one under way, or else the last one.
type score struct {
	Known   bool
	First   bool // the workload's pods are created for the first time
	Done    bool
	Took    int64 // ms, up to the cursor
	Desired int   // now
	Serving int   // available pods now
	Lowest  int   // % of the desired pods that were available at the worst moment
	Outage  int64 // ms without an available pod
	Down    bool  // none is available now, although there was one
}

// score is that of the chosen workload at the cursor.
func (p *Panels) score() score {
	run, workload := p.s.Run(), p.s.Workload()
	if run == nil || workload == "" {
		return score{}
	}
	at, frames, of := p.s.Cursor.Place, run.Frames(workload), p.s.Reading.Forecast(run)
	r, here := forecast.At(of.Rollouts(workload), at.Record), chart.FrameAt(frames, at.Record)
	if r == nil || here < 0 {
		return score{}
	}
	return scoreOf(r, of.Until(r, here, at.T), &frames[here], at.T)
}

// scoreOf takes the figures of a rollout that is over, or those up to a moment, which is in a frame.
func scoreOf(r *forecast.Rollout, sofar forecast.Sofar, f *engine.Frame, t int64) score {
	s := score{Known: true, First: r.Cause == forecast.Created, Desired: f.Desired, Serving: f.Available, Took: t - r.Start,
		Lowest: sofar.LowestPercent(), Outage: sofar.AtZero, Down: sofar.Down >= 0}
	if r.Done() && t >= r.End {
		s.Done, s.Took, s.Lowest, s.Outage = true, r.Duration(), r.LowestPercent(), r.AtZero
	}
	if s.Down && s.Outage == 0 { // after the rollout
		s.Outage = t - sofar.Down
	}
	return s
}
