// Package editor is the left side: the text with its diagnostics.
package editor

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/notice"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/scenarios"
)

// Panel is the editor as the page keeps it.
type Panel struct {
	s     *session.Session
	shown string // the text that CodeMirror shows
}

// New returns the editor of a session.
func New(s *session.Session) *Panel { return &Panel{s: s} }

// Show puts the text of the session into the editor, unless it is there.
func (p *Panel) Show() {
	if p.shown != p.s.Document.Text {
		p.shown = p.s.Document.Text
		browser.Part()
		browser.SetEditorText(p.s.Document.Text)
		browser.Part()
	}
}

// Handlers are the actions of the editor.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{act.Text: parts.Changed(p.onText), act.Paste: p.onPaste}
}

// onText takes the text from the editor, which already shows it.
func (p *Panel) onText(text string) {
	p.shown = text
	if len(p.shown) >= breath.Long {
		browser.Rest() // the editor has just drawn it
	}
	p.s.Document.Edit(p.shown)
}

// Typed takes what was typed last, before the editor has reported it; "" if there is nothing.
func (p *Panel) Typed(text string) {
	if text != "" {
		p.shown = text
		p.s.Document.Edit(text)
	}
}

// onPaste takes a text that was put into an empty editor.
func (p *Panel) onPaste(ctx app.Context, v any) bool {
	p.shown = v.(string)
	p.s.Paste(p.shown)
	ctx.Defer(func(app.Context) { browser.Reveal(".offers:not([hidden])") }) // on a phone the editor is far below
	return true
}

// view is the text, its diagnostics, and the result of the last action.
type view struct {
	app.Compo

	Lang    lang.Lang
	Empty   bool
	Dirty   bool
	Apply   string // tooltip: what Apply will do
	Notice  session.Notice
	Changes string // what Apply would change
	Diags   []engine.Diagnostic
}

// View is the editor as it is now.
func (p *Panel) View() app.UI { return p.view() }

func (p *Panel) view() *view {
	e := &view{Lang: p.s.Lang(), Empty: session.Blank(p.s.Document.Text), Dirty: p.s.Document.Dirty(), Notice: p.s.Visit.Notice, Diags: p.s.Document.Diagnostics, Changes: p.s.Document.Changes(p.s.Cursor.Record)}
	if notice.Owns(e.Notice) {
		e.Notice = session.Notice{} // it is shown elsewhere
	}
	e.Apply = e.Lang.Say("apply-here")
	if p.s.Run() == nil || p.s.Cursor.AtStart() {
		e.Apply = e.Lang.Say("apply-start")
	}
	return e
}

// Render draws the frame around the editor; what is in the host belongs to CodeMirror, which is loaded after the program.
func (e *view) Render() app.UI {
	return app.Elem("section").Class("editor-panel").Aria("label", e.Lang.Say("scenario")).Body(
		app.Elem("div").Class("panel-head").Body(
			app.Elem("h2").Text(e.Lang.Say("scenario")),
			app.Elem("span").Class("edit-state").DataSet("act", "edit-state").Text(e.state()),
			app.Elem("button").Class(parts.Marked("button", "primary", e.Dirty)).Attr("type", "button").DataSet("act", "apply").Title(e.Apply).OnClick(parts.Flushed(act.Apply)).Body(
				app.Text(e.Lang.Say("apply")), app.Elem("span").Class("kbd-hint").Aria("hidden", "true").Text("Ctrl ⏎"),
			),
			app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "replay").Title(e.Lang.Say("replay-is")).
				OnClick(parts.Flushed(act.Restart)).Text(e.Lang.Say("replay")),
			parts.Maximize(e.Lang, "code"),
		),
		app.Elem("p").Class("edit-changes").DataSet("act", "edit-changes").Hidden(e.Changes == "").Text(e.Changes),
		app.Elem("div").Class("editor-box").Body(
			&parts.Host{Class: "editor-host", Act: "editor"},
			app.If(e.Empty, e.welcome),
		),
		app.Elem("div").Class("editor-foot").Body(
			app.If(e.Notice.Text != "", e.notice),
			e.problems(),
			e.warnings(),
		),
	)
}

