//go:build !js

package stage

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
)

// Written are the texts on the chart at the cursor, without places: a page that has no program yet places them for its own plot.
type Written struct {
	Upper  string      `json:"upper"`
	Lower  string      `json:"lower"`
	Counts [3]int      `json:"counts"` // upper, desired, lower
	Since  int64       `json:"since"`
	Ends   []chart.End `json:"ends"`
	Edges  bool        `json:"edges"` // can be dragged
	Asks   bool        `json:"asks"`  // a question waits, so that the bounds are not shown
	Hidden int64       `json:"hidden"`
	Said   string      `json:"said"`
	On     string      `json:"on"` // the words on the button that continues
}

// Written returns them.
func (p *Panels) Written() *Written {
	run := p.s.Run()
	frames := run.Frames(p.s.Workload())
	w := &Written{Hidden: p.s.Lesson.Hidden(), Asks: p.s.Lesson.Question() != nil, Said: p.calloutText(), On: p.continues(), Ends: p.ends(run, frames)}
	w.Edges = len(p.edges(run, frames)) > 0
	here, since := p.boundsAt(run, frames)
	f := &frames[here]
	w.Upper, w.Lower = p.bounds(run, cursor.Place{T: f.T, Record: f.Record})
	w.Counts, w.Since = [3]int{f.Upper, f.Desired, f.Lower}, frames[since].T
	return w
}
