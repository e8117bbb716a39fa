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
				card.WaitsFor = waitsFor(r, workload)
			}
			cards = append(cards, card)
		}
	}
	return cards
}

// waitsFor returns the reason why a rollout is not complete at the end of a run.
func waitsFor(r *engine.Run, workload string) string {
	d := diagnosis.Of(r.Past(), workload, r.Len()-1, r.Now())
	if len(d.Findings) == 0 {
		return d.Title
	}
	return d.Findings[0].Text
}
