package stage

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/parts"
)

// ChartFoot is the strips, the judge's sentence and the chart as a table. The page has it below the controls; the Tab key and screen
// readers follow the order of the elements.
func (p *Panels) ChartFoot() app.UI {
	judged := p.judgement()
	return app.Elem("div").Class("chart-more").Body(
		&stripsHost{Lang: p.s.Lang()},
		app.Elem("div").Class("chart-foot").Body(
			app.Elem("p").Class("judge").DataSet("act", "judge").DataSet("state", judged.State).Text(judged.Line),
			p.violationList(),
			app.Elem("details").Class("data-table").DataSet("act", "data-table").On("toggle", parts.Toggled(act.DataTable)).Body(
				app.Elem("summary").Text(p.s.Lang().Say("chart-table")),
				app.If(p.ShowTable, p.dataTable),
			),
		),
	)
}
