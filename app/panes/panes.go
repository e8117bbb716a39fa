// Package panes is the drawers beside the stage: the editor and the reasons.
package panes

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
)

// Panel is the drawers that are open. The browser remembers them.
type Panel struct{ Code, Why bool }

// Key is where the browser keeps the names of the open drawers.
const Key = "rollplay/panes"

// Read returns the drawers that were open last. On a first visit both are open if there is room beside the figure.
func Read(saved string, wide bool) Panel {
	if saved == "" {
		return Panel{Code: wide, Why: wide}
	}
	return Panel{Code: strings.Contains(saved, "code"), Why: strings.Contains(saved, "why")}
}

// String is never empty, so that closed drawers are remembered too.
func (p *Panel) String() string {
	return parts.Marked(parts.Marked("panes", "code", p.Code), "why", p.Why)
}

// Handlers are the actions of the drawers.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Pane: p.onPane, act.Editor: p.onEditor, act.Goto: p.onGoto,
		act.OpenCode: parts.Changed(func(any) { p.Code = true }),
	}
}

func (p *Panel) onPane(ctx app.Context, v any) bool {
	name := v.(string)
	pane := &p.Code
	if name == "why" {
		pane = &p.Why
	}
	*pane = !*pane
	browser.Store(Key, p.String())
	if *pane {
		ctx.Defer(func(app.Context) { browser.Reveal("#pane-" + name) })
	}
	return true
}

func (p *Panel) onEditor(ctx app.Context, _ any) bool {
	p.Code = true
	ctx.Defer(func(app.Context) { browser.FocusEditor() })
	return true
}

func (p *Panel) onGoto(ctx app.Context, v any) bool {
	p.Code = true
	at := v.(act.Position)
	ctx.Defer(func(app.Context) { browser.GotoLine(at.Line, at.Column) })
	return true
}

// DrawCode draws the drawer with the editor.
func (p *Panel) DrawCode(l lang.Lang, body app.UI) app.UI {
	return drawer(l, "code", "size-code", p.Code, body)
}

// DrawWhy draws the drawer with the reasons, which are read while it is open only. Something stands in their place, because a script knows
// the edge.
func (p *Panel) DrawWhy(l lang.Lang, reasons func() app.UI) app.UI {
	body := app.UI(app.Elem("div"))
	if p.Why {
		body = reasons()
	}
	return drawer(l, "why", "size-why", p.Why, body)
}

// drawer is a region beside the stage, with its movable edge. It stays in the page while it is closed: the editor keeps its state.
func drawer(l lang.Lang, name string, label lang.Message, open bool, body app.UI) app.UI {
	return app.Elem("div").Class("drawer pane-"+name).ID("pane-"+name).Hidden(!open).Body(body, &parts.Edge{Lang: l, Name: name, Label: label})
}

// Buttons open and close the drawers.
func (p *Panel) Buttons(l lang.Lang) []app.UI {
	button := func(name, sign string, text, title lang.Message, open bool) app.UI {
		return &parts.Button{Act: "pane-" + name, Class: "button pane-button", Title: l.Say(title), Do: act.Pane, Value: name,
			Attributes: parts.Attributes{Aria: map[string]string{"expanded": strconv.FormatBool(open), "controls": "pane-" + name}},
			Spans:      []parts.Span{{Class: "sign", Sign: true, Text: sign}, {Tag: "text", Text: l.Say(text)}}}
	}
	return []app.UI{button("code", "‹›", "pane-code", "pane-code-is", p.Code), button("why", "?", "pane-why", "pane-why-is", p.Why)}
}
