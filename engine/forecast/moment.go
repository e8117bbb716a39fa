package forecast

import (
	"sort"

	"github.com/rollplay/rollplay/engine/frames"
)

// Between returns the availability of a workload from one virtual ms to another, and since when no pod has been available: -1 if one
// is, none was yet or none is desired. The state of the last moment counts even if it has just begun.
func Between(all []frames.Frame, from, to int64) (sum Figures, down int64) {
	begin := sort.Search(len(all), func(i int) bool { return all[i].T > from })
	for begin = max(0, begin-1); begin > 0 && all[begin].Available == 0; begin-- { // a pod was available there
	}
	var t tally
	up := false
	down = -1
	for i := begin; i < len(all); i++ {
		f, until, last := &all[i], to, i+1 == len(all) || all[i+1].T > to
		if f.T > to {
			break
		}
		if !last {
			until = all[i+1].T
		}
		up = up || f.Available > 0
		if !up || f.Available > 0 || f.Desired == 0 {
			down = -1
		} else if down < 0 {
			down = f.T
		}
		now := state{desired: f.Desired, available: f.Available}
		if last {
			t.low(&now, max(f.T, from))
		}
		t.add(&now, max(f.T, from), until, up)
	}
	return t.Figures, down
}
