package stage

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// chartPanel is the chart with its legend above and the judge's sentence below. ECharts draws the lines; the
// cursor and the marks are an overlay. Both belong to JavaScript.
type chartPanel struct {
	app.Compo

	Lang    lang.Lang
	Legend  []legendItem
	Judge   judgement
	Broken  app.UI // the list of violations
	Readout chart.Readout
	Caption string
	Table   []tableRow // nil while the data table is closed
	Names   []string   // of the ReplicaSets, for the data table
	Open    bool
}

func (p *Panels) Chart() app.UI {
	c := &chartPanel{Lang: p.s.Lang(), Open: p.ShowTable, Readout: chart.ReadoutAt(nil, -1), Judge: p.judgement(), Broken: p.violationList()}
	if p.s.Run() == nil {
		return c
	}
	frames := p.s.Run().Frames(p.s.Workload())
	here := chart.FrameAt(frames, p.s.Cursor().Record)
	c.Readout = chart.ReadoutAt(frames, here)
	c.Legend = p.legend(c.Readout)
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
		app.Elem("div").Class("legend-box").Body(
			app.Elem("ul").Class("legend").DataSet("act", "legend").Body(
				app.Range(c.Legend).Slice(func(i int) app.UI { return &legendRow{Lang: c.Lang, Item: c.Legend[i]} }),
			),
			app.Elem("ul").Class("bounds").Body(
				boundItem("sw-surge", "upper", atMost(c.Lang, c.Readout), c.Readout.Over),
				boundItem("sw-unavailable", "lower", atLeast(c.Lang, c.Readout), c.Readout.Short),
			),
		),
		app.Elem("div").Class("chart").DataSet("act", "chart").Body(
			app.Elem("div").Class("chart-host").Role("img").Aria("label", c.Lang.Say("chart-image")),
			app.Elem("div").Class("plot"),
		),
		&stripsHost{Lang: c.Lang},
		app.Elem("div").Class("chart-foot").Body(
			app.Elem("p").Class("judge").DataSet("act", "judge").DataSet("state", c.Judge.State).Text(c.Judge.Line),
			c.Broken,
			app.Elem("div").Class("zoom").Role("group").Aria("label", c.Lang.Say("zoom")).Body(
				c.zoomButton("out", "−", c.Lang.Say("zoom-out")),
				c.zoomButton("in", "+", c.Lang.Say("zoom-in")),
				c.zoomButton("fit", c.Lang.Say("zoom-fit"), c.Lang.Say("zoom-fit-to")),
			),
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

func (c *chartPanel) zoomButton(how, text, label string) app.UI {
	return &parts.Button{Act: "zoom-" + how, Class: "tool", Text: text, Title: label, Do: act.Zoom, Value: how}
}

func boundItem(swatch, id, text string, broken bool) app.UI {
	class := "bound"
	if broken {
		class += " off"
	}
	return app.Elem("li").Class(class).DataSet("bound", id).Body(
		app.Elem("span").Class("swatch "+swatch).Aria("hidden", "true"),
		app.Elem("span").Class("bound-text").Text(text),
	)
}

// legendRow is one line of the legend.
type legendRow struct {
	app.Compo

	Lang lang.Lang
	Item legendItem
}

// Render draws the sample of the line, its name and the number at the cursor.
func (r *legendRow) Render() app.UI {
	return app.Elem("li").Class("legend-item").DataSet("act", "legend-item").DataSet("series", r.Item.ID).Body(
		app.Elem("button").Class("legend-button").Attr("type", "button").DataSet("act", "legend-button").
			Title(r.Lang.Say("legend-why", r.Item.Title)).OnClick(r.onClick).Body(
			app.Elem("span").Class("swatch "+r.Item.Swatch).Aria("hidden", "true"),
			app.Elem("span").Class("legend-label").Text(r.Item.Label),
			app.Elem("span").Class("legend-value").Text(r.Item.Value),
		),
	)
}

func (r *legendRow) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Series, r.Item.ID)
}

// chartTitle stands above the chart: the scenario's title; in an embed, which has no lesson strip, the sentence of the moment.
func (p *Panels) chartTitle() string {
	sc := p.s.Run().Scenario()
	if n := p.s.Caption(); p.embedded && n >= 0 {
		return p.s.Lang().In(sc.Captions[n].Text)
	}
	if title := p.s.Lang().In(sc.Title); title != "" {
		return title
	}
	w := p.s.Workload()
	return strings.TrimSpace(command.Kind(w) + " " + command.Name(w))
}

