package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/palette"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// All that happens on the page comes here as an action: the tables say what each does to the session or to the page, and
// changed draws what came of it. Only what has to draw less, or to do more, has a handler of its own below.

// plain are the actions without a value.
var plain = map[string]func(*session.Session){
	act.Apply:         (*session.Session).Apply,
	act.Restart:       (*session.Session).Restart,
	act.TerminalStop:  func(s *session.Session) { s.Prompt.Interrupt() },
	act.TerminalClear: func(s *session.Session) { s.Prompt.Clear() },
	act.Stop:          (*session.Session).Stop,
	act.Anyway:        (*session.Session).RunAnyway,
	act.Dismiss:       func(s *session.Session) { s.Visit.Notice = session.Notice{} },
	act.Try:           (*session.Session).Try,
}

// withText are those with a text.
var withText = map[string]func(*session.Session, string){
	act.Kubectl:  func(s *session.Session, line string) { s.Control(func() { s.Fix(line) }) },
	act.Do:       (*session.Session).Do,
	act.StepBy:   func(s *session.Session, unit string) { s.Cursor.SetStep(session.StepUnit(unit)) },
	act.Scenario: (*session.Session).LoadScenario,
	act.Version:  session.SetVersion,
	act.Workload: func(s *session.Session, v string) { s.Computed.Choose(v) },
	act.Object:   func(s *session.Session, v string) { s.Cursor.LookAtObject(v) },
	act.Terminal: (*session.Session).Type,
	act.Load:     func(s *session.Session, fragment string) { s.OpenLink(fragment) },
	act.Continue: func(s *session.Session, how string) { s.Computed.Continue(how == "all") },
	act.BranchName: func(s *session.Session, v string) {
		id, name, _ := strings.Cut(v, " ")
		s.Branches.Rename(int(parseMS(id)), name)
	},
	act.Far: func(s *session.Session, ms string) { s.Cursor.SeekTo(parseMS(ms)) },
}

// withNumber are those with the number of something.
var withNumber = map[string]func(*session.Session, int){
	act.Record: func(s *session.Session, n int) { s.Cursor.LookAt(n) },
	act.Speed:  func(s *session.Session, n int) { s.Cursor.SetSpeed(n) },
	act.Remove: (*session.Session).Remove,

	act.Bet: func(s *session.Session, n int) { s.Lesson.Answer(n) },

	act.Branch:       (*session.Session).SwitchTo,
	act.BranchDelete: (*session.Session).DeleteBranch,
	act.Compare: func(s *session.Session, id int) {
		if id < 0 {
			s.Branches.CompareLast()
			return
		}
		s.Branches.Compare(id)
	},
}

// onPage are the few choices that concern the whole page.
func (p *page) onPage() parts.Handlers {
	return parts.Handlers{
		act.Zoom: parts.Changed(browser.Zoom),
		act.Theme: parts.Changed(func(any) {
			p.theme = header.NextTheme(p.theme)
			browser.SetTheme(p.theme)
		}),
		act.Sound: parts.Changed(func(any) {
			said := lang.Message("sound-off")
			if browser.Sound() {
				said = "sound-on"
			}
			p.s.Visit.Say(p.s.Lang().Say(said))
		}),
		act.Lang:       parts.Changed(p.chooseLang),
		act.Arrive:     parts.Changed(p.arrive),
		act.Break:      p.onBreak,
		act.Palette:    p.onPalette,
		act.Playground: p.onPlayground,
	}
}

// onSession are the actions that the session carries out.
func (p *page) onSession() parts.Handlers {
	all := parts.Handlers{}
	for name, do := range withText {
		all[name] = func(ctx app.Context, v any) bool {
			browser.CloseMenus()
			if name == act.Scenario {
				p.document.Save()
			}
			if do(p.s, v.(string)); name == act.Kubectl {
				p.toPlay(ctx)
			}
			return true
		}
	}
	for name, do := range plain {
		all[name] = parts.Changed(func(any) { do(p.s) })
	}
	for name, do := range withNumber {
		all[name] = parts.Changed(func(n int) { do(p.s, n) })
	}
	return all
}

// regions are the handlers of all regions. Each action has exactly one.
func (p *page) regions() []parts.Handlers {
	return []parts.Handlers{p.onPage(), p.onSession(), p.stage.Handlers(), p.details.Handlers(), p.share.Handlers(), p.numbers.Handlers(),
		p.document.Handlers(), p.palette.Handlers(), p.lesson.Handlers(), p.presenter.Handlers(), p.panes.Handlers(), p.editor.Handlers(),
		p.start.Handlers()}
}

func (p *page) handle(ctx app.Context) {
	for _, handlers := range p.regions() {
		for name, do := range handlers {
			ctx.Handle(name, p.withTexts(p.guarded(p.followed(do))))
		}
	}
	for name, do := range map[string]app.ActionHandler{
		act.Key: p.onKey, act.Seek: p.onSeek, act.PodCard: p.onPodCard, act.Link: p.onLink, act.Address: p.onAddress,
	} {
		ctx.Handle(name, p.withTexts(p.guarded(do)))
	}
}

// followed lets the page follow what a region has changed.
func (p *page) followed(do parts.Handler) app.ActionHandler {
	return func(ctx app.Context, a app.Action) {
		if do(ctx, a.Value) {
			p.changed(ctx)
		}
	}
}

