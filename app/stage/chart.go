package stage

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
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
	return app.Elem("ul").Class("legend").DataSet("act", "legend").Body(app.Range(c.Legend).Slice(func(i int) app.UI { return legendRow(&c.Legend[i]) }))
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
