package parts

import (
	"cmp"
	_ "embed" // the icons
	"strings"
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
	Focus   string            // the tabindex; empty where the Tab key stops at each button
}

// FocusOf is the focus in a group in which the arrow keys move: the Tab key stops at the chosen button.
func FocusOf(chosen bool) string {
	if chosen {
		return "0"
	}
	return "-1"
}

// Render draws the button. An attribute that is empty is none.
func (b *Button) Render() app.UI {
	label := b.Label
	if label == "" && b.Class == "tool" && b.Spans == nil && utf8.RuneCountInString(b.Text) < 2 { // a word is its own name
		label = b.Title
	}
	button := app.Elem("button").Class(b.Class).Attr("type", "button").DataSet("act", b.Act).Attr("disabled", b.Off).OnClick(b.onClick).
		Title(b.Title).Aria("label", label).Aria("pressed", b.Pressed).Attr("tabindex", b.Focus).Role(b.Role).ID(b.ID)
	if b.Data != "" {
		button = button.DataSet(b.Data, b.Value)
	}
	for name, value := range b.Set {
		button = button.DataSet(name, value)
	}
	for name, value := range b.Aria {
		button = button.Aria(name, value)
	}
	if b.Current {
		button = button.Aria("current", "true")
	}
	return button.Body(b.content()...)
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

// icons are paths on a square of 16 by their names, a line each. They are no letters of a font, so that they look the same everywhere.
//
//go:embed icons.txt
var icons string

// Icon is decoration: the button that holds it has a label.
func Icon(name string) app.UI {
	_, path, _ := strings.Cut("\n"+icons, "\n"+name+": ")
	path, _, _ = strings.Cut(path, "\n")
	return app.Raw(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d="` + path + `"/></svg>`)
}

// Span is a text with a class, as data: a piece of a row, or a group of pieces.
type Span struct {
	Class   string
	Text    string
	Tag     string // span if empty
	Title   string
	Lang    string // of the text, if it is not the page's
	Sign    bool   // decoration, which screen readers leave out
	Parts   []Span
	Picture string // an SVG in place of the text
}

// Draw draws spans. A span without a tag, a class and parts is plain text.
func Draw(list ...Span) []app.UI {
	all := make([]app.UI, 0, len(list))
	for i := range list {
		all = append(all, list[i].draw())
	}
	return all
}

func (s *Span) draw() app.UI {
	if s.Tag == "text" {
		return app.Text(s.Text)
	}
	e := app.Elem(cmp.Or(s.Tag, "span")).Class(s.Class).Title(s.Title).Attr("lang", s.Lang) // an empty attribute is none
	if s.Sign {
		e = e.Aria("hidden", "true")
	}
	if s.Picture != "" {
		return e.Body(app.Raw(s.Picture))
	}
	if s.Parts != nil {
		return e.Body(Draw(s.Parts...)...)
	}
	if s.Text == "" {
		return e
	}
	return e.Text(s.Text)
}
