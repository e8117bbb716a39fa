package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// All that happens on the page comes here as an action: the tables say what each does to the session or to the page, and
// changed draws what came of it. Only what has to draw less, or to do more, has a handler of its own below.

// plain are the actions without a value.
var plain = map[string]func(*session){
	actApply:         (*session).Apply,
	actRestart:       (*session).Restart,
	actTerminalStop:  (*session).Interrupt,
	actTerminalClear: (*session).ClearTerminal,
}

// withText are those with a text.
var withText = map[string]func(*session, string){
	actRun:      (*session).Run,
	actDo:       (*session).Do,
	actStepBy:   func(s *session, unit string) { s.SetStep(stepUnit(unit)) },
	actScenario: (*session).LoadScenario,
	actWorkload: (*session).Choose,
	actObject:   (*session).LookAtObject,
	actSeries:   (*session).LookAtSeries,
	actTerminal: (*session).Type,
	actLoad:     func(s *session, fragment string) { s.OpenLink(fragment) },
	actFar:      func(s *session, ms string) { s.SeekFar(parseMS(ms)) },
}

// withNumber are those with the number of something.
var withNumber = map[string]func(*session, int){
	actRecord: (*session).LookAt,
	actSpeed:  (*session).SetSpeed,
	actFork:   (*session).SwitchTo,
	actRemove: (*session).Remove,
}

// choices are what a person can switch on the page itself; the session does not know of them.
var choices = map[string]func(*page, any){
	actTab:         func(p *page, v any) { p.details.tab = v.(string) },
	actPodsBy:      func(p *page, v any) { p.details.pods.by = v.(string) },
	actPodsOrder:   func(p *page, v any) { p.details.pods.order = v.(bool) },
	actIdle:        func(p *page, v any) { p.details.idle = v.(bool) },
	actViolations:  func(p *page, v any) { p.stage.showViolations = v.(bool) },
	actDataTable:   func(p *page, v any) { p.stage.dataTable = v.(bool) },
	actShareClosed: func(p *page, _ any) { p.share.open = false }, // no link is made while nobody sees it
	actShareMoment: func(p *page, v any) { p.share.moment, p.share.copied = v.(bool), "" },
	actShareView:   func(p *page, v any) { p.share.view, p.share.copied = v.(bool), "" },
	actZoom:        func(_ *page, v any) { zoomChart(v.(string)) },
	actTheme:       func(p *page, _ any) { p.theme = nextTheme(p.theme); setTheme(p.theme) },
	actGoto:        func(_ *page, v any) { at := v.(position); gotoLine(at.Line, at.Column) },
}

// handle registers the one handler of each action.
func (p *page) handle(ctx app.Context) {
	for name := range plain {
		ctx.Handle(name, p.onPlain)
	}
	for name := range withText {
		ctx.Handle(name, p.onLine)
	}
	for name := range withNumber {
		ctx.Handle(name, p.onNumber)
	}
	for name := range choices {
		ctx.Handle(name, p.onChoice)
	}
	for name, do := range map[string]app.ActionHandler{
		actKey: p.onKey, actSeek: p.onSeek, actText: p.onText, actPodCard: p.onPodCard, actLang: p.onLang, actStart: p.onStart,
		actTerminalFocus: p.onTerminalFocus, actPlayground: p.onPlayground, actFidelity: p.onFidelity,
		actLink: p.onLink, actAddress: p.onAddress, actShare: p.onShare, actCopied: p.onCopied,
	} {
		ctx.Handle(name, do)
	}
}

func (p *page) onPlain(ctx app.Context, a app.Action) {
	plain[a.Name](p.s)
	p.changed(ctx)
}

func (p *page) onLine(ctx app.Context, a app.Action) {
	withText[a.Name](p.s, a.Value.(string))
	p.changed(ctx)
}

func (p *page) onNumber(ctx app.Context, a app.Action) {
	withNumber[a.Name](p.s, a.Value.(int))
	p.changed(ctx)
}

func (p *page) onChoice(ctx app.Context, a app.Action) {
	choices[a.Name](p, a.Value)
	p.changed(ctx)
}

// keyActions are what a key can do, and the buttons that do the same.
var keyActions = map[string]func(*session){
	"toggle": (*session).Toggle,
	"play":   (*session).Play,
	"pause":  (*session).Pause,
	"loop":   (*session).Loop,
	"faster": (*session).Faster,
	"slower": (*session).Slower,
	"undo":   (*session).Undo,
	"redo":   (*session).Redo,

	"lesson-next": (*session).LessonNext,
	"lesson-back": (*session).LessonBack,
}

// moves are the keys that move the cursor and nothing else.
var moves = map[string]func(*session){
	"step-next":   (*session).StepNext,
	"step-prev":   (*session).StepPrev,
	"next-moment": func(s *session) { s.Forth(byMoment) },
	"prev-moment": func(s *session) { s.Back(byMoment) },
	"next-second": func(s *session) { s.Forth(bySecond) },
	"prev-second": func(s *session) { s.Back(bySecond) },
	"start":       (*session).ToStart,
	"end":         (*session).ToEnd,
}

func (p *page) onKey(ctx app.Context, a app.Action) {
	name := a.Value.(string)
	if do := moves[name]; do != nil {
		do(p.s)
		p.moved(ctx)
	} else if do := keyActions[name]; do != nil {
		do(p.s)
		p.changed(ctx)
	}
}

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

// onPodCard draws nothing of go-app's: the card belongs to JavaScript.
func (p *page) onPodCard(ctx app.Context, a app.Action) {
	p.details.pods.card = a.Value.(string)
	p.moved(ctx)
}

// onText is the editor's text, which the editor need not be told.
func (p *page) onText(ctx app.Context, a app.Action) {
	p.inEditor = a.Value.(string)
	p.s.Edit(p.inEditor)
	p.changed(ctx)
}

// onLang is the person's own choice, which the browser remembers. A link in the address is to have it too.
func (p *page) onLang(ctx app.Context, a app.Action) {
	p.s.SetLang(a.Value.(string))
	store(langKey, string(p.s.lang))
	p.share.due = p.share.due || p.s.address != ""
	p.changed(ctx)
}

func (p *page) onFidelity(ctx app.Context, _ app.Action) {
	p.fidelity = true
	ctx.Defer(func(app.Context) { openDialog("fidelity") })
}

func (p *page) onTerminalFocus(ctx app.Context, _ app.Action) {
	p.details.tab = "terminal"
	p.changed(ctx)
	ctx.Defer(func(app.Context) { focusTerminal() })
}
