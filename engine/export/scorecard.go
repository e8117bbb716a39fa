package export

import (
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
)

// Scorecard is the last kind of line of a trace. Scripts rely on the field names: add fields, never remove one.
type Scorecard struct {
	Kind string `json:"kind"` // rollout
	forecast.Rollout
	Duration      int64  `json:"duration"`           // ms
	LowestPercent int    `json:"lowestPercent"`      // of desired, rounded down
	WaitsFor      string `json:"waitsFor,omitempty"` // of a rollout that is not finished
}

// Scorecards returns the scorecards of all workloads of a run, workload by workload.
func Scorecards(r *engine.Run) (cards []Scorecard) {
	f := forecast.New(r.Past())
	for _, workload := range r.Workloads() {
		for _, x := range f.Rollouts(workload) {
			card := Scorecard{Kind: "rollout", Rollout: x, Duration: x.Duration(), LowestPercent: x.LowestPercent()}
			if !x.Done() {
				card.WaitsFor = diagnosis.Reason(r.Past(), workload).Text
			}
			cards = append(cards, card)
		}
	}
	return cards
}
