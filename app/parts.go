package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// toolButton is a button with an icon. Its scope keeps the handlers of neighbours apart.
func toolButton(act, glyph, label string, disabled bool, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(label).Aria("label", label).
		Attr("disabled", disabled).OnClick(do, app.EventScope(act)).Body(icon(glyph))
}

// closeButton closes a dialog or a panel.
func closeButton(l lang, act string, title message, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(l.say(title)).Aria("label", l.say("close")).
		OnClick(do).Body(icon("close"))
}
