package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Actions that components post. Each has exactly one handler, in the page.
const (
	actApply         = "apply"
	actRestart       = "restart"
	actRun           = "run"            // string: a kubectl line
	actDo            = "do"             // string: a line for the environment
	actKey           = "key"            // string: a name of keyActions
	actSeek          = "seek"           // int64: virtual ms
	actRecord        = "record"         // int: index of a record to look at
	actSpeed         = "speed"          // int: index of speeds
	actStepBy        = "step-by"        // string: a unit of stepUnits
	actFork          = "fork"           // int: a fork to switch to
	actText          = "text"           // string: of the editor
	actScenario      = "scenario"       // string: a shipped scenario
	actWorkload      = "workload"       // string: Deployment/default/web
	actRemove        = "remove"         // int: a command of the recording
	actTab           = "tab"            // string: a name of tabs
	actZoom          = "zoom"           // string: in, out or fit
	actTheme         = "theme"          // next theme
	actViolations    = "violations"     // bool: opened
	actDataTable     = "data-table"     // bool: opened
	actPodsBy        = "pods-by"        // string: byReplicaSet or byNode
	actPodsOrder     = "pods-order"     // bool: in order of deletion
	actTerminal      = "terminal"       // string: typed or pasted at the prompt
	actTerminalStop  = "terminal-stop"  // Ctrl-C
	actTerminalClear = "terminal-clear" // Ctrl-L
	actTerminalFocus = "terminal-focus" // show the prompt and go there
	actPodCard       = "pod-card"       // string: namespace/name of the pod that is pointed at, empty for none
	actGoto          = "goto"           // position: in the editor
	actFar           = "far"            // string: virtual ms; the run is computed up to there first
	actLoad          = "load"           // string: a link that the page around an embed wants to see
	actPlayground    = "playground"     // of an embed: open the run in the playground
	actIdle          = "idle"           // bool: the list of decisions has reconciles that change nothing
	actObject        = "object"         // string: Kind/namespace/name; to its last write
	actLink          = "link"           // string: the fragment that the address has now
	actAddress       = "address"        // the address may be brought in step with the run
	actShare         = "share"          // open the dialog
	actShareClosed   = "share-closed"
	actShareMoment   = "share-moment" // bool: the link opens at the cursor
	actShareView     = "share-view"   // bool: with speed, loop, tab and theme
	actCopied        = "copied"       // string: the id of the field that was copied
	actLang          = "lang"         // string: the tag of a language
	actStart         = "start"        // string: open or close the panel of a first visit, or one of its ways: show, break, own
	actSeries        = "series"       // string: id of a line of the chart; to the last change of its number
)

// position is a place in the editor's text, from 1.
type position struct{ Line, Column int }

// keyActions are the actions without a value: what a key can do, and the buttons that do the same.
var keyActions = map[string]func(*session){
	"toggle":    (*session).Toggle,
	"play":      (*session).Play,
	"pause":     (*session).Pause,
	"step-next": (*session).StepNext,
	"step-prev": (*session).StepPrev,

	"next-moment": func(s *session) { s.forth(byMoment) },
	"prev-moment": func(s *session) { s.back(byMoment) },
	"next-second": func(s *session) { s.forth(bySecond) },
	"prev-second": func(s *session) { s.back(bySecond) },
	"loop":        (*session).Loop,

	"start":  (*session).ToStart,
	"end":    (*session).ToEnd,
	"faster": func(s *session) { s.SetSpeed(s.speed + 1) },
	"slower": func(s *session) { s.SetSpeed(s.speed - 1) },
	"undo":   (*session).Undo,
	"redo":   (*session).Redo,

	"lesson-next": (*session).LessonNext,
	"lesson-back": (*session).LessonBack,
}

// handle registers the one handler of each action.
func (p *page) handle(ctx app.Context) {
	ctx.Handle(actApply, p.onApply)
	ctx.Handle(actRestart, p.onRestart)
	ctx.Handle(actRun, p.onRun)
	ctx.Handle(actDo, p.onDo)
	ctx.Handle(actKey, p.onKey)
	ctx.Handle(actSeek, p.onSeek)
	ctx.Handle(actRecord, p.onRecord)
	ctx.Handle(actSpeed, p.onSpeed)
	ctx.Handle(actStepBy, p.onStepBy)
	ctx.Handle(actFork, p.onFork)
	ctx.Handle(actText, p.onText)
	ctx.Handle(actScenario, p.onScenario)
	ctx.Handle(actWorkload, p.onWorkload)
	ctx.Handle(actRemove, p.onRemove)
	ctx.Handle(actTab, p.onTab)
	ctx.Handle(actZoom, p.onZoom)
	ctx.Handle(actTheme, p.onTheme)
	ctx.Handle(actDataTable, p.onDataTable)
	ctx.Handle(actViolations, p.onViolations)
	ctx.Handle(actPodsBy, p.onPodsBy)
	ctx.Handle(actPodsOrder, p.onPodsOrder)
	ctx.Handle(actPodCard, p.onPodCard)
	ctx.Handle(actTerminal, p.onTerminal)
	ctx.Handle(actTerminalStop, p.onTerminalStop)
	ctx.Handle(actTerminalClear, p.onTerminalClear)
	ctx.Handle(actTerminalFocus, p.onTerminalFocus)
	ctx.Handle(actGoto, p.onGoto)
	ctx.Handle(actFar, p.onFar)
	ctx.Handle(actLoad, p.onLoad)
	ctx.Handle(actPlayground, p.onPlayground)
	ctx.Handle(actIdle, p.onIdle)
	ctx.Handle(actObject, p.onObject)
	ctx.Handle(actSeries, p.onSeries)
	ctx.Handle(actLang, p.onLang)
	ctx.Handle(actStart, p.onStart)
	ctx.Handle(actLink, p.onLink)
	ctx.Handle(actAddress, p.onAddress)
	ctx.Handle(actShare, p.onShare)
	ctx.Handle(actShareClosed, p.onShareClosed)
	ctx.Handle(actShareMoment, p.onShareMoment)
	ctx.Handle(actShareView, p.onShareView)
	ctx.Handle(actCopied, p.onCopied)
}

