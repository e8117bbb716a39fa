package app

// stagePanels are the regions beside the editor: the chart, the transport, the controls, the diagnosis and the why panel. They
// draw what the session knows, and keep only what the person has opened and what need not be made for every frame.
type stagePanels struct {
	s *session

	embedded       bool // in a page of somebody else
	showViolations bool // the list of violations is open
	dataTable      bool // the table beside the chart is open

	replicaSets replicaSets
	diagnosed   diagnosed
}

func newStage(s *session, embedded bool) *stagePanels { return &stagePanels{s: s, embedded: embedded} }
