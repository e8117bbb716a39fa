// Package stage is the region beside the editor: the chart with its strips, the transport, the controls, the diagnosis and
// the why panel.
//
// A drag of a band's edge computes Session.Preview, the recording with a patch 1 ms after the workload came to be, so no YAML is edited.
// It is computed when the pointer moves, before the frame that draws it, and the run of the next place between two frames. ECharts takes
// 12 ms for new lines, so during a drag it keeps the axes alone, and web/src/sketch.js draws the lines. Of more than 400 pods only those
// in sight have a tile. A chart that takes over 4 ms is drawn in a task of its own.
//
// While a question waits, nothing on the page tells the future: marks, shades, notes, pointer and diagnosis stop at the cursor, and what is
// hidden cannot be pressed. On a phone captions are in a sheet above the transport, and elements keep their height while playing. The style sheets have no :has() on large
// boxes, because each element that comes or goes would restyle everything behind it: 4 ms of each frame with a thousand pods.
package stage

import (
	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// Panels are the regions beside the editor: the chart, the transport, the controls, the diagnosis and the why panel. They
// draw the session, and keep only what the person has opened and what is too expensive for every frame.
type Panels struct {
	s *session.Session

	embedded       bool // in a page of somebody else
	ShowViolations bool // the list of violations is open
	ShowTable      bool // the table beside the chart is open
	Stacked        bool // the revisions are areas
	Revisions      bool // or lines; of an embed always
	FromStart      bool // a bound that is dragged holds from the start, not from the cursor on

	hinted string // the text of the exercise whose diagnosis was asked for

	requests requests

	drawing

	inWords     session.Memo[[3]any, string] // the chart, by the run, the workload and the language
	replicaSets chart.Sets
	diagnosed   diagnosed
	scored      session.Memo[[4]any, score] // by the run, the workload, the cursor and the number of records: a drawing asks several times
}

// New returns the panels of a session.
func New(s *session.Session, embedded bool) *Panels {
	return &Panels{s: s, embedded: embedded, Stacked: browser.Load(revisionsKey) == "stacked"}
}

// Handlers are the choices of a person in the panels.
func (p *Panels) Handlers() parts.Handlers {
	set := func(field *bool) parts.Handler { return parts.Changed(func(on bool) { *field = on }) }
	return parts.Handlers{
		act.Hint:       parts.Changed(func(any) { p.GiveHint() }),
		act.Violations: set(&p.ShowViolations),
		act.DataTable:  set(&p.ShowTable),
		act.FromStart:  set(&p.FromStart),
		act.Bound:      parts.Changed(p.SetBound),
		act.Revisions:  parts.Changed(p.ShowRevisions),
		act.Stacked:    parts.Changed(p.Stack),
		act.Requests:   parts.Changed(p.OnRequests),
	}
}
