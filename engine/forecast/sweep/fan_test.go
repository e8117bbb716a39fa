package sweep_test

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestFan: at each moment the percentiles are those of the frames of all runs, played again.
func TestFan(t *testing.T) {
	const seeds, moments = 15, 9
	s, err := planOf(t, scenarios.Text("first-rollout"), "").NewSeeds(seeds)
	if err != nil {
		t.Fatal(err)
	}
	s.Watch()
	library := new(scenario.Library)
	for i := range seeds {
		s.Run(i, library)
	}
	fan := s.Fan(moments)
	if len(fan) != moments || fan[0].At != 0 || fan[moments-1].At == 0 {
		t.Fatalf("%+v", fan)
	}
	different := 0
	for _, m := range fan {
		var available, total []int
		for i := range s.Outcomes {
			o := &s.Outcomes[i]
			frames := finished(t, o.Recording.Scenario).Frames(s.Plan.Workload)
			at := past.FrameAfter(frames, o.Rollout.Record)
			for at+1 < len(frames) && frames[at+1].T <= min(o.Rollout.Start+m.At, o.Rollout.End) {
				at++
			}
			available, total = append(available, frames[at].Available), append(total, frames[at].Total)
		}
		slices.Sort(available)
		slices.Sort(total)
		// The smallest of 15 is at least 5 % of them, the 8th at least half, the 15th at least 95 %.
		if m.Available.P5 != int64(available[0]) || m.Available.P50 != int64(available[7]) || m.Available.P95 != int64(available[14]) ||
			m.Total.P5 != int64(total[0]) || m.Total.P50 != int64(total[7]) || m.Total.P95 != int64(total[14]) {
			t.Errorf("at %d ms: %+v, want %v and %v", m.At, m, available, total)
		}
		if m.Available.P5 < m.Available.P95 {
			different++
		}
	}
	if different == 0 {
		t.Error("all seeds are the same at all moments")
	}
}
