package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// comparison is the figures of two branches with their difference, and where the two part.
type comparison struct {
	app.Compo

	Lang     lang.Lang
	Open     bool
	Rows     [3]compared // here, there, the difference; empty while the other branch is computed
	Parts    string
	Here     string // the first decision that differs
	There    string
	Decision int // its record in the shown run, -1 for none
}

// compared is a row of figures.
type compared struct {
	Name                                       string
	Duration, Lowest, Peak, Extra, Outage, Now string
}

// Comparison is the panel of the branches that are compared.
func (p *Panels) Comparison() app.UI {
	l := p.s.Lang()
	panel := &comparison{Lang: l, Open: p.s.Branches.Comparing(), Decision: -1}
	c, ok := p.s.Branches.Comparison()
	if !ok {
		return panel
	}
	here, there := p.availableAt(p.s.Run(), p.s.Cursor.Record), p.availableAt(p.s.Branches.Compared(), p.s.Branches.Compared().Past().Find(p.s.Cursor.T))
	panel.Rows = [3]compared{figures(l, c.Name, &c.Here, here), figures(l, c.Other, &c.There, there), difference(l, &c, here-there)}
	if panel.Parts = l.Say("compare-same"); c.Parting.T >= 0 {
		panel.Parts = l.Say("compare-parts", cursor.Clock(c.Parting.T))
		panel.Decision = c.Parting.Decision.Here
		panel.Here, panel.There = p.s.Reading.Describe(panel.Decision), p.s.Branches.DescribeCompared(c.Parting.Decision.There)
	}
	return panel
}

// availableAt is the number of available pods after a record.
func (p *Panels) availableAt(run *engine.Run, record int) int {
	frames := run.Frames(p.s.Workload())
	return chart.ReadoutAt(frames, chart.FrameAt(frames, record)).Available
}

func figures(l lang.Lang, name string, s *session.Score, now int) compared {
	took := seconds(l, s.Took)
	if !s.Done {
		took = l.Say("compare-more", took)
	}
	return compared{name, took, l.Say("n-of", s.Lowest, s.LowestOf), strconv.Itoa(s.PeakPods), chart.Tenths(s.ExtraPodMs), seconds(l, s.AtZero), strconv.Itoa(now)}
}

// difference subtracts what the rows show: 15.1 less 27.2 is 12.1, whatever the thousandths are.
func difference(l lang.Lang, c *session.Comparison, now int) compared {
	a, b := &c.Here, &c.There
	less := func(a, b int64) string { d := rounded(a) - rounded(b); return signed(d, chart.Tenths(abs(d))) }
	in := func(a, b int64) string { return l.Say("status-seconds", less(a, b)) }
	count := func(n int) string { return signed(int64(n), strconv.Itoa(int(abs(int64(n))))) }
	return compared{l.Say("compare-by"), in(a.Took, b.Took), count(a.Lowest - b.Lowest), count(a.PeakPods - b.PeakPods),
		less(a.ExtraPodMs, b.ExtraPodMs), in(a.AtZero, b.AtZero), count(now)}
}

// rounded is ms to a tenth of a second.
func rounded(ms int64) int64 { return (ms + 50) / 100 * 100 }

func abs(n int64) int64 { return max(n, -n) }

// signed writes a sign before a size.
func signed(n int64, size string) string {
	switch {
	case n > 0:
		return "+" + size
	case n < 0:
		return "−" + size
	}
	return size
}

// Render draws the panel.
func (c *comparison) Render() app.UI {
	if !c.Open {
		return app.Elem("section").Class("comparison").Hidden(true)
	}
	return app.Elem("section").Class("card comparison").Hidden(false).DataSet("act", "comparison").Aria("label", c.Lang.Say("compare")).Body(
		parts.Title(c.Lang.Say("compare")),
		app.If(c.Rows[0].Name == "", func() app.UI { return app.Elem("p").Text(c.Lang.Say("compare-computes")) }).Else(c.table),
		app.Elem("p").Class("parting-text").DataSet("act", "parting-text").Body(
			app.Text(c.Parts+" "),
			app.If(c.Here+c.There != "", func() app.UI { return app.Elem("b").Text(c.Lang.Say("compare-decision")) }),
		),
		app.If(c.Here+c.There != "", c.decisions),
		&parts.Button{Act: "compare-close", Class: "tool", Glyph: "close", Title: c.Lang.Say("compare-close"), Do: act.Compare, Value: 0},
	)
}

func (c *comparison) table() app.UI {
	say := c.Lang.Say
	heads := []string{say("compare-branch"), say("compare-duration"), say("compare-lowest"), say("compare-peak"), say("compare-extra"), say("compare-outage"), say("compare-now")}
	return app.Elem("div").Class("figures-box").TabIndex(0).Role("group").Aria("label", say("compare")).Body(
		app.Elem("table").Class("figures").DataSet("act", "compare-table").Body(
			app.Elem("thead").Body(app.Elem("tr").Body(app.Range(heads).Slice(func(i int) app.UI { return parts.Heading(heads[i]) }))),
			app.Elem("tbody").Body(app.Range(c.Rows[:]).Slice(func(i int) app.UI {
				r := &c.Rows[i]
				return parts.Row(false, r.Name, r.Duration, r.Lowest, r.Peak, r.Extra, r.Outage, r.Now)
			})),
		))
}

// decisions are the two that differ; a click on the one of the shown run goes there.
func (c *comparison) decisions() app.UI {
	say := c.Lang.Say
	here, there := c.Here, c.There
	if there == "" {
		there = say("compare-none")
	}
	return app.Elem("ul").Class("parting-decisions").Body(
		app.Elem("li").DataSet("act", "decision-here").Body(
			app.Elem("span").Class("row-source").Text(say("compare-here", c.Rows[0].Name)),
			app.If(here != "", func() app.UI {
				return &parts.Button{Act: "parting-goto", Class: "link", Text: here, Title: say("compare-goto"), Do: act.Record, Value: c.Decision}
			}).Else(func() app.UI { return app.Elem("span").Text(say("compare-none")) })),
		app.Elem("li").DataSet("act", "decision-there").Body(
			app.Elem("span").Class("row-source").Text(say("compare-there", c.Rows[1].Name)), app.Elem("span").Text(there)),
	)
}
