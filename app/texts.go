package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

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
				p.s.Visit.TextsMissing(wrong)
				p.changed(ctx)
			})
		})
	}
}
