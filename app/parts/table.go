package parts

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
)

// Table is a table with columns and rows of cells. Most have no caption. The caller sets the class and the name.
func Table(caption app.UI, columns []string, rows ...app.UI) app.HTMLElem {
	return app.Elem("table").Body(
		caption,
		app.Elem("thead").Body(app.Elem("tr").Body(Each(columns, Heading))),
		app.Elem("tbody").Body(rows...),
	)
}

// Heading is the head of a column.
func Heading(text string) app.UI { return app.Elem("th").Attr("scope", "col").Text(text) }

// Row is a row of a table, as plain strings: go-app compares each in each frame. A row of an object begins with a button, which covers it
// and leads to the last write of the object.
type Row struct {
	app.Compo

	Cells   string // with tabs between them
	Current bool

	Lang                lang.Lang
	Class, Name, Object string // the object as kind/namespace/name
}

// RowOf is a row of cells.
func RowOf(cells ...string) *Row { return &Row{Cells: strings.Join(cells, "\t")} }

// Render draws the cells.
func (r *Row) Render() app.UI {
	row, cells := app.Elem("tr"), Each(strings.Split(r.Cells, "\t"), func(text string) app.UI { return app.Elem("td").Text(text) })
	if r.Current {
		row = row.Aria("current", "true")
	}
	if r.Object == "" {
		return row.Body(cells)
	}
	return row.Class(r.Class).DataSet("name", r.Name).Body(app.Elem("td").Body(&Button{Act: "table-row", Class: "row-link", Text: r.Name,
		Title: r.Lang.Say("last-write", r.Name), Do: act.Object, Value: r.Object}), cells)
}

// Definition is a term of a definition list with its meaning.
func Definition(term app.UI, meaning string) app.UI {
	return app.Elem("div").Body(app.Elem("dt").Body(term), app.Elem("dd").Text(meaning))
}
