// Package help is the dialog that explains the page, its keys and its limits.
package help

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/app/version"
)

// Dialog explains the page and its keys.
type Dialog struct {
	app.Compo

	Lang lang.Lang
}

// keyHelp names the keys, and what each of them does.
var keyHelp = [...]struct {
	keys string
	does lang.Message
}{
	{"Space", "key-toggle"},
	{"← →", "key-step"},
	{"Shift ← →", "key-moment"},
	{", .", "key-second"},
	{"Home End", "key-ends"},
	{"b n", "key-lesson"},
	{"l", "key-loop"},
	{"+ −", "key-speed"},
	{"p", "key-present"},
	{"Ctrl ⏎", "key-apply"},
	{"/", "key-editor"},
	{"Ctrl+K", "key-palette"},
	{"` Ctrl+`", "key-prompt"},
	{"u r", "key-undo"},
	{"← → ⏎", "key-separator"},
	{"?", "key-help"},
}

// Render draws the dialog, which stays closed until it is asked for.
func (h *Dialog) Render() app.UI {
	say := h.Lang.Say
	return app.Elem("dialog").ID("help").Class("help").DataSet("act", "help-dialog").Aria("labelledby", "help-title").Body(
		app.Elem("div").Class("help-head").Body(
			app.Elem("h2").ID("help-title").Text(say("help-heading")),
			parts.Close(h.Lang, "help-close", "close-esc", h.onClose),
		),
		app.Elem("p").Text(say("help-text")),
		app.Elem("p").Text(say("help-controls")),
		app.Elem("p").Text(say("help-share")),
		app.Elem("p").Text(say("help-bands")),
		app.Elem("p").Class("help-ways").Body(
			app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "help-start").OnClick(h.onStart).Text(say("help-start")),
			app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "help-present").Title(say("present-is")).OnClick(h.onPresent).Text(say("present")),
			app.Elem("a").Class("button").DataSet("act", "help-gallery").DataSet("leave", true).Attr("href", parts.GalleryPath(h.Lang)).Text(say("gallery")),
			app.Elem("a").Class("button").DataSet("act", "help-fidelity").DataSet("leave", true).Attr("href", parts.FidelityPath).Text(say("fidelity")),
		),
		app.Elem("dl").Class("keys").Body(app.Range(keyHelp).Slice(func(i int) app.UI {
			return app.Elem("div").Body(app.Elem("dt").Body(keysOf(keyHelp[i].keys)...), app.Elem("dd").Text(say(keyHelp[i].does)))
		})),
		&limitsTable{Lang: h.Lang},
		app.Elem("p").Body(app.Elem("a").DataSet("act", "reset").DataSet("leave", true).Attr("href", parts.ResetPath).Text(say("reset"))),
		app.Elem("p").Class("version").Body(
			app.Text("rollplay "+version.Number+" · Kubernetes "+stage.Kubernetes+" · "),
			app.Elem("a").DataSet("act", "licenses").DataSet("leave", true).Attr("href", parts.LicensesPath).Text(say("licenses")),
		),
	)
}

func keysOf(names string) []app.UI {
	var keys []app.UI
	for _, name := range strings.Fields(names) {
		keys = append(keys, app.Elem("kbd").Text(name))
	}
	return keys
}

func (h *Dialog) onClose(app.Context, app.Event) { browser.CloseDialog("help") }

func (h *Dialog) onStart(ctx app.Context, _ app.Event) {
	browser.CloseDialog("help")
	ctx.NewActionWithValue(act.Start, "open")
}

func (h *Dialog) onPresent(ctx app.Context, _ app.Event) {
	browser.CloseDialog("help")
	ctx.NewActionWithValue(act.Present, "on")
}
