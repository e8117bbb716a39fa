package numbers

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/parts"
)

// Budget is how long a frame measures settings: the page has nothing else to do while the dialog covers it. A cell is measured as a
// whole, so a frame measures several small ones.
const Budget = 20 * time.Millisecond

// Handlers are the actions of the dialog.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Numbers: p.onOpen, act.NumbersCell: p.onCell, act.NumbersHeard: p.onHeard, act.NumbersDo: p.onDo,
		act.NumbersClosed: parts.Changed(func(any) { p.Close() }),
		act.NumbersAxis:   parts.Changed(func(axis act.Axis) { p.SetAxis(axis.Index, axis.Name) }),
		act.NumbersColor:  parts.Changed(p.Color),
	}
}

// onOpen opens the dialog.
func (p *Panel) onOpen(ctx app.Context, _ any) bool {
	if p.s.Cursor.Playing {
		p.s.Cursor.Pause()
	}
	p.Open()
	ctx.Defer(func(app.Context) { browser.OpenDialog("numbers") })
	return true
}

// onCell looks at a cell, which the keys may have reached.
func (p *Panel) onCell(ctx app.Context, v any) bool {
	p.Choose(v.(int))
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="cell-` + strconv.Itoa(v.(int)) + `"]`) })
	return false
}

// onHeard takes a report of the workers. The next frame draws the result: frames continue while something is measured.
func (p *Panel) onHeard(ctx app.Context, v any) bool {
	p.Hear(v.(string))
	ctx.PreventUpdate()
	return false
}

// onDo varies the seed of the cell, opens its run or the worst of those seeds, takes over its settings,
// or stops or continues measuring.
func (p *Panel) onDo(_ app.Context, v any) bool {
	switch v {
	case "seeds":
		p.Vary()
		return true
	case "stop":
		p.Stop()
		return true
	case "worst":
		p.FollowWorst()
	case "use-it":
		p.UseIt()
	case "use":
		p.Use()
	default:
		p.Follow()
	}
	browser.CloseDialog("numbers")
	return true
}