// keyActions are what a key can do, and the buttons that do the same.
var keyActions = map[string]func(*session.Session){
	"toggle": func(s *session.Session) { s.Cursor.Toggle() },
	"play":   func(s *session.Session) { s.Cursor.Play() },
	"pause":  func(s *session.Session) { s.Cursor.Pause() },
	"loop":   func(s *session.Session) { s.Cursor.ToggleLoop() },
	"faster": func(s *session.Session) { s.Cursor.Faster() },
	"slower": func(s *session.Session) { s.Cursor.Slower() },
	"undo":   (*session.Session).Undo,
	"redo":   (*session.Session).Redo,

	"lesson-next": func(s *session.Session) { s.Lesson.Next() },
	"lesson-back": func(s *session.Session) { s.Lesson.Back() },
	"onwards":     func(s *session.Session) { s.Lesson.Continue() },
}

// moves are the keys that move the cursor and nothing else.
var moves = map[string]func(*session.Session){
	"step-next":   (*session.Session).StepNext,
	"step-prev":   func(s *session.Session) { s.Cursor.StepPrev() },
	"next-moment": func(s *session.Session) { s.Cursor.Forth(session.ByMoment) },
	"prev-moment": func(s *session.Session) { s.Cursor.Back(session.ByMoment) },
	"next-second": func(s *session.Session) { s.Cursor.Forth(session.BySecond) },
	"prev-second": func(s *session.Session) { s.Cursor.Back(session.BySecond) },
	"start":       func(s *session.Session) { s.Cursor.ToStart() },
	"end":         func(s *session.Session) { s.Cursor.ToEnd() },
}

// arrive continues where the page stood until the program was there: see web/src/first.js.
func (p *page) arrive(value string) {
	t, touched, _ := strings.Cut(value, " ")
	p.start.Show(p.start.Open && touched != "true")
	p.s.Cursor.Arrive(parseMS(t), touched == "true")
}

func (p *page) onKey(ctx app.Context, a app.Action) {
	name := p.presenter.Key(a.Value.(string))
	if name == "counts" {
		p.s.Visit.SayAgain(p.stage.Counts())
	} else if do := moves[name]; do != nil {
		do(p.s)
		p.moved(ctx)
	} else if do := keyActions[name]; do != nil {
		p.start.Show(false) // a run that plays is a beginning; on a phone the captions take the panel's room
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
	p.s.Cursor.SeekTo(a.Value.(int64))
	p.moved(ctx)
}

// onPodCard draws nothing of go-app's: the card belongs to JavaScript.
func (p *page) onPodCard(ctx app.Context, a app.Action) {
	p.details.Pods.Card = a.Value.(string)
	p.moved(ctx)
}

// chooseLang takes a person's own choice, which the browser remembers. A link in the address gets it too.
func (p *page) chooseLang(tag string) {
	p.s.Visit.SetLang(tag)
	browser.Store(langKey, string(p.s.Lang()))
	p.addressDue = p.addressDue || p.s.Visit.Address != ""
}

// onPalette opens the palette with all that the page has now, or closes it.
func (p *page) onPalette(ctx app.Context, v any) bool {
	if v == "close" {
		browser.CloseDialog("palette")
		return false
	}
	browser.CloseMenus()
	browser.FlushEditor()
	p.document.Read()
	p.palette.Open(ctx, p.findable())
	return true
}

// findable is what the palette finds beside the session.
func (p *page) findable() palette.Page {
	return palette.Page{Ways: p.stage.Ways(), Drafts: p.document.Drafts, Now: p.document.Now, NextTheme: header.NextTheme(p.theme)}
}

// toPlay moves the focus to where the run can be stopped.
func (p *page) toPlay(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		browser.CloseMenus()
		browser.FocusOn(`[data-act="play"]`)
		if p.embed == nil {
			browser.ShowChart() // the focus scrolls to the button
		}
	})
}

// onBreak breaks something, and lets the run play from there.
func (p *page) onBreak(ctx app.Context, v any) bool {
	p.s.Control(func() { stage.BreakIt(p.s, v.(act.Damage)) })
	p.toPlay(ctx)
	return true
}

// wantsTexts says whether an action may open a shipped scenario other than the first, or needs the Chinese lists.
func wantsTexts(a app.Action) bool {
	switch a.Name {
	case act.Scenario:
		return a.Value != session.FirstScenario
	case act.Draft, act.DraftUndo:
		return true
	case act.Start:
		return a.Value == "break"
	case act.Load, act.Link:
		return sharing.Is(a.Value.(string))
	case act.Lang:
		return lang.Pick(a.Value.(string)) == lang.Chinese
	}
	return false
}

// withTexts lets an action wait until the texts of the scenarios are there: they come after the page.
func (p *page) withTexts(do app.ActionHandler) app.ActionHandler {
	return func(ctx app.Context, a app.Action) {
		if !wantsTexts(a) || browser.HasTexts() {
			do(ctx, a)
			return
		}
		ctx.PreventUpdate()
		browser.LoadTexts(func(wrong string) {
			ctx.Dispatch(func(ctx app.Context) {
				if wrong == "" {
					do(ctx, a)
					return
				}
				p.s.Visit.Tell(p.s.Lang().Say("texts-missing", wrong), true)
				p.changed(ctx)
			})
		})
	}
}
