package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/breath"
)

// All that happens on the page comes here as an action: the tables say what each does to the session or to the page, and
// changed draws what came of it. Only what has to draw less, or to do more, has a handler of its own below.

// plain are the actions without a value.
var plain = map[string]func(*session.Session){
	act.Apply:         (*session.Session).Apply,
	act.Restart:       (*session.Session).Restart,
	act.TerminalStop:  (*session.Session).Interrupt,
	act.TerminalClear: (*session.Session).ClearTerminal,
	act.Stop:          (*session.Session).Stop,
	act.Anyway:        (*session.Session).RunAnyway,
	act.Dismiss:       (*session.Session).Dismiss,
}

// withText are those with a text.
var withText = map[string]func(*session.Session, string){
	act.Kubectl:  (*session.Session).Kubectl,
	act.Do:       (*session.Session).Do,
	act.StepBy:   func(s *session.Session, unit string) { s.SetStep(session.StepUnit(unit)) },
	act.Scenario: (*session.Session).LoadScenario,
	act.Version:  (*session.Session).SetVersion,
	act.Workload: (*session.Session).Choose,
	act.Object:   (*session.Session).LookAtObject,
	act.Series:   (*session.Session).LookAtSeries,
	act.Terminal: (*session.Session).Type,
	act.Load:     func(s *session.Session, fragment string) { s.OpenLink(fragment) },
	act.Continue: func(s *session.Session, how string) { s.Continue(how == "all") },
	act.BranchName: func(s *session.Session, v string) {
		id, name, _ := strings.Cut(v, " ")
		s.Rename(int(parseMS(id)), name)
	},
	act.Far: func(s *session.Session, ms string) { s.SeekTo(parseMS(ms)) },
}

// withNumber are those with the number of something.
var withNumber = map[string]func(*session.Session, int){
	act.Record: (*session.Session).LookAt,
	act.Speed:  (*session.Session).SetSpeed,
	act.Remove: (*session.Session).Remove,

	act.Bet: (*session.Session).Bet,

	act.Branch:       (*session.Session).SwitchToBranch,
	act.BranchDelete: (*session.Session).DeleteBranch,
	act.Compare: func(s *session.Session, id int) {
		if id < 0 {
			s.CompareLast()
			return
		}
		s.Compare(id)
	},
}

// choices are what a person can switch on the page itself; the session does not know of them.
var choices = map[string]func(*page, any){
	act.Tab:           func(p *page, v any) { p.details.Open(v.(string)); browser.Reveal(".tabs") },
	act.View:          func(p *page, v any) { p.details.Tab = v.(string) },
	act.StopAtCaption: func(p *page, v any) { p.chooseGuide(func(g *session.Guide) { g.Captions = v.(bool) }) },
	act.Hint:          func(p *page, _ any) { p.stage.GiveHint() },
	act.Try:           func(p *page, _ any) { p.s.Try() },
	act.HurryIdle:     func(p *page, v any) { p.chooseGuide(func(g *session.Guide) { g.Idle = v.(bool) }) },
	act.PodsBy:        func(p *page, v any) { p.details.Pods.By = v.(string) },
	act.PodsOrder:     func(p *page, v any) { p.details.Pods.Order = v.(bool) },
	act.Idle:          func(p *page, v any) { p.details.Idle = v.(bool) },
	act.Violations:    func(p *page, v any) { p.stage.ShowViolations = v.(bool) },
	act.DataTable:     func(p *page, v any) { p.stage.ShowTable = v.(bool) },
	act.Bound:         func(p *page, v any) { p.stage.SetBound(v.(string)) },
	act.FromStart:     func(p *page, v any) { p.stage.FromStart = v.(bool) },
	act.Ways:          func(p *page, v any) { p.stage.ShowWays = v.(bool) },
	act.Stacked:       func(p *page, v any) { p.stage.Stack(v.(bool)) },
	act.NumbersClosed: func(p *page, _ any) { p.numbers.Close() },
	act.NumbersAxis:   func(p *page, v any) { axis := v.(act.Axis); p.numbers.SetAxis(axis.Index, axis.Name) },
	act.NumbersColor:  func(p *page, v any) { p.numbers.Color(v.(int)) },
	act.ShareClosed:   func(p *page, _ any) { p.share.open, p.share.take.last = false, lastPicture{} }, // no link is made while nobody sees it
	act.ShareMoment:   func(p *page, v any) { p.share.moment, p.share.copied = v.(bool), "" },
	act.ShareView:     func(p *page, v any) { p.share.view, p.share.copied = v.(bool), "" },
	act.TakeDark:      func(p *page, v any) { p.share.take.dark = v.(bool) },
	act.Zoom:          func(_ *page, v any) { browser.Zoom(v.(string)) },
	act.Theme:         func(p *page, _ any) { p.theme = nextTheme(p.theme); browser.SetTheme(p.theme) },
}

