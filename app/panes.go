package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
)

// panes says which drawers are open beside the stage. The browser remembers it.
type panes struct{ code, why bool }

// panesKey is where the browser keeps the names of the open drawers.
const panesKey = "rollplay/panes"

// readPanes opens what was open last. Without a memory both are open where there is room beside the figure.
func readPanes(saved string, wide bool) panes {
	if saved == "" {
		return panes{code: wide, why: wide}
	}
	return panes{code: strings.Contains(saved, "code"), why: strings.Contains(saved, "why")}
}

// String is never empty, so that closed drawers are remembered too.
func (p panes) String() string {
	names := "panes"
	if p.code {
		names += " code"
	}
	if p.why {
		names += " why"
	}
	return names
}

// onPane opens or closes a drawer.
func (p *page) onPane(ctx app.Context, a app.Action) {
	name := a.Value.(string)
	pane := &p.panes.code
	if name == "why" {
		pane = &p.panes.why
	}
	*pane = !*pane
	browser.Store(panesKey, p.panes.String())
	p.changed(ctx)
	if *pane {
		ctx.Defer(func(app.Context) { browser.Reveal("#pane-" + name) })
	}
}

// openCode opens the editor's drawer, for what leads into it.
func (p *page) openCode() { p.panes.code = p.embed == nil }

// onEditor opens the drawer and moves the focus into the text.
func (p *page) onEditor(ctx app.Context, _ app.Action) {
	p.openCode()
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.FocusEditor() })
}

// onGoto opens the drawer at a place of the text.
func (p *page) onGoto(ctx app.Context, a app.Action) {
	p.openCode()
	p.changed(ctx)
	at := a.Value.(act.Position)
	ctx.Defer(func(app.Context) { browser.GotoLine(at.Line, at.Column) })
}

// drawer is a region beside the stage. It stays in the page while it is closed: the editor keeps its state.
func (p *page) drawer(name string, open bool, body ...app.UI) app.UI {
	return app.Elem("div").Class("drawer pane-" + name).ID("pane-" + name).Hidden(!open).Body(body...)
}

// edge is the movable edge of a drawer.
func (p *page) edge(name string, label lang.Message) app.UI {
	return &parts.Edge{Lang: p.s.Lang(), Name: name, Label: label, Orientation: "vertical"}
}

// paneButtons open and close the drawers.
func (p *page) paneButtons() []app.UI {
	return []app.UI{
		&paneButton{Name: "code", Sign: "‹›", Text: p.s.Lang().Say("pane-code"), Title: p.s.Lang().Say("pane-code-is"), Open: p.panes.code},
		&paneButton{Name: "why", Sign: "?", Text: p.s.Lang().Say("pane-why"), Title: p.s.Lang().Say("pane-why-is"), Open: p.panes.why},
	}
}

// paneButton opens or closes a drawer.
type paneButton struct {
	app.Compo

	Name, Sign, Text, Title string
	Open                    bool
}

// Render draws the button.
func (b *paneButton) Render() app.UI {
	return app.Elem("button").Class("button pane-button").Attr("type", "button").DataSet("act", "pane-"+b.Name).Title(b.Title).
		Aria("expanded", strconv.FormatBool(b.Open)).Aria("controls", "pane-"+b.Name).OnClick(b.onClick).Body(
		app.Elem("span").Class("sign").Aria("hidden", "true").Text(b.Sign), app.Text(b.Text))
}

func (b *paneButton) onClick(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(act.Pane, b.Name) }
