package app

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
)

// numbersBudget is how long a frame measures settings: the page has nothing else to do while the dialog covers it. A cell is measured
// as a whole, so small ones fit several into it.
const numbersBudget = 20 * time.Millisecond

// onNumbers opens the dialog that compares settings.
func (p *page) onNumbers(ctx app.Context, _ app.Action) {
	if p.s.Playing() {
		p.s.Pause()
	}
	p.numbers.Open()
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.OpenDialog("numbers") })
}

// onNumbersCell looks at a cell, which the keys may have reached.
func (p *page) onNumbersCell(ctx app.Context, a app.Action) {
	p.numbers.Choose(a.Value.(int))
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="cell-` + strconv.Itoa(a.Value.(int)) + `"]`) })
}

// onNumbersHeard takes a report of the workers. The next frame draws what came of it: frames go on while something is measured.
func (p *page) onNumbersHeard(ctx app.Context, a app.Action) {
	p.numbers.Hear(a.Value.(string))
	ctx.PreventUpdate()
}

// onNumbersDo varies the seed of the cell, opens its run or the worst of those seeds, takes over its settings,
// or stops or continues measuring.
func (p *page) onNumbersDo(ctx app.Context, a app.Action) {
	switch a.Value {
	case "seeds":
		p.numbers.Vary()
		p.changed(ctx)
		return
	case "stop":
		p.numbers.Stop()
		p.changed(ctx)
		return
	case "worst":
		p.numbers.FollowWorst()
	case "use":
		p.numbers.Use()
	default:
		p.numbers.Follow()
	}
	browser.CloseDialog("numbers")
	p.changed(ctx)
}
