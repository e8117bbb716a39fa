package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// breakScenario is what "let me break it" opens.
const breakScenario = "bad-image"

// start is the panel of a first visit. It closes when a different run is shown, or this one is played.
type start struct {
	open bool
	runs int
}

// firstVisit says that nothing was saved, no link is open, and the panel was never closed.
func firstVisit(saved, fragment, seen string) bool {
	return saved == "" && seen == "" && !sharing.Is(fragment)
}

// startPanel says in one line what the page is, and lets a newcomer choose how to begin. It covers nothing: the first scenario
// plays below it. While closed it is hidden, so that its neighbours stay in place.
type startPanel struct {
	app.Compo

	Lang lang.Lang
	Open bool
}

// Render draws the sentence and the three ways.
func (p *startPanel) Render() app.UI {
	if !p.Open {
		return app.Elem("section").Class("start").Hidden(true)
	}
	return app.Elem("section").Class("start").Hidden(false).DataSet("act", "start-panel").Aria("labelledby", "start-title").Body(
		app.Elem("h2").ID("start-title").Text(p.Lang.Say("start")),
		p.way("start-show", "start-show-it", p.onShow),
		p.way("start-break", "start-break-it", p.onBreak),
		p.way("start-own", "start-own-it", p.onOwn),
		parts.Close(p.Lang, "start-close", "close", p.onClose),
	)
}

func (p *startPanel) way(label, text lang.Message, do app.EventHandler) app.UI {
	return app.Elem("button").Class("button way").Attr("type", "button").DataSet("act", string(label)).Title(p.Lang.Say(text)).OnClick(do).Text(p.Lang.Say(label))
}

func (p *startPanel) onShow(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(act.Start, "show") }

func (p *startPanel) onBreak(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Start, "break")
}

func (p *startPanel) onOwn(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(act.Start, "own") }

func (p *startPanel) onClose(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Start, "close")
}

// onStart opens the panel, or carries out a choice. The focus moves to where that begins, because the pressed button
// is gone.
func (p *page) onStart(ctx app.Context, a app.Action) {
	p.start = start{}
	focus := "#stage"
	switch a.Value.(string) {
	case "open":
		p.start = start{open: true, runs: p.s.Runs()}
		focus = `[data-act="start-show"]`
	case "show":
		p.s.LoadScenario(session.FirstScenario)
	case "break":
		p.s.LoadScenario(breakScenario)
	case "own":
		p.s.NewText()
		p.openCode()
		focus = ""
	}
	if !p.start.open {
		browser.Store(startKey, "seen")
	}
	p.changed(ctx)
	ctx.Defer(func(app.Context) {
		if focus == "" {
			browser.FocusEditor()
		} else {
			browser.FocusOn(focus)
		}
	})
}
