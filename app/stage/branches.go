package stage

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// Branches is the row of branches under the scrubber, hidden while there is only one. Arrow keys go round among them.
func (p *Panels) Branches() app.UI {
	all, say := p.s.Branches.Rows(), p.s.Lang().Say
	if len(all) < 2 || p.s.Run() == nil {
		return app.Elem("section").Class("branches").Hidden(true)
	}
	comparing := p.s.Branches.Comparing()
	return parts.Card("branches", say("branches")).Hidden(false).DataSet("act", "branches").Body(
		parts.Title(say("branches")),
		app.Elem("span").Class("branches-count").DataSet("act", "branches-count").Text(say("branches-are", len(all))),
		app.Elem("div").Class("branch-chips").Role("radiogroup").Aria("label", say("branches")).Body(
			app.Range(all).Slice(func(i int) app.UI { return p.branchChip(&all[i]) })),
		&parts.Button{Act: "branch-compare", Class: "button", Text: say("branch-compare"), Title: say("branch-compare-is"),
			Attributes: parts.Attributes{Pressed: strconv.FormatBool(comparing)}, Do: act.Compare, Value: compareValue(comparing)},
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

// compareValue closes a comparison, or opens one with the branch that was left last.
func compareValue(open bool) int {
	if open {
		return 0
	}
	return -1
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
