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

// scored keeps the figures of a run's rollouts, which grow with it.
type scored struct {
	run *engine.Run
	of  *forecast.Forecast
}

// score is that of the chosen workload at the cursor.
func (p *Panels) score() score {
	run, workload := p.s.Run(), p.s.Workload()
	if run == nil || workload == "" {
		return score{}
	}
	if p.scored.run != run {
		p.scored = scored{run, forecast.New(run.Past())}
	}
	at := p.s.Cursor()
	frames := run.Frames(workload)
	rollout := forecast.At(p.scored.of.Rollouts(workload), at.Record)
	return scoreAt(frames, chart.FrameAt(frames, at.Record), at.T, rollout)
}

// scoreAt takes the figures of a rollout that is over, and adds up those of one that is under way from the frames up to the
// cursor, the last one of which is here.
func scoreAt(frames []engine.Frame, here int, t int64, r *forecast.Rollout) score {
	if r == nil || here < 0 {
		return score{}
	}
	f := &frames[here]
	s := score{Known: true, First: r.Cause == forecast.Created, Desired: f.Desired, Serving: f.Available}
	down := int64(-1) // since when
	served := false
	s.Lowest = 100
	for i := 0; i <= here; i++ {
		f, to := &frames[i], t
		if i < here {
			to = frames[i+1].T
		}
		if to == f.T && i < here || s.First && f.T < r.Start { // no state that anybody could see, or of a workload that was deleted
			continue
		}
		zero := served && f.Available == 0 && f.Desired > 0
		if served = served || f.Available > 0; !zero {
			down = -1
		} else if down < 0 {
			down = f.T
		}
		if from := max(f.T, r.Start); to > from || i == here {
			s.add(f, to-from, zero)
		}
	}
	s.Down = down >= 0
	if s.Took = t - r.Start; r.Done() && t >= r.End {
		s.Done, s.Took, s.Lowest, s.Outage = true, r.Duration(), r.LowestPercent(), r.AtZero
	}
	if s.Down && s.Outage == 0 { // after the rollout
		s.Outage = t - down
	}
	return s
}

// add takes what holds for some time of the rollout.
func (s *score) add(f *engine.Frame, ms int64, zero bool) {
	if f.Desired > 0 {
		s.Lowest = min(s.Lowest, 100*f.Available/f.Desired)
	}
	if zero {
		s.Outage += ms
	}
}