func (p *page) onApply(ctx app.Context, _ app.Action)   { p.s.Apply(); p.changed(ctx) }
func (p *page) onRestart(ctx app.Context, _ app.Action) { p.s.Restart(); p.changed(ctx) }

func (p *page) onRun(ctx app.Context, a app.Action) {
	p.s.Run(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onDo(ctx app.Context, a app.Action) {
	p.s.Do(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onKey(ctx app.Context, a app.Action) {
	name := a.Value.(string)
	do, ok := keyActions[name]
	if !ok {
		return
	}
	do(p.s)
	if moves[name] {
		p.moved(ctx)
	} else {
		p.changed(ctx)
	}
}

// moves are the actions that move the cursor and nothing else.
var moves = map[string]bool{"step-next": true, "step-prev": true, "next-moment": true, "prev-moment": true,
	"next-second": true, "prev-second": true, "start": true, "end": true}

// moved moves the cursor's line at once, and leaves what is expensive to draw to the frames, as playing does: a key that is
// held down comes faster than a thousand pods can be drawn.
func (p *page) moved(ctx app.Context) {
	ctx.PreventUpdate()
	ctx.Defer(p.push)
}

func (p *page) onSeek(ctx app.Context, a app.Action) {
	p.s.SeekTo(a.Value.(int64))
	p.moved(ctx)
}

func (p *page) onRecord(ctx app.Context, a app.Action) {
	p.s.LookAt(a.Value.(int))
	p.changed(ctx)
}

func (p *page) onSpeed(ctx app.Context, a app.Action) {
	p.s.SetSpeed(a.Value.(int))
	p.changed(ctx)
}

func (p *page) onStepBy(ctx app.Context, a app.Action) {
	p.s.SetStep(stepUnit(a.Value.(string)))
	p.changed(ctx)
}

func (p *page) onFork(ctx app.Context, a app.Action) {
	p.s.SwitchTo(a.Value.(int))
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
	p.s.workload = a.Value.(string)
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

func (p *page) onPodsBy(ctx app.Context, a app.Action) {
	p.pods.by = a.Value.(string)
	ctx.Defer(p.push)
}

func (p *page) onPodsOrder(ctx app.Context, a app.Action) {
	p.pods.order = a.Value.(bool)
	ctx.Defer(p.push)
}

// onPodCard draws nothing of go-app's: the card belongs to JavaScript.
func (p *page) onPodCard(ctx app.Context, a app.Action) {
	p.pods.card = a.Value.(string)
	ctx.PreventUpdate()
	ctx.Defer(p.push)
}

func (p *page) onZoom(_ app.Context, a app.Action) { zoomChart(a.Value.(string)) }

func (p *page) onTheme(_ app.Context, _ app.Action) {
	p.theme = nextTheme(p.theme)
	setTheme(p.theme)
}

// onLang is the person's own choice, which the browser remembers. A link in the address is to have it too.
func (p *page) onLang(ctx app.Context, a app.Action) {
	p.s.SetLang(a.Value.(string))
	store(langKey, string(p.s.lang))
	p.share.due = p.share.due || p.s.address != ""
	p.changed(ctx)
}

func (p *page) onViolations(_ app.Context, a app.Action) { p.showViolations = a.Value.(bool) }

func (p *page) onDataTable(_ app.Context, a app.Action) { p.dataTable = a.Value.(bool) }

func (p *page) onGoto(_ app.Context, a app.Action) {
	at := a.Value.(position)
	gotoLine(at.Line, at.Column)
}

func (p *page) onIdle(_ app.Context, a app.Action) { p.idle = a.Value.(bool) }

func (p *page) onObject(ctx app.Context, a app.Action) {
	p.s.LookAtObject(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onSeries(ctx app.Context, a app.Action) {
	p.s.LookAtSeries(a.Value.(string))
	p.changed(ctx)
}
