package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
)

// branchStrip is the row of branches under the scrubber, hidden while there is only one. Arrow keys go round among them.
type branchStrip struct {
	app.Compo

	Lang      lang.Lang
	Rows      []branchChip
	Comparing bool
}

// branchChip is one branch: its name, and where on the run it parts.
type branchChip struct {
	ID         int
	Title, Tip string
	Shown      bool
	Part       int // of 100: where it leaves its parent
}

// Branches is the strip under the scrubber.
func (p *Panels) Branches() app.UI {
	strip := &branchStrip{Lang: p.s.Lang(), Comparing: p.s.Branches.Comparing()}
	all := p.s.Branches.Rows()
	if len(all) < 2 || p.s.Run() == nil {
		return strip
	}
	end := max(p.s.End(), 1)
	for i := range all {
		b := &all[i]
		chip := branchChip{ID: b.ID, Title: b.Title, Shown: b.Index < 0, Tip: strip.Lang.Say("branch-root", b.Title)}
		if b.From > 0 {
			chip.Tip, chip.Part = strip.Lang.Say("branch-from", b.Title, cursor.Clock(b.From)), int(min(100*b.From/end, 95))
		}
		strip.Rows = append(strip.Rows, chip)
	}
	return strip
}

// Render draws the row.
func (b *branchStrip) Render() app.UI {
	if len(b.Rows) == 0 {
		return app.Elem("section").Class("branches").Hidden(true)
	}
	return app.Elem("section").Class("card branches").Hidden(false).DataSet("act", "branches").Aria("label", b.Lang.Say("branches")).Body(
		parts.Title(b.Lang.Say("branches")),
		app.Elem("span").Class("branches-count").DataSet("act", "branches-count").Text(b.Lang.Say("branches-are", len(b.Rows))),
		app.Elem("div").Class("branch-chips").Role("radiogroup").Aria("label", b.Lang.Say("branches")).Body(
			app.Range(b.Rows).Slice(func(i int) app.UI { return &branchButton{Chip: b.Rows[i]} })),
		&parts.Button{Act: "branch-compare", Class: "button", Text: b.Lang.Say("branch-compare"), Title: b.Lang.Say("branch-compare-is"),
			Pressed: strconv.FormatBool(b.Comparing), Do: act.Compare, Value: compareValue(b.Comparing)},
	)
}

// compareValue closes a comparison, or opens one with the branch that was left last.
func compareValue(open bool) int {
	if open {
		return 0
	}
	return -1
}

// branchButton shows a branch.
type branchButton struct {
	app.Compo

	Chip branchChip
}

// Render draws the chip with a line that begins where the branch does.
func (b *branchButton) Render() app.UI {
	c, index := b.Chip, -1
	if c.Shown {
		index = 0
	}
	return app.Elem("button").Class("button chip branch-chip").Attr("type", "button").Role("radio").DataSet("act", "branch").DataSet("id", strconv.Itoa(c.ID)).
		Aria("checked", strconv.FormatBool(c.Shown)).TabIndex(index).Title(c.Tip).OnClick(b.onClick).Body(
		branchLine(c.Part), app.Elem("span").Text(c.Title))
}

func branchLine(part int) app.UI {
	return app.Raw(`<svg class="branch-line" viewBox="0 0 100 24" aria-hidden="true"><path d="M0 4h100"/><path class="own" d="M` +
		strconv.Itoa(part) + ` 4v16h` + strconv.Itoa(100-part) + `"/></svg>`)
}

func (b *branchButton) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Branch, b.Chip.ID)
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
