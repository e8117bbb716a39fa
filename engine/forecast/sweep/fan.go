package sweep

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// point holds the counts of a workload from a moment of its rollout on.
type point struct {
	at               int64 // ms since the rollout began
	available, total int64
}

// Moment is how two counts vary over the seeds at a moment of the rollout.
type Moment struct {
	At               int64 // ms since the rollout began
	Available, Total Spread
}

// Watch makes the seeds keep the counts of their rollouts, for a Fan. It is called before the first Run.
func (s *Seeds) Watch() { s.lines = make([][]point, len(s.Outcomes)) }

// lineOf returns the counts of a measured rollout.
func lineOf(r *engine.Run, workload string, o *Outcome) (line []point) {
	frames := r.Frames(workload)
	for i := max(0, past.FrameAfter(frames, o.Rollout.Record)); i < len(frames) && frames[i].T <= o.Rollout.End; i++ {
		f := &frames[i]
		line = append(line, point{max(0, f.T-o.Rollout.Start), int64(f.Available), int64(f.Total)})
	}
	return line
}

// Fan returns how the counts vary at n moments, from the beginning of the rollout to the end of the longest one that is complete. After
// its end a rollout keeps its last counts.
func (s *Seeds) Fan(n int) []Moment {
	longest := int64(0)
	for i := range s.Outcomes {
		if o := &s.Outcomes[i]; o.Problem == Fine {
			longest = max(longest, o.Rollout.Duration())
		}
	}
	fan, places := make([]Moment, n), make([]int, len(s.lines))
	for k := range fan {
		at := longest * int64(k) / int64(max(1, n-1))
		var available, total []int64
		for i, line := range s.lines {
			if len(line) == 0 {
				continue
			}
			for places[i]+1 < len(line) && line[places[i]+1].at <= at {
				places[i]++
			}
			available, total = append(available, line[places[i]].available), append(total, line[places[i]].total)
		}
		fan[k] = Moment{at, spreadOf(available), spreadOf(total)}
	}
	return fan
}

// spreadOf sorts some values and returns how they vary.
func spreadOf(values []int64) Spread {
	slices.Sort(values)
	return Spread{percentile(values, 0), percentile(values, 5), percentile(values, 50), percentile(values, 95), percentile(values, 100)}
}
