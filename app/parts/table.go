package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

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

// Row is a row of a table, as data. A row with a name is about an object, and begins with a link to it.
type Row struct {
	app.Compo

	Class, Name string
	Link        Button
	Cells       []string
	Current     bool
}

// Render draws the cells.
func (r *Row) Render() app.UI {
	row, cells := app.Elem("tr"), Each(r.Cells, func(text string) app.UI { return app.Elem("td").Text(text) })
	if r.Current {
		row = row.Aria("current", "true")
	}
	if r.Name == "" {
		return row.Body(cells)
	}
	link := r.Link
	return row.Class(r.Class).DataSet("name", r.Name).Body(app.Elem("td").Body(&link), cells)
}

// Definition is a term of a definition list with its meaning.
func Definition(term app.UI, meaning string) app.UI {
	return app.Elem("div").Body(app.Elem("dt").Body(term), app.Elem("dd").Text(meaning))
}
