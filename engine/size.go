package engine

import (
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/sim"
)

// recordBytes is what a record takes on average, with the objects and the frames that it made.
const recordBytes = 660

// Bytes returns roughly how much memory the run takes so far.
func (r *Run) Bytes() int64 { return int64(r.Len()) * recordBytes }

func (r *Run) tooLarge() bool { return r.Len() >= limits.Records || r.Bytes() >= limits.Memory }

// A run repeats itself if its last records are so many rounds of the same, each of at most roundMax records.
const (
	roundMax  = 200
	roundsMin = 20
)

// repeats says whether the run goes round in circles without a command: the same actors do the same to the same objects.
func (r *Run) repeats() bool {
	records := r.records()
	for period := 1; period <= roundMax && period*roundsMin < len(records); period++ {
		if isRound(records[len(records)-period*roundsMin:], period) {
			return true
		}
	}
	return false
}

func isRound(records []*sim.Record, period int) bool {
	for i := range records {
		a, b := records[i], records[max(i-period, i%period)]
		if a.Kind == sim.Input || a.Kind != b.Kind || a.Actor != b.Actor || a.Object != b.Object || a.Reason != b.Reason {
			return false
		}
	}
	return true
}