// problems are the errors, one in a row.
func (e *view) problems() app.UI {
	list := e.diagnostics(false)
	return e.list(list).Aria("label", e.Lang.Say("problems")).Hidden(len(list) == 0)
}

// warnings are one line that unfolds: a rendered chart has many objects that are not simulated.
func (e *view) warnings() app.UI {
	list := e.diagnostics(true)
	return app.Elem("details").Class("warnings").DataSet("act", "warnings").Hidden(len(list) == 0).Body(
		app.Elem("summary").Text(e.Lang.Count(len(list), "left-out-one", "left-out")),
		e.list(list),
	)
}

func (e *view) list(list []engine.Diagnostic) app.HTMLElem {
	return app.Elem("ul").Class("diagnostics").Body(parts.EachOf(list, e.diagnosticRow))
}

func (e *view) diagnostics(warnings bool) []engine.Diagnostic {
	return slices.DeleteFunc(slices.Clone(e.Diags), func(d engine.Diagnostic) bool { return d.Warning != warnings })
}

func (e *view) state() string {
	switch errors := len(e.diagnostics(false)); {
	case e.Empty:
		return e.Lang.Say("text-empty")
	case errors > 0:
		return e.Lang.Say("text-bad", errors)
	case e.Dirty:
		return e.Lang.Say("text-dirty")
	}
	return e.Lang.Say("text-clean")
}

// NoticeRow is the result of the last action beside the figure, for a closed editor.
func (p *Panel) NoticeRow(open bool) app.UI {
	e := p.view()
	return parts.Shown(!open && e.Notice.Text != "", "div", e.notice)
}

func (e *view) notice() app.UI {
	return app.Elem("div").Class(parts.Marked("notice", "bad", e.Notice.Bad)).Body(
		app.Elem("span").Text(e.Notice.Text),
		parts.When(e.Notice.Offer == session.OfferRestart,
			app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "restart-text").OnClick(parts.Flushed(act.Restart)).Text(e.Lang.Say("restart-text"))),
	)
}

// welcomeMax is how many scenarios an empty editor offers: the gallery has them all.
const welcomeMax = 6

func (e *view) welcome() app.UI {
	names := scenarios.Names()
	names = names[:min(len(names), welcomeMax)]
	return app.Elem("div").Class("welcome").Body(
		app.Elem("p").Body(app.Text(e.Lang.Say("welcome"))),
		app.Elem("ul").Body(parts.Each(names, func(name string) app.UI {
			return parts.Item(&parts.Button{Act: "preset", Class: "button", Text: gallery.Title(e.Lang, name), Do: act.Scenario, Value: name, Data: "value"})
		})),
		app.Elem("p").Body(parts.Leave("", "welcome-gallery", parts.GalleryPath(e.Lang), e.Lang.Say("gallery-title"))),
	)
}

// diagnosticRow is one problem of the text. Its button jumps there, and its message stays text that can be selected.
func (e *view) diagnosticRow(d *engine.Diagnostic) app.UI {
	class, label := "diagnostic", lang.Message("goto-error")
	if d.Warning {
		class, label = "diagnostic warning", "goto-warning"
	}
	text := d.Message
	if !strings.Contains(text, d.Field) { // the API server's texts mostly name the field
		text = d.Field + ": " + text
	}
	return app.Elem("li").Class(class).DataSet("act", "diagnostic").Body(
		&parts.Button{Act: "goto-line", Class: "goto", Label: e.Lang.Say(label, d.Line), Attributes: parts.Attributes{Set: map[string]any{"line": d.Line}},
			Spans: []parts.Span{{Tag: "text", Text: e.Lang.Say("line", d.Line)}}, Do: act.Goto, Value: act.Position{Line: d.Line, Column: d.Column}},
		app.Elem("span").Class("message").Text(text),
	)
}
