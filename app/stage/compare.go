package stage

import (
	"cmp"
	"fmt"
	"slices"
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

// Comparison is the panel of the branches that are compared: their figures with the difference, and where the two part.
func (p *Panels) Comparison() app.UI {
	l := p.s.Lang()
	if !p.s.Branches.Comparing() {
		return app.Elem("section").Class("comparison").Hidden(true)
	}
	body := []app.UI{parts.Title(l.Say("compare"))}
	if c, ok := p.s.Branches.Comparison(); ok {
		body = append(body, p.comparisonTable(&c))
		body = append(body, p.parting(&c)...)
	} else {
		body = append(body, app.Elem("p").Text(l.Say("compare-computes")), partingText(""))
	}
	return parts.Card("comparison", l.Say("compare")).Hidden(false).DataSet("act", "comparison").Body(append(body,
		&parts.Button{Act: "compare-close", Class: "tool", Glyph: "close", Title: l.Say("compare-close"), Do: act.Compare, Value: 0})...)
}

// comparisonTable has the figures here and there, and the difference.
func (p *Panels) comparisonTable(c *session.Comparison) app.UI {
	l := p.s.Lang()
	here, there := p.frame(p.s.Run()).Available, p.frame(p.s.Branches.Compared()).Available
	columns := []string{l.Say("compare-branch"), l.Say("compare-duration"), l.Say("compare-lowest"), l.Say("compare-peak"), l.Say("compare-extra"),
		l.Say("compare-outage"), l.Say("compare-now")}
	return app.Elem("div").Class("figures-box").TabIndex(0).Role("group").Aria("label", l.Say("compare")).Body(
		parts.Table(nil, asked(c, columns, l.Say("compare-failed")),
			parts.RowOf(asked(c, figures(l, c.Name, &c.Here, here), ofAll(l, &c.Here))...),
			parts.RowOf(asked(c, figures(l, c.Other, &c.There, there), ofAll(l, &c.There))...),
			parts.RowOf(asked(c, difference(l, c, here-there), signed(c.Here.Failed-c.There.Failed, thousands))...),
		).Class("figures").DataSet("act", "compare-table"))
}

// asked puts the failed requests behind the name of a row, if anything is known of requests.
func asked(c *session.Comparison, row []string, failed string) []string {
	if c.Here.Asked+c.There.Asked == 0 {
		return row
	}
	return slices.Insert(row, 1, failed)
}

// ofAll is how many requests failed, of how many.
func ofAll(l lang.Lang, s *session.Score) string {
	if s.Asked == 0 {
		return l.Say("compare-unasked")
	}
	return l.Say("compare-failed-of", thousands(s.Failed), thousands(s.Asked))
}

// frame is that of the workload at the cursor, all 0 without a run.
func (p *Panels) frame(run *engine.Run) *engine.Frame {
	if run == nil {
		return &engine.Frame{}
	}
	return chart.At(run.Frames(p.s.Workload()), p.here(run))
}

func figures(l lang.Lang, name string, s *session.Score, now int) []string {
	took := seconds(l, s.Took)
	if !s.Done {
		took = l.Say("compare-more", took)
	}
	return []string{name, took, l.Say("n-of", s.Lowest, s.LowestOf), strconv.Itoa(s.PeakPods), chart.Tenths(s.ExtraPodMs), seconds(l, s.AtZero), strconv.Itoa(now)}
}

// difference subtracts what the rows show: 15.1 less 27.2 is 12.1, whatever the thousandths are.
func difference(l lang.Lang, c *session.Comparison, now int) []string {
	a, b := &c.Here, &c.There
	less := func(a, b int64) string { return signed(rounded(a)-rounded(b), chart.Tenths) }
	in := func(a, b int64) string { return l.Say("status-seconds", less(a, b)) }
	count := func(n int) string {
		return signed(int64(n), func(n int64) string { return strconv.FormatInt(n, 10) })
	}
	return []string{l.Say("compare-by"), in(a.Took, b.Took), count(a.Lowest - b.Lowest), count(a.PeakPods - b.PeakPods),
		less(a.ExtraPodMs, b.ExtraPodMs), in(a.AtZero, b.AtZero), count(now)}
}

// rounded is ms to a tenth of a second.
func rounded(ms int64) int64 { return (ms + 50) / 100 * 100 }

// signed writes a number with its sign.
func signed(n int64, size func(int64) string) string {
	switch {
	case n > 0:
		return "+" + size(n)
	case n < 0:
		return "−" + size(-n)
	}
	return size(0)
}

func partingText(text string, more ...app.UI) app.UI {
	return app.Elem("p").Class("parting-text").DataSet("act", "parting-text").Body(append([]app.UI{app.Text(text + " ")}, more...)...)
}

// parting says where the branches part, with the first decisions that differ; a click on the one of the shown run goes there.
func (p *Panels) parting(c *session.Comparison) []app.UI {
	say := p.s.Lang().Say
	if c.Parting.T < 0 {
		return []app.UI{partingText(say("compare-same"))}
	}
	text, decision := say("compare-parts", cursor.Clock(c.Parting.T)), c.Parting.Here
	here, there := p.s.Reading.Describe(decision), p.s.Branches.DescribeCompared(c.Parting.There)
	if here+there == "" {
		return []app.UI{partingText(text)}
	}
	return []app.UI{
		partingText(text, app.Elem("b").Text(say("compare-decision"))),
		app.Elem("ul").Class("parting-decisions").Body(
			app.Elem("li").DataSet("act", "decision-here").Body(
				app.Elem("span").Class("row-source").Text(say("compare-here", c.Name)),
				app.If(here != "", func() app.UI {
					return &parts.Button{Act: "parting-goto", Class: "link", Text: here, Title: say("compare-goto"), Do: act.Record, Value: decision}
				}).Else(func() app.UI { return app.Elem("span").Text(say("compare-none")) })),
			app.Elem("li").DataSet("act", "decision-there").Body(parts.Draw(
				parts.Span{Class: "row-source", Text: say("compare-there", c.Other)}, parts.Span{Text: cmp.Or(there, say("compare-none"))})...),
		),
	}
}

// Branches is the row of branches under the scrubber, hidden while there is only one. Arrow keys go round among them.
func (p *Panels) Branches() app.UI {
	all, say := p.s.Branches.Rows(), p.s.Lang().Say
	if len(all) < 2 || p.s.Run() == nil {
		return app.Elem("section").Class("branches").Hidden(true)
	}
	comparing, with := p.s.Branches.Comparing(), -1 // the branch that was left last
	if comparing {
		with = 0 // ends the comparison
	}
	return parts.Card("branches", say("branches")).Hidden(false).DataSet("act", "branches").Body(
		parts.Title(say("branches")),
		app.Elem("span").Class("branches-count").DataSet("act", "branches-count").Text(say("branches-are", len(all))),
		app.Elem("div").Class("branch-chips").Role("radiogroup").Aria("label", say("branches")).Body(
			parts.EachOf(all, p.branchChip)),
		&parts.Button{Act: "branch-compare", Class: "button", Text: say("branch-compare"), Title: say("branch-compare-is"),
			Attributes: parts.Attributes{Pressed: strconv.FormatBool(comparing)}, Do: act.Compare, Value: with},
	)
}

// branchChip shows a branch, with a line that begins where the branch does.
func (p *Panels) branchChip(b *session.BranchRow) app.UI {
	shown, tip, part := b.Index < 0, p.s.Lang().Say("branch-root", b.Title), int64(0)
	if b.From > 0 {
		tip = p.s.Lang().Say("branch-from", b.Title, cursor.Clock(b.From))
		part = min(100*b.From/max(p.s.End(), 1), 95)
	}
	return &parts.Button{Act: "branch", Class: "button chip branch-chip", Title: tip, Do: act.Branch, Value: b.ID, Data: "id", Attributes: parts.Attributes{Role: "radio", Aria: map[string]string{"checked": strconv.FormatBool(shown)}, Focus: parts.FocusOf(shown)}, Picture: branchLine(part), Spans: []parts.Span{{Text: b.Title}}}
}

func branchLine(part int64) string {
	return fmt.Sprintf(`<svg class="branch-line" viewBox="0 0 100 24" aria-hidden="true"><path d="M0 4h100"/><path class="own" d="M%d 4v16h%d"/></svg>`, part, 100-part)
}

// branchMarks are where the branches part: those of the tree on the scrubber, and on the chart that of the two whose curves it
// has.
func (p *Panels) branchMarks() (all []chart.Mark) {
	for _, b := range p.s.Branches.Rows() {
		if b.From > 0 {
			all = append(all, chart.Mark{Kind: "branch", T: b.From, Line: p.s.Lang().Say("branch-mark", b.Title)})
		}
	}
	if p.s.Branches.Compared() == nil || p.s.Branches.ComparedLate() || !p.s.Run().Done() {
		return all
	}
	if at := p.s.Branches.Parting().T; at > 0 {
		all = append(all, chart.Mark{Kind: "parting", T: at, Line: p.s.Lang().Say("parting-mark")})
	}
	return all
}
