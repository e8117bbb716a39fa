package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// mayOpen says whether an action may open a shipped scenario other than the first.
func mayOpen(a app.Action) bool {
	switch a.Name {
	case act.Scenario:
		return a.Value != session.FirstScenario
	case act.Draft, act.DraftUndo:
		return true
	case act.Start:
		return a.Value == "break"
	case act.Load, act.Link:
		return sharing.Is(a.Value.(string))
	}
	return false
}

// withTexts lets an action wait until the texts of the scenarios are there: they come after the page.
func (p *page) withTexts(do app.ActionHandler) app.ActionHandler {
	return func(ctx app.Context, a app.Action) {
		if !mayOpen(a) || browser.HasTexts() {
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
