package stage

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
)

// chartPanel is the chart with its legend above and the judge's sentence below. ECharts draws the lines; the
// cursor and the marks are an overlay. Both belong to JavaScript.
type chartPanel struct {
	app.Compo

	Lang    lang.Lang
	Legend  []legendItem
	Judge   judgement
	Broken  app.UI // the list of violations
	Bounds  string // for screen readers, which do not see the bands
	Stacked bool

	Edges, FromStart bool // the bounds can be dragged; and hold from the start then

	Caption string
	Table   []tableRow // nil while the data table is closed
	Names   []string   // of the ReplicaSets, for the data table
	Open    bool
}

func (p *Panels) Chart() app.UI {
	c := &chartPanel{Lang: p.s.Lang(), Open: p.ShowTable, Stacked: p.Stacked, FromStart: p.FromStart, Judge: p.judgement(), Broken: p.violationList()}
	if p.s.Run() == nil {
		return c
	}
	frames := p.s.Run().Frames(p.s.Workload())
	here := chart.FrameAt(frames, p.s.Cursor().Record)
	c.Edges = len(p.edges(p.s.Run(), frames)) > 0
	c.Legend = p.legend(p.s.Run(), p.s.Cursor().Record, p.s.Cursor().T)
	upper, lower := p.bounds(p.s.Run(), p.s.Cursor().Record)
	c.Bounds = strings.TrimSuffix(strings.TrimPrefix(upper+", "+lower, ", "), ", ")
	c.Caption = p.chartTitle()
	if p.ShowTable {
		for _, k := range p.replicaSets.Of(p.s.Run(), p.s.Workload()) {
			c.Names = append(c.Names, k.Name)
		}
		c.Table = dataTable(p.s.Lang(), frames, here, c.Names)
	}
	return c
}

// OnMount hands the empty box to ECharts.
func (c *chartPanel) OnMount(ctx app.Context) { browser.MountChart(ctx.JSSrc()) }

// Render draws the frame around the chart.
func (c *chartPanel) Render() app.UI {
	return app.Elem("section").Class("card chart-card").Aria("label", c.Lang.Say("chart")).Body(
		app.Elem("p").Class("caption").DataSet("act", "caption").Text(c.Caption),
		app.Elem("div").Class("chart-head").Body(
			app.Elem("ul").Class("legend").DataSet("act", "legend").Body(
				app.Range(c.Legend).Slice(func(i int) app.UI { return &legendRow{Lang: c.Lang, Item: c.Legend[i]} }),
			),
			c.tools(),
		),
		app.Elem("p").Class("sr-only").DataSet("act", "bounds").Text(c.Bounds),
		app.Elem("div").Class("chart").DataSet("act", "chart").Body(
			app.Elem("div").Class("chart-host").Role("img").Aria("label", c.Lang.Say("chart-image")),
			app.Elem("div").Class("plot"),
		),
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

func (c *chartPanel) onToggle(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.DataTable, ctx.JSSrc().Get("open").Bool())
}

// tools are what a person can choose about the chart.
func (c *chartPanel) tools() app.UI {
	return app.Elem("div").Class("chart-tools").Body(
		app.If(c.Edges, func() app.UI { return c.choice("from-start", "from-start-is", act.FromStart, c.FromStart) }),
		c.choice("stacked", "stacked-is", act.Stacked, c.Stacked),
		app.Elem("div").Class("zoom").Role("group").Aria("label", c.Lang.Say("zoom")).Body(
			c.zoomButton("out", "−", c.Lang.Say("zoom-out")),
			c.zoomButton("in", "+", c.Lang.Say("zoom-in")),
			c.zoomButton("fit", c.Lang.Say("zoom-fit"), c.Lang.Say("zoom-fit-to")),
		),
	)
}

func (c *chartPanel) choice(label, title lang.Message, do string, on bool) app.UI {
	return &parts.Check{Act: string(label), Class: "choice", Text: c.Lang.Say(label), Title: c.Lang.Say(title), On: on, Do: do}
}

func (c *chartPanel) zoomButton(how, text, label string) app.UI {
	return &parts.Button{Act: "zoom-" + how, Class: "tool", Text: text, Title: label, Do: act.Zoom, Value: how}
}

// chartTitle stands above the chart: the scenario's title; in an embed, which has no lesson strip, the sentence of the moment.
func (p *Panels) chartTitle() string {
	sc := p.s.Run().Scenario()
	if n := p.s.Caption(); p.embedded && n >= 0 && !p.s.LessonEdited() {
		return p.s.Lang().In(sc.Captions[n].Text)
	}
	if title := p.s.Lang().In(sc.Title); title != "" {
		return title
	}
	w := p.s.Workload()
	return strings.TrimSpace(command.Kind(w) + " " + command.Name(w))
}
