package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// page is the root component. It alone owns the session; the regions get small values and post actions.
type page struct {
	app.Compo

	s           *session
	index       index
	replicaSets replicaSets
	drawn       drawn
	snap        *engine.Snapshot
	snapKey     snapKey
	inEditor    string // the text that CodeMirror shows
	tab         string
	theme       string
	dataTable   bool // the table beside the chart is open
}

// drawn is the state that is on the screen; a frame that leaves it as it is redraws nothing.
type drawn struct {
	runs, records int
	end           int64
	done          bool
	cursor        cursor
	playing       bool
	said          string
	workload      string
	tab           string
}

// snapshot is the cluster at the cursor, made once for all regions that show it.
func (p *page) snapshot() *engine.Snapshot {
	s := p.s
	if s.run == nil {
		return &engine.Snapshot{}
	}
	key := snapKey{s.run, s.cursor.Record, s.cursor.T / second}
	if p.snap == nil || p.snapKey != key {
		p.snap, p.snapKey = s.run.SnapshotAt(s.cursor.Record, s.cursor.T), key
	}
	return p.snap
}

// snapKey is what a snapshot's rows depend on; ages are in whole seconds.
type snapKey struct {
	run     *engine.Run
	record  int
	seconds int64
}

const second = 1000 // virtual ms

func (p *page) state() drawn {
	d := drawn{runs: p.s.runs, cursor: p.s.cursor, playing: p.s.playing, said: p.s.said, tab: p.tab, workload: p.s.deployment()}
	if p.s.run != nil {
		d.records, d.end, d.done = p.s.run.Len(), p.s.end(), p.s.run.Done()
	}
	return d
}

// OnInit opens the session before anything is drawn.
func (p *page) OnInit() {
	p.s = newSession(prefersReducedMotion())
	p.tab, p.theme = tabNames[0], currentTheme()
	p.s.Open(loadSession())
}

// OnMount connects the page with the browser: keys, editor, chart and animation frames.
func (p *page) OnMount(ctx app.Context) {
	p.handle(ctx)
	listen(listener{ctx: ctx, page: p})
	p.changed(ctx)
}

// changed follows every action: it hands the parts that JavaScript owns their new state and wakes the frames.
func (p *page) changed(ctx app.Context) {
	if p.inEditor != p.s.text {
		p.inEditor = p.s.text
		setEditorText(p.s.text)
	}
	setDiagnostics(p.s.diags)
	p.save()
	ctx.Defer(p.push) // after the render: the elements are there
}

func (p *page) save() { storeSession(p.s.Save()) }

// frameBudget is how long a frame may compute ahead; the rest of its 16 ms belongs to drawing.
const frameBudget = 5 * time.Millisecond

// frame is one animation frame: compute ahead, move the cursor, draw what changed.
func (p *page) frame(ctx app.Context, dt float64) {
	before := p.state()
	p.compute()
	wasPlaying := p.s.playing
	p.s.Tick(dt)
	if wasPlaying && !p.s.playing {
		p.save()
	}
	now := p.state()
	// JavaScript moves the cursor's line, time and scrubber; here only the ages in the tables change, once a second.
	now.cursor.T, before.cursor.T = now.cursor.T/second, before.cursor.T/second
	if now == before {
		ctx.PreventUpdate()
	}
	ctx.Defer(p.push)
}

func (p *page) compute() {
	for start := time.Now(); p.s.Compute(slice / 8); {
		if time.Since(start) > frameBudget {
			return
		}
	}
}

// push draws what lies outside go-app's elements: chart lines if the run changed, the cursor always.
func (p *page) push(app.Context) {
	now := p.state()
	if now.runs != p.drawn.runs || now.end != p.drawn.end || now.records != p.drawn.records || now.workload != p.drawn.workload {
		pushChart(p.chartView())
	}
	pushCursor(p.s.cursor.T, now.end)
	if now.cursor.Record != p.drawn.cursor.Record || p.tab != p.drawn.tab {
		keepInView()
	}
	p.drawn = now
	latest := p.s.latest()
	frames(p.s.playing || (latest != nil && !latest.Done()))
}

// Render names the regions.
func (p *page) Render() app.UI {
	return app.Div().Class("page").Body(
		app.A().Class("skip").Href("#stage").Text("Skip to the chart"),
		&header{Preset: p.s.preset, Own: p.s.run != nil && p.s.preset == "", CanUndo: len(p.s.past) > 0, CanRedo: len(p.s.future) > 0, Theme: p.theme},
		app.Main().Class("main").Body(
			p.editorPanel(),
			app.Section().Class("stage").ID("stage").Aria("label", "Rollout").Body(
				p.chartPanel(),
				p.transportBar(),
				p.controlsPanel(),
				p.whyPanel(),
				p.tabsPanel(),
			),
		),
		&helpDialog{},
		app.P().Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.said),
	)
}
