package stage

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// chartPanel is the chart with its legend above. ECharts draws the lines; the cursor and the marks are an overlay. Both belong to
// JavaScript.
type chartPanel struct {
	app.Compo

	Lang   lang.Lang
	Legend []legendItem
	Name   string // for people who do not see it
	Bounds string // for screen readers, which do not see the bands

	Caption     string
	Tools, Foot app.UI // of an embed; on the page they are elsewhere
}

func (p *Panels) Chart() app.UI {
	c := &chartPanel{Lang: p.s.Lang(), Name: p.s.Lang().Say("chart-image")}
	if p.embedded {
		c.Tools, c.Foot = p.tools(), p.ChartFoot()
	}
	if p.s.Run() == nil {
		return c
	}
	c.Legend = p.legend(p.s.Run(), p.s.Cursor.Place)
	if p.s.Lesson.Question() == nil {
		upper, lower := p.bounds(p.s.Run(), p.s.Cursor.Place)
		c.Bounds = strings.TrimSuffix(strings.TrimPrefix(upper+", "+lower, ", "), ", ")
	}
	c.Caption, c.Name = p.chartTitle(), p.chartName()
	if !p.s.Cursor.Playing {
		c.Name += " " + p.Counts()
	}
	return c
}

// OnMount hands the empty box to ECharts.
func (c *chartPanel) OnMount(ctx app.Context) { browser.MountChart(ctx.JSSrc()) }

// Render draws the frame around the chart.
func (c *chartPanel) Render() app.UI {
	return app.Elem("section").Class("card chart-card").Aria("label", c.Lang.Say("chart")).Body(
		parts.Title(c.Lang.Say("chart")),
		app.Elem("p").Class("caption").DataSet("act", "caption").Text(c.Caption),
		app.Elem("div").Class("chart-head").Body(
			app.If(c.Tools != nil, c.legend),
			c.Tools,
		),
		app.Elem("p").Class("sr-only").DataSet("act", "bounds").Text(c.Bounds),
		app.Elem("div").Class("chart").DataSet("act", "chart").Body(
			app.Elem("div").Class("chart-host").Role("img").Aria("label", c.Name),
			app.Elem("div").Class("plot"),
			app.If(c.Tools == nil, c.legend), // at the cursor: see web/src/labels.js
		),
		c.Foot,
	)
}

func (c *chartPanel) legend() app.UI {
	return app.Elem("ul").Class("legend").DataSet("act", "legend").Body(parts.EachOf(c.Legend, func(item *legendItem) app.UI { // with a sample of the line, its name and the number at the cursor
		return app.Elem("li").Class("legend-item").DataSet("act", "legend-item").DataSet("series", item.ID).Title(item.Title).Body(
			parts.Draw(parts.Span{Class: "swatch " + item.Swatch, Sign: true}, parts.Span{Class: "legend-label", Text: item.Label},
				parts.Span{Class: "legend-value", Text: item.Value})...)
	}))
}

// tools are what a person can choose about the chart.
func (p *Panels) tools() app.UI {
	say := p.s.Lang().Say
	choice := func(label, title lang.Message, do string, on bool) app.UI {
		return &parts.Check{Act: string(label), Class: "choice", Text: say(label), Title: say(title), On: on, Do: do}
	}
	edges := p.s.Run() != nil && len(p.edges(p.s.Run(), p.s.Run().Frames(p.s.Workload()))) > 0
	return app.Elem("div").Class("chart-tools").Body(
		app.If(edges, func() app.UI { return choice("from-start", "from-start-is", act.FromStart, p.FromStart) }),
		app.If(!p.embedded, func() app.UI { return choice("revisions", "revisions-is", act.Revisions, p.Revisions) }),
		choice("stacked", "stacked-is", act.Stacked, p.Stacked),
		app.Elem("div").Class("zoom").Role("group").Aria("label", say("zoom")).Body(
			zoomButton("out", "−", say("zoom-out")),
			zoomButton("in", "+", say("zoom-in")),
			zoomButton("fit", say("zoom-fit"), say("zoom-fit-to")),
		),
	)
}

func zoomButton(how, text, label string) app.UI {
	return &parts.Button{Act: "zoom-" + how, Class: "tool", Text: text, Title: label, Do: act.Zoom, Value: how}
}

// chartTitle is the line above the chart: the scenario's title; in an embed, which has no lesson strip, the sentence of the moment.
func (p *Panels) chartTitle() string {
	sc := p.s.Run().Scenario()
	if n := p.s.Lesson.Caption(); p.embedded && n >= 0 && !p.s.Lesson.Edited() {
		return p.s.Lang().In(sc.Captions[n].Text)
	}
	w := p.s.Workload()
	return cmp.Or(p.s.Lang().In(sc.Title), strings.TrimSpace(command.Kind(w)+" "+command.Name(w)))
}

// namedMax bounds the records of a run that is described within a frame.
const namedMax = 20_000

// Counts is what the chart shows at the cursor, for people who do not see it.
func (p *Panels) Counts() string {
	if p.s.Run() == nil {
		return ""
	}
	l, f := p.s.Lang(), p.frame(p.s.Run())
	at := l.Say("status-seconds", chart.Tenths(p.s.Cursor.T))
	if f.Workload == "" {
		return l.Say("counts-none", at)
	}
	text := l.Say("counts", at, l.Count(f.Total, "one-pod", "n-pods"), f.Available)
	if f.Upper > 0 && p.s.Lesson.Question() == nil { // a bound may be its answer
		text += l.Say("counts-bounds", f.Lower, f.Upper)
	}
	return text
}

