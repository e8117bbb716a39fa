package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
)

// Edge is the movable edge of a pane. JavaScript moves it, and says where it is; see web/src/panes.js.
type Edge struct {
	app.Compo

	Lang              lang.Lang
	Name, Orientation string
	Label             lang.Message
}

// Render draws the separator.
func (e *Edge) Render() app.UI {
	return app.Elem("div").Class("pane-edge").Role("separator").TabIndex(0).DataSet("act", "size-"+e.Name).DataSet("edge", e.Name).
		Aria("orientation", e.Orientation).Aria("label", e.Lang.Say(e.Label)).Aria("controls", e.controls()).Title(e.Lang.Say("size-is"))
}

func (e *Edge) controls() string {
	if e.Name == "tabs" {
		return "stage"
	}
	return "pane-" + e.Name
}

// Maximize is the button that gives a pane all the room there is, or the size that it had. JavaScript listens to it, as to the edge.
func Maximize(l lang.Lang, pane string) app.UI {
	return app.Elem("button").Class("tool pane-max").Attr("type", "button").DataSet("act", "max-"+pane).DataSet("max", pane).
		Title(l.Say("size-max")).Aria("label", l.Say("size-max")).Body(Icon("maximize"))
}
