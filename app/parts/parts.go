// Package parts is what several regions of the page are made of: icons, buttons and rows of tables.
package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
)

// Button posts an action when it is pressed.
type Button struct {
	app.Compo

	Act     string // what tests and scripts find it by
	Class   string
	Text    string
	Code    bool   // the text is a command
	Glyph   string // an icon in place of the text
	Title   string // its tooltip, and the name of a tool that has no words
	Off     bool   // disabled
	Pressed string // "true" or "false" if the button stays pressed
	Do      string // the action
	Value   any    // of the action: a string or a number
	Data    string // the data attribute that shows the value, empty for none
}

// Render draws the button.
func (b *Button) Render() app.UI {
	button := app.Elem("button").Class(b.Class).Attr("type", "button").DataSet("act", b.Act).Title(b.Title).Attr("disabled", b.Off).OnClick(b.onClick)
	if b.Data != "" {
		button = button.DataSet(b.Data, b.Value)
	}
	if b.Class == "tool" {
		button = button.Aria("label", b.Title)
	}
	if b.Pressed != "" {
		button = button.Aria("pressed", b.Pressed)
	}
	switch {
	case b.Glyph != "":
		return button.Body(Icon(b.Glyph))
	case b.Code:
		return button.Body(app.Elem("code").Text(b.Text))
	}
	return button.Text(b.Text)
}

func (b *Button) onClick(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(b.Do, b.Value) }

// Tool is a button with an icon for what a key can do.
func Tool(name, glyph, title string) *Button {
	return &Button{Act: name, Class: "tool", Glyph: glyph, Title: title, Do: act.Key, Value: name}
}

// Check is a box that posts whether it is checked.
type Check struct {
	app.Compo

	Act, Class, Text, Title string
	On, Off                 bool // checked, disabled
	Do                      string
}

// Render draws the box with its label.
func (c *Check) Render() app.UI {
	return app.Elem("label").Class(c.Class).Title(c.Title).Body(
		app.ElemSelfClosing("input").Attr("type", "checkbox").DataSet("act", c.Act).Attr("checked", c.On).Attr("disabled", c.Off).OnChange(c.onChange),
		app.Elem("span").Text(c.Text),
	)
}

func (c *Check) onChange(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(c.Do, ctx.JSSrc().Get("checked").Bool())
}

// Close closes a dialog or a panel.
func Close(l lang.Lang, act string, title lang.Message, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(l.Say(title)).Aria("label", l.Say("close")).
		OnClick(do).Body(Icon("close"))
}

// Heading is the head of a column.
func Heading(text string) app.UI { return app.Elem("th").Attr("scope", "col").Text(text) }

// Row is a row of cells, marked if it is the current one.
func Row(current bool, cells ...string) app.UI {
	row := app.Elem("tr")
	if current {
		row = row.Aria("current", "true")
	}
	return row.Body(app.Range(cells).Slice(func(i int) app.UI { return app.Elem("td").Text(cells[i]) }))
}
