package app

import (
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
)

// listen connects the page with what the browser reports.
func (p *page) listen(ctx app.Context) {
	browser.Listen(browser.Listener{
		Report:   func(action, value string) { p.report(ctx, action, value) },
		Frame:    func(dt float64) { ctx.Dispatch(func(ctx app.Context) { p.frame(ctx, dt) }) },
		State:    func() any { return p.onScreen },
		Describe: p.s.Describe,
		Ask:      p.details.Ask,
	})
}

// report takes an action by its name, with a string that is a number for some of them.
func (p *page) report(ctx app.Context, action, value string) {
	switch action {
	case act.Seek:
		ctx.NewActionWithValue(action, parseMS(value))
	case act.Record:
		ctx.NewActionWithValue(action, int(parseMS(value)))
	case "hide": // the tab is closed or put away
		ctx.Dispatch(func(app.Context) { p.save() })
	default:
		ctx.NewActionWithValue(action, value)
	}
}

func parseMS(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return 0
	}
	return int64(f)
}
