package stage

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
)

// chartFoot is the strips, the judge's sentence and the chart as a table. The page has it below the controls; the Tab key and screen
// readers follow the order of the elements.
type chartFoot struct {
	app.Compo

	Lang   lang.Lang
	Judge  judgement
	Broken app.UI     // the list of violations
	Table  []tableRow // nil while the data table is closed
	Names  []string   // of the ReplicaSets, for the data table
	Open   bool
}

func (p *Panels) ChartFoot() app.UI {
	c := &chartFoot{Lang: p.s.Lang(), Open: p.ShowTable, Judge: p.judgement(), Broken: p.violationList()}
	if p.s.Run() == nil || !p.ShowTable {
		return c
	}
	for _, k := range p.replicaSets.Of(p.s.Run(), p.s.Workload()) {
		c.Names = append(c.Names, k.Name)
	}
	frames := p.s.Run().Frames(p.s.Workload())
	c.Table = dataTable(p.s.Lang(), frames, chart.FrameAt(frames, p.s.Cursor.Record), c.Names)
	return c
}

// Render draws the strips' empty box and the line below it.
func (c *chartFoot) Render() app.UI {
	return app.Elem("div").Class("chart-more").Body(
		&stripsHost{Lang: c.Lang},
		app.Elem("div").Class("chart-foot").Body(
			app.Elem("p").Class("judge").DataSet("act", "judge").DataSet("state", c.Judge.State).Text(c.Judge.Line),
			c.Broken,
			app.Elem("details").Class("data-table").DataSet("act", "data-table").On("toggle", c.onToggle).Body(
				app.Elem("summary").Text(c.Lang.Say("chart-table")),
				app.If(c.Open, func() app.UI { return dataTableUI(c.Lang, c.Names, c.Table) }),
			),
		),
	)
}

func (c *chartFoot) onToggle(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.DataTable, ctx.JSSrc().Get("open").Bool())
}
