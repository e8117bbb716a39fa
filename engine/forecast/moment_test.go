package forecast_test

import (
	"math/rand"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/frames"
)

// randomFrames are frames of a workload whose pods come and go; several may have one moment.
func randomFrames(random *rand.Rand, n int) []frames.Frame {
	all := make([]frames.Frame, n)
	t := int64(random.Intn(50))
	for i := range all {
		all[i].T, all[i].Desired, all[i].Available = t, random.Intn(4), max(0, random.Intn(6)-2)
		all[i].Total = all[i].Available + random.Intn(3)
		t += int64(max(0, random.Intn(40)-10))
	}
	return all
}

// TestBetweenIsThatOfTheWhole: what is counted since a command is what would be counted of the whole run up to the cursor, less what was
// before the command.
func TestBetweenIsThatOfTheWhole(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 20_000 {
		all := randomFrames(random, 1+random.Intn(30))
		from := int64(random.Intn(400))
		to := from + int64(random.Intn(300))
		sum, down := forecast.Between(all, from, to)
		var below, zero int64
		var low frames.Frame // of the states that last a millisecond or are the present one, that with the smallest share available
		up, since := false, int64(-1)
		for at := all[0].T; at <= to; at++ { // each ms by itself
			var f *frames.Frame
			for i := range all {
				if all[i].T <= at {
					f = &all[i]
					if up = up || f.Available > 0; !up || f.Available > 0 || f.Desired == 0 {
						since = -1
					} else if since < 0 {
						since = f.T
					}
				}
			}
			if at >= from && f.Desired > 0 && (low.Desired == 0 || f.Available*low.Desired < low.Available*f.Desired) {
				low = *f
			}
			if at < from || at == to {
				continue
			}
			if f.Available < f.Desired {
				below++
			}
			if up && f.Available == 0 && f.Desired > 0 {
				zero++
			}
		}
		if sum.Lowest != low.Available || sum.LowestOf != low.Desired {
			t.Fatalf("from %d to %d of %+v: the lowest is %d of %d, want %d of %d", from, to, all, sum.Lowest, sum.LowestOf, low.Available, low.Desired)
		}
		if sum.BelowDesired != below || sum.AtZero != zero || down != since {
			t.Fatalf("from %d to %d of %+v: %d below, %d at zero, down since %d; want %d, %d, %d", from, to, all, sum.BelowDesired, sum.AtZero, down, below, zero, since)
		}
	}
}

// BenchmarkBetween: the last command is near the end of a long run.
func BenchmarkBetween(b *testing.B) {
	all := randomFrames(rand.New(rand.NewSource(1)), 50_000)
	to := all[len(all)-1].T
	for b.Loop() {
		forecast.Between(all, to-500, to)
	}
}
