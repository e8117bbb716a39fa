package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
)

// A panic ends the program, and with it the page. So what the page does for an action, a frame or a render is guarded: a bug
// there costs the run at most, and the text stays in the editor.

// brokenMax is the number of bugs after which frames stop, because each of them would meet the same one.
const brokenMax = 3

// guard runs a piece of the page's work.
func (p *page) guard(do func()) {
	browser.Work(true)
	defer func() {
		browser.Work(false)
		if v := recover(); v != nil {
			p.broke(v)
		}
	}()
	do()
}

// guarded is a handler that is guarded.
func (p *page) guarded(do app.ActionHandler) app.ActionHandler {
	return func(ctx app.Context, a app.Action) { p.guard(func() { do(ctx, a) }) }
}

// Broke takes what the build's copy of go-app catches: a panic of a component's own Render or handler (web/site/pack/libraries.go).
func (p *page) Broke(v any) {
	if !p.connected {
		panic(v) // nobody would see a notice: the loader says that rollplay has stopped
	}
	p.broke(v)
	if p.broken < brokenMax {
		browser.Frames(true) // the next one shows the notice
	}
}

// Draws is called for each element that the build's copy of go-app draws.
func (p *page) Draws() { browser.Draw() }

// broke reports a bug. The first time the run stays. The second time the run is to blame, so the page continues without it.
func (p *page) broke(v any) {
	p.broken++
	p.s.Broke(fmt.Sprint(v), p.broken > 1)
	if p.broken >= brokenMax {
		browser.Frames(false)
	}
}
