// Package parts is what several regions of the page are made of: icons, buttons and rows of tables.
package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
)

// Tool is a button with an icon. Its scope keeps the handlers of neighbours apart.
func Tool(act, glyph, label string, disabled bool, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(label).Aria("label", label).
		Attr("disabled", disabled).OnClick(do, app.EventScope(act)).Body(Icon(glyph))
}

// Close closes a dialog or a panel.
func Close(l lang.Lang, act string, title lang.Message, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(l.Say(title)).Aria("label", l.Say("close")).
		OnClick(do).Body(Icon("close"))
}

func Heading(text string) app.UI { return app.Elem("th").Attr("scope", "col").Text(text) }

// Row is a row of cells, marked if it is the current one.
func Row(current bool, cells ...string) app.UI {
	row := app.Elem("tr")
	if current {
		row = row.Aria("current", "true")
	}
	return row.Body(app.Range(cells).Slice(func(i int) app.UI { return app.Elem("td").Text(cells[i]) }))
}
