package stage

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
)

// The edges of the bands can be dragged: the upper one is maxSurge, the lower one maxUnavailable. JavaScript follows the pointer
// and gets the run that would follow from here; see web/src/edges.js.

// edges are the edges that can be dragged, with the number of pods that each stands for at the cursor. Only a Deployment that rolls
// has them. An embed has none: its readers must not change what the author shows.
func (p *Panels) edges(run *engine.Run, frames []engine.Frame) []chart.Note {
	workload, at := p.s.Workload(), p.here(run)
	here := chart.FrameAt(frames, at)
	if row, ok := run.Past().Workload(workload, at.Record); !ok || p.embedded || here < 0 || row.Kind != "Deployment" || row.MaxSurge == "" {
		return nil
	}
	f := &frames[here]
	edge := func(field string, pods, level int) chart.Note {
		return chart.Note{Kind: "edge", ID: field, Text: strconv.Itoa(pods), W: float64(max(f.Desired, 1)), Y: p.drawing.plot.Y(float64(level))}
	}
	return []chart.Note{edge("maxSurge", f.Upper-f.Desired, f.Upper), edge("maxUnavailable", f.Desired-f.Lower, f.Lower)}
}

// preview draws the run with another bound, "maxSurge 4", and the present run as its ghost; "" ends that. The answer is "more" while
// a long run is not computed to its end, else "done".
func (p *Panels) preview(value string) string {
	field, pods, ok := fieldAndPods(value)
	if !ok {
		p.s.Preview.End()
		browser.Chart(p.View())
		return "done"
	}
	run := p.s.Preview.Show(field, pods)
	browser.Chart(p.View())
	if run != nil && !run.Done() {
		return "more"
	}
	return "done"
}

// SetBound makes a dragged bound true, "maxSurge 4": from the start, before the rollout that the cursor has behind it, so that the drag
// shows what it does, or by a kubectl line at the cursor.
func (p *Panels) SetBound(value string) {
	field, pods, ok := fieldAndPods(value)
	if !ok {
		return
	}
	switch sc := p.score(); {
	case p.FromStart:
		p.s.SetBound(field, pods, 0)
	case sc.Finished && sc.Rollout.Cause != forecast.Created:
		p.s.SetBound(field, pods, sc.Rollout.Start-1)
	default:
		p.s.SetBound(field, pods, session.Here)
	}
}

func fieldAndPods(value string) (field string, pods int, ok bool) {
	field, number, _ := strings.Cut(value, " ")
	pods, err := strconv.Atoi(number)
	return field, pods, err == nil && pods >= 0 && (field == "maxSurge" || field == "maxUnavailable")
}
