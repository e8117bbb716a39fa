package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// tableRow is one frame of the chart in words and numbers, for those who do not see the lines.
type tableRow struct {
	Time        string
	Desired     int
	Bounds      string
	Total       int
	Available   int
	Terminating int
	ReplicaSets string // counts in the order of the columns, space separated; - for one that is not there
	Here        bool
}

// dataTableMax bounds the rows; those around the cursor are shown.
const dataTableMax = 300

func dataTable(l lang, frames []engine.Frame, here int, names []string) []tableRow {
	from, to := window(len(frames), here, dataTableMax)
	rows := []tableRow{}
	for i := from; i < to; i++ {
		f := frames[i]
		row := tableRow{
			Time: clock(f.T), Desired: f.Desired, Bounds: l.say("from-to", f.Lower, f.Upper),
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

// window returns the range of at most size of n rows that has row i in it, about half of it before i. It moves on by a
// quarter of its size at a time, so that most steps leave every row where it is.
func window(n, i, size int) (from, to int) {
	step := max(size/4, 1)
	from = max(0, min((i-size/2)/step*step, n-size))
	return from, min(n, from+size)
}

func dataTableUI(l lang, names []string, rows []tableRow) app.UI {
	head := []app.UI{th(l.say("time")), th(l.say("col-desired")), th(l.say("bounds")), th(l.say("col-total")), th(l.say("col-available")), th(l.say("col-terminating"))}
	for _, name := range names {
		head = append(head, th(name))
	}
	return app.Elem("div").Class("table-scroll").TabIndex(0).Body(
		app.Elem("table").Class("k8s").Body(
			app.Elem("caption").Class("sr-only").Text(l.say("table-caption")),
			app.Elem("thead").Body(app.Elem("tr").Body(head...)),
			app.Elem("tbody").Body(app.Range(rows).Slice(func(i int) app.UI { return &dataRow{Row: rows[i]} })),
		),
	)
}

func th(text string) app.UI { return app.Elem("th").Attr("scope", "col").Text(text) }

// dataRow is a line of the data table.
type dataRow struct {
	app.Compo

	Row tableRow
}

// Render draws the line.
func (d *dataRow) Render() app.UI {
	r := d.Row
	cells := []string{r.Time, strconv.Itoa(r.Desired), r.Bounds, strconv.Itoa(r.Total), strconv.Itoa(r.Available), strconv.Itoa(r.Terminating)}
	return tableLine(r.Here, append(cells, strings.Fields(r.ReplicaSets)...)...)
}