// handle registers the one handler of each action.
func (p *page) handle(ctx app.Context) {
	for name := range plain {
		ctx.Handle(name, p.guarded(p.onPlain))
	}
	for name := range withText {
		ctx.Handle(name, p.withTexts(p.guarded(p.onLine)))
	}
	for name := range withNumber {
		ctx.Handle(name, p.guarded(p.onNumber))
	}
	for name := range choices {
		ctx.Handle(name, p.guarded(p.onChoice))
	}
	for name, do := range map[string]app.ActionHandler{
		act.Key: p.onKey, act.Seek: p.onSeek, act.Text: p.onText, act.PodCard: p.onPodCard, act.Lang: p.onLang, act.Start: p.onStart,
		act.Pane: p.onPane, act.Present: p.onPresent, act.Break: p.onBreak, act.Goto: p.onGoto, act.Editor: p.onEditor, act.TerminalFocus: p.onTerminalFocus, act.Playground: p.onPlayground,
		act.Link: p.onLink, act.Address: p.onAddress, act.Share: p.onShare, act.Take: p.onTake, act.Numbers: p.onNumbers, act.NumbersCell: p.onNumbersCell, act.NumbersHeard: p.onNumbersHeard, act.NumbersDo: p.onNumbersDo, act.Copied: p.onCopied,
	} {
		ctx.Handle(name, p.withTexts(p.guarded(do)))
	}
	for name, do := range p.draftActions() {
		ctx.Handle(name, p.withTexts(p.guarded(do)))
	}
}

func (p *page) onPlain(ctx app.Context, a app.Action) {
	plain[a.Name](p.s)
	p.changed(ctx)
}

func (p *page) onLine(ctx app.Context, a app.Action) {
	browser.CloseMenus()
	if a.Name == act.Scenario {
		p.save()
	}
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
var keyActions = map[string]func(*session.Session){
	"toggle": (*session.Session).Toggle,
	"play":   (*session.Session).Play,
	"pause":  (*session.Session).Pause,
	"loop":   (*session.Session).ToggleLoop,
	"faster": (*session.Session).Faster,
	"slower": (*session.Session).Slower,
	"undo":   (*session.Session).Undo,
	"redo":   (*session.Session).Redo,

	"lesson-next": (*session.Session).LessonNext,
	"lesson-back": (*session.Session).LessonBack,
	"onwards":     (*session.Session).Onwards,
}

// moves are the keys that move the cursor and nothing else.
var moves = map[string]func(*session.Session){
	"step-next":   (*session.Session).StepNext,
	"step-prev":   (*session.Session).StepPrev,
	"next-moment": func(s *session.Session) { s.Forth(session.ByMoment) },
	"prev-moment": func(s *session.Session) { s.Back(session.ByMoment) },
	"next-second": func(s *session.Session) { s.Forth(session.BySecond) },
	"prev-second": func(s *session.Session) { s.Back(session.BySecond) },
	"start":       (*session.Session).ToStart,
	"end":         (*session.Session).ToEnd,
}

func (p *page) onKey(ctx app.Context, a app.Action) {
	name := p.presented(a.Value.(string))
	if do := moves[name]; do != nil {
		do(p.s)
		p.moved(ctx)
	} else if do := keyActions[name]; do != nil {
		p.start.open = false // whoever plays has begun; on a phone the captions take its room
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
	p.details.Pods.Card = a.Value.(string)
	p.moved(ctx)
}

// onText is the editor's text, which the editor need not be told.
func (p *page) onText(ctx app.Context, a app.Action) {
	p.inEditor = a.Value.(string)
	if len(p.inEditor) >= breath.Long {
		browser.Rest() // the editor has just drawn it
	}
	p.s.Edit(p.inEditor)
	p.changed(ctx)
}

// onLang is the person's own choice, which the browser remembers. A link in the address is to have it too.
func (p *page) onLang(ctx app.Context, a app.Action) {
	p.s.SetLang(a.Value.(string))
	browser.Store(langKey, string(p.s.Lang()))
	p.share.due = p.share.due || p.s.Address() != ""
	p.changed(ctx)
}

func (p *page) onTerminalFocus(ctx app.Context, _ app.Action) {
	p.details.Open("terminal")
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.FocusTerminal() })
}

// onBreak breaks something, and lets the run play from there.
func (p *page) onBreak(ctx app.Context, a app.Action) {
	switch d := a.Value.(act.Damage); {
	case d.Image != "":
		p.s.Break(d.Image, d.Run)
	case d.Do != "":
		p.s.Do(d.Do)
	default:
		p.s.Kubectl(d.Run)
		if d.Then != "" {
			p.s.Kubectl(d.Then)
		}
	}
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.CloseMenus() })
}
