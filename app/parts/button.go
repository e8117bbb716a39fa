package parts

import (
	"maps"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Button posts an action when it is pressed. A row of a list is a button too: its content is data, so go-app compares it and draws a row
// again only when the row has changed.
type Button struct {
	app.Compo

	Act     string // the name for tests and scripts
	Class   string
	Text    string
	Code    bool   // the text is a command
	Glyph   string // an icon before the text
	Picture string // an SVG before the text
	Spans   []Span // after the icon, in place of the text
	Title   string // the tooltip, and the name of a tool without words
	Label   string // the name for screen readers, if the title is not
	Off     bool   // disabled
	Do      string // the action
	Value   any    // of the action: a string, a number or a bool
	Data    string // the data attribute that shows the value, empty for none
	Attributes
}

// Attributes are what few buttons have.
type Attributes struct {
	Pressed string // "true" or "false" if the button stays pressed
	Current bool   // the button is the current one of a list
	Role    string
	ID      string
	Set     map[string]any    // more data attributes
	Aria    map[string]string // more attributes for screen readers
	Focus   Focus
}

// Focus says whether the Tab key stops at a button.
type Focus int

// The Tab key stops at each button, or at one of a group in which the arrow keys move.
const (
	FocusAlways Focus = iota
	FocusHere
	FocusElsewhere
)

// FocusOf is the focus in a group in which the arrow keys move.
func FocusOf(chosen bool) Focus {
	if chosen {
		return FocusHere
	}
	return FocusElsewhere
}

// Render draws the button.
func (b *Button) Render() app.UI {
	button := app.Elem("button").Class(b.Class).Attr("type", "button").DataSet("act", b.Act).Attr("disabled", b.Off).OnClick(b.onClick)
	if b.Title != "" || b.Spans == nil {
		button = button.Title(b.Title)
	}
	if b.Data != "" {
		button = button.DataSet(b.Data, b.Value)
	}
	for name, value := range b.Set {
		button = button.DataSet(name, value)
	}
	for name, value := range b.aria() {
		button = button.Aria(name, value)
	}
	if b.Focus != FocusAlways {
		button = button.TabIndex(int(FocusHere - b.Focus))
	}
	if b.Role != "" {
		button = button.Role(b.Role)
	}
	if b.ID != "" {
		button = button.ID(b.ID)
	}
	return button.Body(b.content()...)
}

func (b *Button) aria() map[string]string {
	all := map[string]string{}
	maps.Copy(all, b.Aria)
	switch {
	case b.Label != "":
		all["label"] = b.Label
	case b.Class == "tool" && b.Spans == nil && utf8.RuneCountInString(b.Text) < 2: // a word is its own name
		all["label"] = b.Title
	}
	if b.Pressed != "" {
		all["pressed"] = b.Pressed
	}
	if b.Current {
		all["current"] = "true"
	}
	return all
}

func (b *Button) content() (all []app.UI) {
	if b.Glyph != "" {
		all = append(all, Icon(b.Glyph))
	}
	if b.Picture != "" {
		all = append(all, app.Raw(b.Picture))
	}
	switch {
	case b.Spans != nil:
		all = append(all, Draw(b.Spans...)...)
	case b.Code:
		all = append(all, app.Elem("code").Text(b.Text))
	case b.Glyph == "" || b.Text != "":
		all = append(all, app.Text(b.Text))
	}
	return all
}

func (b *Button) onClick(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(b.Do, b.Value) }

// Item is a button as an item of a list.
func Item(b *Button) app.UI { return app.Elem("li").Body(b) }

// iconPaths are drawn on a square of 16. They are paths and not letters of a font, so that they look the same everywhere.
var iconPaths = map[string]string{
	"play":  "M4.5 2.6v10.8a.6.6 0 0 0 .9.5l8.6-5.4a.6.6 0 0 0 0-1L5.4 2.1a.6.6 0 0 0-.9.5Z",
	"pause": "M4 2.5h2.6v11H4zM9.4 2.5H12v11H9.4z",
	"next":  "M3 3v10l6.2-5zM10.6 3h2.2v10h-2.2z",
	"prev":  "M13 3v10L6.8 8zM3.2 3h2.2v10H3.2z",
	"start": "M2.4 3h1.8v10H2.4zM14 3v10L9.4 8zM9 3v10L4.6 8z",
	"end":   "M11.8 3h1.8v10h-1.8zM2 3v10l4.6-5zM7 3v10l4.6-5z",
	"loop":  "M5 2.6V.9L1.9 3.4 5 5.9V4.2h4.9a2.2 2.2 0 0 1 2.2 2.2v1.3h1.7V6.4A3.9 3.9 0 0 0 9.9 2.6zM11 13.4v1.7l3.1-2.5L11 10.1v1.7H6.1a2.2 2.2 0 0 1-2.2-2.2V8.3H2.2v1.3a3.9 3.9 0 0 0 3.9 3.8z",

	"hurry": "M1.5 3.5v9L7.6 8zM8 3.5v9L14.1 8z",

	"next-moment": "M1.5 3.5v9l4.6-4.5zM11 3.2 15.4 8 11 12.8 6.6 8z",
	"prev-moment": "M14.5 3.5v9L9.9 8zM5 3.2 .6 8 5 12.8 9.4 8z",

	"undo":     "M6.3 2.3 2.2 6.2l4.1 3.9V7.4h3.2a2.3 2.3 0 0 1 0 4.6H6v1.9h3.5a4.2 4.2 0 0 0 0-8.4H6.3z",
	"redo":     "M9.7 2.3l4.1 3.9-4.1 3.9V7.4H6.5a2.3 2.3 0 0 0 0 4.6H10v1.9H6.5a4.2 4.2 0 0 1 0-8.4h3.2z",
	"restart":  "M8 2.5V.6L4.4 3.5 8 6.4V4.4a3.9 3.9 0 1 1-3.9 3.9H2.2A5.8 5.8 0 1 0 8 2.5Z",
	"light":    "M8 4.7a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6ZM7.3.8h1.4v2.3H7.3zM7.3 12.9h1.4v2.3H7.3zM.8 7.3h2.3v1.4H.8zM12.9 7.3h2.3v1.4h-2.3zM2.4 3.4l1-1 1.6 1.6-1 1zM11 12l1-1 1.6 1.6-1 1zM3.4 13.6l-1-1L4 11l1 1zM12 5l-1-1 1.6-1.6 1 1z",
	"dark":     "M6.2 1.6a6.6 6.6 0 1 0 8.2 8.2A5.4 5.4 0 0 1 6.2 1.6Z",
	"system":   "M1.5 2.5h13v8.6h-13zM3 4v5.6h10V4zM5.5 12.4h5v1.3h-5z",
	"share":    "M12.2 1.2a2.4 2.4 0 0 0-2.3 3L5.6 6.6a2.4 2.4 0 1 0 0 2.8l4.3 2.4a2.4 2.4 0 1 0 .7-1.2L6.2 8.2v-.4l4.4-2.4a2.4 2.4 0 1 0 1.6-4.2Z",
	"maximize": "M9 2h5v5h-1.5V4.6L9.1 8 8 6.9l3.4-3.4H9zM7 14H2V9h1.5v2.4L6.9 8 8 9.1l-3.4 3.4H7z",
	"close":    "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
	"search":   "M6.8 1.6a5.2 5.2 0 1 0 3.1 9.4l3.6 3.6 1.1-1.1L11 9.9A5.2 5.2 0 0 0 6.8 1.6Zm0 1.6a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2Z",
	"warning":  "M8 1.6 15.2 14H.8zM7.2 6v4h1.6V6zM7.2 11v1.6h1.6V11z",
}

// Icon is decoration: the button that holds it has a label.
func Icon(name string) app.UI {
	return app.Raw(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d="` + iconPaths[name] + `"/></svg>`)
}
