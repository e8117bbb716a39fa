// Package help is the dialog that explains the page, its keys and its limits.
package help

import (
	_ "embed" // the keys
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
)

// Dialog explains the page and its keys.
type Dialog struct {
	app.Compo

	Lang lang.Lang
}

// keys names the keys, and the message that says what each of them does.
//
//go:embed keys.txt
var keys string

// Render draws the dialog, which stays closed until somebody opens it.
func (h *Dialog) Render() app.UI {
	say := h.Lang.Say
	text := func(key lang.Message) app.UI { return app.Elem("p").Text(say(key)) }
	return parts.Dialog(h.Lang, "help", "help", "help-heading",
		text("help-text"), text("help-controls"), text("help-share"), text("help-bands"),
		app.Elem("p").Class("help-ways").Body(
			way("help-start", act.Start, "open").Text(say("help-start")),
			way("help-present", act.Present, "on").Title(say("present-is")).Text(say("present")),
			parts.Leave("button", "help-gallery", parts.GalleryPath(h.Lang), say("gallery")),
			parts.Leave("button", "help-fidelity", parts.FidelityPath, say("fidelity")),
		),
		app.Elem("dl").Class("keys").Body(parts.Each(strings.Split(strings.TrimSpace(keys), "\n"), func(row string) app.UI {
			names, does, _ := strings.Cut(row, ": ")
			kbd := func(name string) app.UI { return app.Elem("kbd").Text(name) }
			return parts.Definition(parts.Each(strings.Fields(names), kbd), say(lang.Message("key-"+does)))
		})),
		limitsTable(h.Lang),
		app.Elem("p").Body(parts.Leave("", "reset", parts.ResetPath, say("reset"))),
		app.Elem("p").Class("version").Body(
			app.Text("rollplay "+version.Number+" · Kubernetes "+stage.Kubernetes+" · "),
			parts.Leave("", "licenses", parts.LicensesPath, say("licenses")),
		),
	)
}

// way is a button that leaves the dialog for something else.
func way(name, do, value string) app.HTMLElem {
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", name).OnClick(func(ctx app.Context, _ app.Event) {
		browser.CloseDialog("help")
		ctx.NewActionWithValue(do, value)
	})
}

// limitsTable is the table of engine/limits, folded: what is too large for rollplay, and what happens beyond it.
func limitsTable(l lang.Lang) app.UI {
	var rows []app.UI
	for _, limit := range limits.Table() {
		outcomes := words.Join(limit.Then, "; ", func(o limits.Outcome) string { return l.Say(lang.Message("limit-" + o)) })
		rows = append(rows, parts.RowOf(l.Say(lang.Message("limit-"+limit.Name)), amount(l, limit), outcomes))
	}
	return app.Elem("details").Class("limits").DataSet("act", "limits").Body(
		app.Elem("summary").Text(l.Say("too-large")),
		parts.Table(nil, []string{l.Say("too-large-what"), l.Say("too-large-most"), l.Say("too-large-then")}, rows...),
	)
}

// amount writes a limit with its unit.
func amount(in lang.Lang, l limits.Limit) string {
	switch {
	case l.Unit == "bytes":
		return strconv.FormatFloat(float64(l.Max)/(1<<20), 'f', -1, 64) + " MiB"
	case l.Unit == "characters":
		return in.Say("limit-characters", words.Thousands(l.Max))
	}
	return words.Thousands(l.Max)
}
