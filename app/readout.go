package app

import (
	"fmt"
	"sort"

	"github.com/rollplay/rollplay/engine"
)

// readout is what holds at the cursor: the numbers beside the chart's legend and the sentence below it.
type readout struct {
	Known       bool // false before the workload exists
	Desired     int
	Total       int
	Available   int
	Updated     int
	Terminating int
	Upper       int
	Lower       int
	AtMost      string // at most 13 = 10 + 3
	AtLeast     string // at least 8 = 10 − 2
	Sentence    string
	Over, Short bool // a bound does not hold; a Deployment that is still growing is not short
}

// frameAt returns the index of the frame that holds after record i, -1 if the workload is not there yet.
func frameAt(frames []engine.Frame, record int) int {
	return sort.Search(len(frames), func(k int) bool { return frames[k].Record > record }) - 1
}

// readoutAt tells the numbers of frame i against its bounds.
func readoutAt(frames []engine.Frame, i int) readout {
	if i < 0 || i >= len(frames) {
		return readout{Sentence: "The Deployment does not exist yet."}
	}
	f := frames[i]
	r := readout{
		Known: true, Desired: f.Desired, Total: f.Total, Available: f.Available, Updated: f.Updated,
		Terminating: f.Terminating, Upper: f.Upper, Lower: f.Lower,
		AtMost:  fmt.Sprintf("at most %d = %d + %d", f.Upper, f.Desired, f.Upper-f.Desired),
		AtLeast: fmt.Sprintf("at least %d = %d − %d", f.Lower, f.Desired, f.Desired-f.Lower),
		Over:    f.Total > f.Upper,
		Short:   f.Available < f.Lower && reached(frames, i),
	}
	r.Sentence = sentence(r)
	return r
}

func sentence(r readout) string {
	total := fmt.Sprintf("%s of %s", count(r.Total, "pod"), r.AtMost)
	if r.Over {
		total = fmt.Sprintf("%s, %d more than %s", count(r.Total, "pod"), r.Total-r.Upper, r.AtMost)
	}
	available := fmt.Sprintf("%d available of %s", r.Available, r.AtLeast)
	switch {
	case r.Short:
		available = fmt.Sprintf("%d available, %d fewer than %s", r.Available, r.Lower-r.Available, r.AtLeast)
	case r.Available < r.Lower:
		available = fmt.Sprintf("%d available, on the way to %s", r.Available, r.AtLeast)
	}
	end := "."
	if !r.Over && r.Available >= r.Lower {
		end = ": both bounds hold."
	}
	if r.Terminating > 0 {
		end += fmt.Sprintf(" %d more terminating, not counted.", r.Terminating)
	}
	return total + "; " + available + end
}

// reached says whether enough pods were available at some moment since the lower bound took its present value:
// before that a shortage is a Deployment still growing, not one that lost pods.
func reached(frames []engine.Frame, i int) bool {
	for k := i; k >= 0 && frames[k].Lower == frames[i].Lower; k-- {
		if frames[k].Available >= frames[k].Lower {
			return true
		}
	}
	return false
}