// CountsNow are the two numbers that the bounds limit, at the cursor.
func (p *Panels) CountsNow() (total, available int) {
	f := p.frame(p.s.Run())
	return f.Total, f.Available
}

// chartName is what the chart shows, in the words of its poster.
func (p *Panels) chartName() string {
	l, run := p.s.Lang(), p.s.Run()
	if !p.s.Computed.Finished() || run.Len() > namedMax || p.s.Lesson.Hidden() <= run.Now() {
		return l.Say("chart-image")
	}
	workload := p.s.Workload()
	return session.Recall(&p.inWords, [...]any{run, workload, l}, func() string {
		if drawn := picture.New(run, workload, picture.Telling); drawn != nil {
			return drawn.Alt(l) + " " + l.Say("chart-image")
		}
		return l.Say("chart-image")
	})
}

// ChartFoot is the strips, the judge's sentence and the chart as a table. The page has it below the controls; the Tab key and screen
// readers follow the order of the elements.
func (p *Panels) ChartFoot() app.UI {
	state, line := p.judgement()
	return app.Elem("div").Class("chart-more").Body(
		&parts.Host{Class: "strips", Act: "strips", Role: "group", Label: p.s.Lang().Say("strips")},
		app.Elem("div").Class("chart-foot").Body(
			app.Elem("p").Class("judge").DataSet("act", "judge").DataSet("state", state).Text(line),
			p.violationList(),
			app.Elem("details").Class("data-table").DataSet("act", "data-table").On("toggle", parts.Toggled(act.DataTable)).Body(
				app.Elem("summary").Text(p.s.Lang().Say("chart-table")),
				app.If(p.ShowTable, p.dataTable),
			),
		),
	)
}

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
			pods := "-" // before it exists
			if rs := f.ReplicaSet(name); rs != nil {
				pods = strconv.Itoa(rs.Replicas)
			}
			cells = append(cells, pods)
		}
		row := parts.RowOf(cells...)
		row.Current = i == here
		rows = append(rows, row)
	}
	return rows
}

// legendItem is a line of the legend with its number at the cursor.
type legendItem struct {
	ID, Label, Title string
	Value            string
	Swatch           string // class of the sample line
}

// legend is the counts of a run as they were at a place; behind them, in brackets, those of the run that it is
// compared with.
func (p *Panels) legend(run *engine.Run, at cursor.Place) []legendItem {
	f := chart.At(run.Frames(p.s.Workload()), at)
	number := func(n int) string {
		if f.Workload == "" {
			return "–"
		}
		return fmt.Sprint(n)
	}
	say := p.s.Lang().Say
	total, available := number(f.Total), number(f.Available)
	if beside := p.s.Branches.Compared(); p.s.Branches.Comparing() && run == p.s.Run() {
		there := chart.At(beside.Frames(p.s.Workload()), placeAt(beside, at.T))
		total, available = fmt.Sprintf("%s (%d)", total, there.Total), fmt.Sprintf("%s (%d)", available, there.Available)
	}
	items := []legendItem{
		{chart.SeriesTotal, say("total"), say("total-is"), total, "sw-total"},
		{chart.SeriesAvailable, say("available"), say("available-is"), available, "sw-available"},
		{chart.SeriesUnavailable, say("desired"), "spec.replicas", number(f.Desired), "sw-desired"},
		{chart.SeriesTerminating, say("terminating"), say("terminating-is"), number(f.Terminating), "sw-terminating"},
	}
	return append(append(items, p.legendRS(run, f)...), p.legendBudgets(at.Record)...)
}

func (p *Panels) legendRS(run *engine.Run, here *engine.Frame) []legendItem {
	var items []legendItem
	for k, rs := range p.sets(run) {
		item := legendItem{
			ID: chart.SeriesRSPrefix + rs.Name, Title: rs.Name, Value: "–",
			Label:  chart.Label(rs.Revision, rs.Image),
			Swatch: fmt.Sprintf("sw-rs-%d sw-%s", k%chart.Colors, chart.Pattern(k)),
		}
		if f := here.ReplicaSet(rs.Name); f != nil {
			item.Value, item.Label = sizeOf(f), chart.Label(f.Revision, rs.Image)
		}
		if item.Value != "–" || p.s.Lesson.Hidden() > run.Now() { // else it tells of a revision that is still to come
			items = append(items, item)
		}
	}
	return items
}

// sizeOf is the number of a ReplicaSet's pods, and the desired number if it differs: 12 → 10.
func sizeOf(f *engine.RSFrame) string {
	n := strconv.Itoa(f.Replicas)
	if f.Spec != f.Replicas {
		n += " → " + strconv.Itoa(f.Spec)
	}
	return n
}

// legendBudgets are the lines' entries in the legend, with what they were after a record.
func (p *Panels) legendBudgets(record int) (items []legendItem) {
	in := p.s.Lang()
	for _, b := range p.s.Run().Past().Budgets(p.s.Workload()) {
		item := legendItem{ID: chart.SeriesBudgetPrefix + b.Name, Label: in.Say("must-be-healthy", b.Name), Value: "–", Swatch: "sw-budget",
			Title: in.Say("healthy-is", b.Name)}
		if s, ok := b.At(record); ok {
			item.Value = fmt.Sprint(s.Desired)
		}
		items = append(items, item)
	}
	return items
}
