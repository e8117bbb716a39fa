package stage

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// tableRow is one frame of the chart in numbers, for people who do not see the lines.
type tableRow struct {
	Time        string
	Desired     int
	Bounds      string
	Total       int
	Available   int
	Terminating int
	ReplicaSets string // counts in the order of the columns, separated by spaces; - for a missing one
	Here        bool
}

// dataTableMax bounds the rows to those around the cursor.
const dataTableMax = 300

func dataTable(l lang.Lang, frames []engine.Frame, here int, names []string) []tableRow {
	from, to := cursor.Window(len(frames), here, dataTableMax)
	rows := []tableRow{}
	for i := from; i < to; i++ {
		f := frames[i]
		row := tableRow{
			Time: cursor.Clock(f.T), Desired: f.Desired, Bounds: l.Say("from-to", f.Lower, f.Upper),
			Total: f.Total, Available: f.Available, Terminating: f.Terminating, Here: i == here,
		}
		for k, name := range names {
			if k > 0 {
				row.ReplicaSets += " "
			}
			row.ReplicaSets += rsCount(f, name)
		}
		rows = append(rows, row)
	}
	return rows
}

func rsCount(f engine.Frame, name string) string {
	for _, rs := range f.ReplicaSets {
		if rs.Name == name {
			return strconv.Itoa(rs.Replicas)
		}
	}
	return "-"
}

func dataTableUI(l lang.Lang, names []string, rows []tableRow) app.UI {
	head := []app.UI{parts.Heading(l.Say("time")), parts.Heading(l.Say("col-desired")), parts.Heading(l.Say("bounds")), parts.Heading(l.Say("col-total")), parts.Heading(l.Say("col-available")), parts.Heading(l.Say("col-terminating"))}
	for _, name := range names {
		head = append(head, parts.Heading(name))
	}
	return app.Elem("div").Class("table-scroll").TabIndex(0).Body(
		app.Elem("table").Class("k8s").Body(
			app.Elem("caption").Class("sr-only").Text(l.Say("table-caption")),
			app.Elem("thead").Body(app.Elem("tr").Body(head...)),
			app.Elem("tbody").Body(app.Range(rows).Slice(func(i int) app.UI { return &dataRow{Row: rows[i]} })),
		),
	)
}

// dataRow is a line of the data table.
type dataRow struct {
	app.Compo

	Row tableRow
}

// Render draws the line.
func (d *dataRow) Render() app.UI {
	r := d.Row
	cells := []string{r.Time, strconv.Itoa(r.Desired), r.Bounds, strconv.Itoa(r.Total), strconv.Itoa(r.Available), strconv.Itoa(r.Terminating)}
	return parts.Row(r.Here, append(cells, strings.Fields(r.ReplicaSets)...)...)
}