// atMost writes the upper bound as a sum: at most 13 = 10 + 3.
func atMost(l lang.Lang, r chart.Readout) string {
	if !r.Known {
		return ""
	}
	return l.Say("at-most", r.Upper, r.Desired, r.Upper-r.Desired)
}

// atLeast writes the lower bound as a sum: at least 8 = 10 − 2.
func atLeast(l lang.Lang, r chart.Readout) string {
	if !r.Known {
		return ""
	}
	return l.Say("at-least", r.Lower, r.Desired, r.Desired-r.Lower)
}

// legendBudgets are the lines' entries in the legend, with what they are at the cursor.
func (p *Panels) legendBudgets() (items []legendItem) {
	in := p.s.Lang()
	for _, b := range p.s.Run().Past().Budgets(p.s.Workload()) {
		item := legendItem{ID: chart.SeriesBudgetPrefix + b.Name, Label: in.Say("must-be-healthy", b.Name), Value: "–", Swatch: "sw-budget",
			Title: in.Say("healthy-is", b.Name)}
		if s, ok := b.At(p.s.Cursor().Record); ok {
			item.Value = fmt.Sprint(s.Desired)
		}
		items = append(items, item)
	}
	return items
}

// countTicks is how many ticks of the count axis there is room for.
const countTicks = 7

// View is what the chart draws.
func (p *Panels) View() chart.View {
	s := p.s
	if s.Run() == nil {
		return chart.View{Option: chart.Option(nil), End: chart.TimeAxis(0), Busy: chart.TimeAxis(0), Count: chart.CountAxis(1, countTicks), Marks: []chart.Mark{}}
	}
	frames := s.Run().Frames(s.Workload())
	all := append(chart.Lines(frames, s.End()), chart.BudgetLines(s.Run().Past().Budgets(s.Workload()), s.End())...)
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return chart.View{
		Option: chart.Option(ids), Series: all,
		End: chart.TimeAxis(s.End()), Busy: chart.TimeAxis(chart.BusyEnd(p.lastChange(frames), s.End())), Count: chart.CountAxis(chart.Highest(frames), countTicks),
		Marks: append(p.s.Index().Marks(), s.JudgedMarks()...), Syncs: p.s.Index().Decisions(),
	}
}

// lastChange is when the last count changed or the last command was given.
func (p *Panels) lastChange(frames []engine.Frame) int64 {
	last := int64(0)
	if n := len(frames); n > 0 {
		last = frames[n-1].T
	}
	x := p.s.Index()
	if n := len(x.Inputs()); n > 0 {
		last = max(last, p.s.Run().Record(x.Inputs()[n-1]).T)
	}
	return last
}

// legendItem is a line of the legend with its number at the cursor.
type legendItem struct {
	ID, Label, Title string
	Value            string
	Swatch           string // class of the sample line
}

func (p *Panels) legend(r chart.Readout) []legendItem {
	if p.s.Run() == nil {
		return nil
	}
	number := func(n int) string {
		if !r.Known {
			return "–"
		}
		return fmt.Sprint(n)
	}
	say := p.s.Lang().Say
	items := []legendItem{
		{chart.SeriesTotal, say("total"), say("total-is"), number(r.Total), "sw-total"},
		{chart.SeriesAvailable, say("available"), say("available-is"), number(r.Available), "sw-available"},
		{chart.SeriesUnavailable, say("desired"), "spec.replicas", number(r.Desired), "sw-desired"},
		{chart.SeriesTerminating, say("terminating"), say("terminating-is"), number(r.Terminating), "sw-terminating"},
	}
	return append(append(items, p.legendRS()...), p.legendBudgets()...)
}

func (p *Panels) legendRS() []legendItem {
	workload := p.s.Workload()
	frames := p.s.Run().Frames(workload)
	here := chart.FrameAt(frames, p.s.Cursor().Record)
	var items []legendItem
	for k, rs := range p.replicaSets.Of(p.s.Run(), workload) {
		item := legendItem{
			ID: chart.SeriesRSPrefix + rs.Name, Title: rs.Name, Value: "–",
			Label:  chart.Label(rs.Revision, rs.Image),
			Swatch: fmt.Sprintf("sw-rs-%d sw-%s", k%chart.Colors, chart.Pattern(k)),
		}
		if here >= 0 {
			for _, f := range frames[here].ReplicaSets {
				if f.Name == rs.Name {
					item.Value, item.Label = fmt.Sprint(f.Replicas), chart.Label(f.Revision, rs.Image)
				}
			}
		}
		items = append(items, item)
	}
	return items
}
