package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Actions that components post. Each has exactly one handler, in the page.
const (
	actApply     = "apply"
	actRestart   = "restart"
	actRun       = "run"        // string: a kubectl line
	actKey       = "key"        // string: a name of keyActions
	actSeek      = "seek"       // int64: virtual ms
	actRecord    = "record"     // int: index of a record to look at
	actSpeed     = "speed"      // int: index of speeds
	actText      = "text"       // string: of the editor
	actScenario  = "scenario"   // string: a shipped scenario
	actWorkload  = "workload"   // string: Deployment/default/web
	actPod       = "pod"        // string: namespace/name
	actRemove    = "remove"     // int: a command of the recording
	actTab       = "tab"        // string: a name of tabs
	actZoom      = "zoom"       // string: in, out or fit
	actTheme     = "theme"      // next theme
	actDataTable = "data-table" // bool: opened
	actGoto      = "goto"       // position: in the editor
	actFidelity  = "fidelity"   // how right is this?
)

// position is a place in the editor's text, from 1.
type position struct{ Line, Column int }

// keyActions are the actions without a value: what a key can do, and the buttons that do the same.
var keyActions = map[string]func(*session){
	"toggle":    (*session).Toggle,
	"step-next": (*session).StepNext,
	"step-prev": (*session).StepPrev,
	"start":     (*session).ToStart,
	"end":       (*session).ToEnd,
	"faster":    func(s *session) { s.SetSpeed(s.speed + 1) },
	"slower":    func(s *session) { s.SetSpeed(s.speed - 1) },
	"undo":      (*session).Undo,
	"redo":      (*session).Redo,
}

// handle registers the one handler of each action.
func (p *page) handle(ctx app.Context) {
	ctx.Handle(actApply, p.onApply)
	ctx.Handle(actRestart, p.onRestart)
	ctx.Handle(actRun, p.onRun)
	ctx.Handle(actKey, p.onKey)
	ctx.Handle(actSeek, p.onSeek)
	ctx.Handle(actRecord, p.onRecord)
	ctx.Handle(actSpeed, p.onSpeed)
	ctx.Handle(actText, p.onText)
	ctx.Handle(actScenario, p.onScenario)
	ctx.Handle(actWorkload, p.onWorkload)
	ctx.Handle(actPod, p.onPod)
	ctx.Handle(actRemove, p.onRemove)
	ctx.Handle(actTab, p.onTab)
	ctx.Handle(actZoom, p.onZoom)
	ctx.Handle(actTheme, p.onTheme)
	ctx.Handle(actDataTable, p.onDataTable)
	ctx.Handle(actGoto, p.onGoto)
	ctx.Handle(actFidelity, p.onFidelity)
}

func (p *page) onApply(ctx app.Context, _ app.Action)   { p.s.Apply(); p.changed(ctx) }
func (p *page) onRestart(ctx app.Context, _ app.Action) { p.s.Restart(); p.changed(ctx) }

func (p *page) onRun(ctx app.Context, a app.Action) {
	p.s.Run(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onKey(ctx app.Context, a app.Action) {
	if do, ok := keyActions[a.Value.(string)]; ok {
		do(p.s)
		p.changed(ctx)
	}
}

func (p *page) onSeek(ctx app.Context, a app.Action) {
	p.s.SeekTo(a.Value.(int64))
	p.changed(ctx)
}

func (p *page) onRecord(ctx app.Context, a app.Action) {
	p.s.LookAt(a.Value.(int))
	p.changed(ctx)
}

func (p *page) onSpeed(ctx app.Context, a app.Action) {
	p.s.SetSpeed(a.Value.(int))
	p.changed(ctx)
}

func (p *page) onText(ctx app.Context, a app.Action) {
	p.s.SetText(a.Value.(string))
	p.s.touched = true
	p.inEditor = p.s.text
	p.changed(ctx)
}

func (p *page) onScenario(ctx app.Context, a app.Action) {
	p.s.LoadScenario(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onWorkload(ctx app.Context, a app.Action) {
	p.s.workload, p.s.pod = a.Value.(string), ""
	p.changed(ctx)
}

func (p *page) onPod(ctx app.Context, a app.Action) {
	p.s.pod = a.Value.(string)
	p.changed(ctx)
}

func (p *page) onRemove(ctx app.Context, a app.Action) {
	p.s.Remove(a.Value.(int))
	p.changed(ctx)
}

func (p *page) onTab(ctx app.Context, a app.Action) {
	p.tab = a.Value.(string)
	ctx.Defer(p.push)
}

func (p *page) onZoom(_ app.Context, a app.Action) { zoomChart(a.Value.(string)) }

func (p *page) onTheme(_ app.Context, _ app.Action) {
	p.theme = nextTheme(p.theme)
	setTheme(p.theme)
}

func (p *page) onDataTable(_ app.Context, a app.Action) { p.dataTable = a.Value.(bool) }

func (p *page) onGoto(_ app.Context, a app.Action) {
	at := a.Value.(position)
	gotoLine(at.Line, at.Column)
}

func (p *page) onFidelity(ctx app.Context, _ app.Action) {
	p.fidelity = true
	ctx.Defer(func(app.Context) { openDialog("fidelity") })
}
