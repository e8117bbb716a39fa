package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

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
	tag := s.Tag
	switch {
	case tag == "text":
		return app.Text(s.Text)
	case tag == "":
		tag = "span"
	}
	e := app.Elem(tag)
	if s.Class != "" {
		e = e.Class(s.Class)
	}
	if s.Title != "" {
		e = e.Title(s.Title)
	}
	if s.Lang != "" {
		e = e.Attr("lang", s.Lang)
	}
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
