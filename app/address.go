package app

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// openLink opens a link with its tab and its theme.
func (p *page) openLink(fragment string) {
	if v, ok := p.s.OpenLink(fragment); ok {
		p.start.Show(false)
		p.look(v)
	}
}

// look takes the tab and the theme of a link. The theme applies to this visit and is not stored.
func (p *page) look(v sharing.View) {
	if details.TabLabels[v.Tab] != "" {
		p.details.Tab = v.Tab
	}
	if slices.Contains(header.Themes[:], v.Theme) {
		p.theme = v.Theme
		browser.ShowTheme(v.Theme)
	}
}

// lookNow returns the tab and the theme for a link, empty for the usual ones.
func (p *page) lookNow() (v sharing.View) {
	if p.theme != header.Themes[0] {
		v.Theme = p.theme
	}
	if p.details.Tab != details.TabNames[0] {
		v.Tab = p.details.Tab
	}
	return v
}

// onLink handles a new fragment in the address: somebody pasted a link, or went back or forward. Going back to an
// address without a fragment shows what an untouched visit sees.
func (p *page) onLink(ctx app.Context, a app.Action) {
	fragment := a.Value.(string)
	switch {
	case fragment == p.s.Visit.Address:
		ctx.PreventUpdate()
		return
	case sharing.Is(fragment):
		p.document.Save()
		browser.StoreTab(document.BarKey, "")
		p.openLink(fragment)
	case fragment == "" && p.embed == nil:
		p.document.Save()
		p.s.LoadScenario(session.FirstScenario)
		p.s.Visit.Address = ""
	default: // a place in the page
		ctx.PreventUpdate()
		return
	}
	p.changed(ctx)
}

// addressSoon asks for an update of the address if the run or the text has changed. The update waits until the cursor
// stops and nothing else has happened for a moment.
func (p *page) addressSoon() {
	if p.addressDue && !p.s.Cursor.Playing {
		browser.AddressSoon()
	}
}

func (p *page) onAddress(ctx app.Context, _ app.Action) {
	ctx.PreventUpdate()
	if !p.addressDue || p.s.Cursor.Playing {
		return
	}
	p.addressDue = false
	was := p.s.Visit.Address
	if fragment, changed := p.s.UpdateAddress(); changed {
		browser.StoreTab(document.BarKey, was+"\n"+fragment)
		browser.SetAddress(fragment)
		p.document.Save()
	}
}
