package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// dataTableMax bounds the rows to those around the cursor.
const dataTableMax = 300

// dataTable is the chart in numbers, for people who do not see the lines.
func (p *Panels) dataTable() app.UI {
	l, frames, names, here := p.s.Lang(), []engine.Frame{}, []string{}, -1
	if run := p.s.Run(); run != nil {
		for _, set := range p.replicaSets.Of(run, p.s.Workload()) {
			names = append(names, set.Name)
		}
		frames = run.Frames(p.s.Workload())
		here = chart.FrameAt(frames, p.s.Cursor.Place)
	}
	columns := []string{l.Say("time"), l.Say("col-desired"), l.Say("bounds"), l.Say("col-total"), l.Say("col-available"), l.Say("col-terminating")}
	caption := app.Elem("caption").Class("sr-only").Text(l.Say("table-caption"))
	return app.Elem("div").Class("table-scroll").TabIndex(0).Body(
		parts.Table(caption, append(columns, names...), dataRows(l, frames, here, names)...).Class("k8s"),
	)
}

// dataRows are the frames around the cursor.
func dataRows(l lang.Lang, frames []engine.Frame, here int, names []string) (rows []app.UI) {
	from, to := cursor.Window(len(frames), here, dataTableMax)
	for i := from; i < to; i++ {
		f := &frames[i]
		cells := []string{cursor.Clock(f.T), strconv.Itoa(f.Desired), l.Say("from-to", f.Lower, f.Upper), strconv.Itoa(f.Total), strconv.Itoa(f.Available),
			strconv.Itoa(f.Terminating)}
		for _, name := range names {
			cells = append(cells, replicas(f, name))
		}
		row := parts.RowOf(cells...)
		row.Current = i == here
		rows = append(rows, row)
	}
	return rows
}

// replicas is the number of a ReplicaSet's pods, - before it exists.
func replicas(f *engine.Frame, name string) string {
	if rs := f.ReplicaSet(name); rs != nil {
		return strconv.Itoa(rs.Replicas)
	}
	return "-"
}
