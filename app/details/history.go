package details

import (
	"sort"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/words"
)

// branchItem is a branch, or the run of another text.
type branchItem struct {
	session.BranchRow
	Begins  string // where it parts
	Figures string
	Text    string // what its scenario is called, if it is another one
	Has     string // commands that only it has, one a line
	Lacks   string // commands that only the present recording has
	Ended   string
}

// branches returns the branches of the present run with the present one, none if it is alone, and the runs of other texts.
func (p *Panels) branches() (branches, others []branchItem) {
	known := map[int]bool{}
	if all := p.s.Branches.Rows(); len(all) > 1 {
		for i := range all {
			known[all[i].Index] = true
			branches = append(branches, p.branchItem(&all[i]))
		}
	}
	for i := range p.s.Branches.List() {
		if !known[i] {
			others = append(others, branchItemOf(p.s, i))
		}
	}
	return branches, others
}

func (p *Panels) branchItem(b *session.BranchRow) branchItem {
	var item branchItem
	score, say := b.Score, p.s.Lang().Say
	if b.Index >= 0 {
		item = branchItemOf(p.s, b.Index)
	} else if run := p.s.Run(); run != nil && run.Done() {
		score = p.s.Reading.ScoreOf(run)
	}
	item.BranchRow, item.Begins, item.Figures = *b, say("branch-start"), figuresOf(p.s.Lang(), &score)
	if b.From > 0 {
		item.Begins = say("branch-at", cursor.Clock(b.From))
	}
	return item
}

// figuresOf writes how long the rollouts took, how low they went, and the outage.
func figuresOf(l lang.Lang, s *session.Score) string {
	if s.Workload == "" {
		return l.Say("branch-unknown")
	}
	took := l.Say("status-seconds", chart.Tenths(s.Took))
	if !s.Done {
		took = l.Say("compare-more", took)
	}
	outage := l.Say("status-no-outage")
	if s.AtZero > 0 {
		outage = l.Say("status-outage", l.Say("status-seconds", chart.Tenths(s.AtZero)))
	}
	return l.Say("branch-figures", took, l.Say("n-of", s.Lowest, s.LowestOf), outage)
}

func branchItemOf(s *session.Session, i int) branchItem {
	f := &s.Branches.List()[i]
	item := branchItem{
		BranchRow: session.BranchRow{Origin: f.Origin, Index: i}, Ended: s.Lang().Count(f.Records, "one-record-far", "n-records-far", cursor.Clock(f.End)),
		Has: commandLines(session.OnlyIn(f.Rec.Commands, s.Recording().Commands)), Lacks: commandLines(session.OnlyIn(s.Recording().Commands, f.Rec.Commands)),
	}
	if f.Done {
		item.Ended = s.Lang().Count(f.Records, "one-record-to", "n-records-to", cursor.Clock(f.End))
	}
	if f.Rec.Scenario != s.Recording().Scenario {
		item.Text = s.Lang().Say("fork-own")
		if f.Preset != "" {
			item.Text = gallery.Title(s.Lang(), f.Preset)
		}
	}
	return item
}

// commandLines writes commands with their times, one a line.
func commandLines(commands []engine.Command) string {
	return words.Join(commands, "\n", func(c engine.Command) string { return cursor.Clock(c.At) + " " + c.Line() })
}

// branchesList draws the branches with their names and figures, and below them the runs of other texts.
func (p *Panels) branchesList() app.UI {
	l := p.s.Lang()
	branches, others := p.branches()
	part := func(title lang.Message, items []branchItem, row func(i *branchItem) app.UI) app.UI {
		return app.Elem("div").Hidden(len(items) == 0).Body(
			app.Elem("h3").Text(l.Say(title)),
			app.Elem("ol").Class("list").Body(parts.EachOf(items, row)),
		)
	}
	return app.Elem("section").Class("forks").DataSet("act", "forks").Aria("label", l.Say("branches")).Body(
		part("branches", branches, func(i *branchItem) app.UI { return &branchRow{Lang: l, Item: *i} }),
		part("forks", others, func(i *branchItem) app.UI { return otherRow(l, i) }),
	)
}

// branchRow is a branch of the present run.
type branchRow struct {
	app.Compo

	Lang lang.Lang
	Item branchItem
}

// Render draws its name, its figures, what differs, and its actions.
func (r *branchRow) Render() app.UI {
	i, say := &r.Item, r.Lang.Say
	present := i.Index < 0
	return app.Elem("li").Class("branch-row").DataSet("act", "branch-row").DataSet("id", strconv.Itoa(i.ID)).Body(
		app.Elem("div").Class("branch-head").Body(
			app.ElemSelfClosing("input").Class("branch-name").Attr("type", "text").Attr("maxlength", 40).DataSet("act", "branch-name").
				Aria("label", say("branch-name")).Attr("placeholder", i.Title).Attr("value", i.Name).Spellcheck(false).Attr("autocomplete", false).OnChange(r.onName),
			app.Elem("span").Class("branch-figures").DataSet("act", "branch-figures").Text(i.Figures),
			app.Elem("span").Class("branch-shown").Hidden(!present).Text(say("branch-shown")),
			&parts.Button{Act: "fork-row", Class: "button", Text: say("branch-switch"), Title: say("fork-switch"), Off: present, Do: act.Branch, Value: i.ID},
			&parts.Button{Act: "branch-row-compare", Class: "button", Text: say("branch-compare"), Title: say("branch-compare-is"), Off: present,
				Attributes: parts.Attributes{Pressed: strconv.FormatBool(i.Compare)}, Do: act.Compare, Value: i.ID},
			&parts.Button{Act: "branch-delete", Class: "button", Text: say("branch-delete"), Title: say("branch-delete"), Off: present,
				Do: act.BranchDelete, Value: i.ID},
		),
		app.Elem("div").Class("branch-body").Body(parts.Draw(append([]parts.Span{{Class: "row-answer", Text: i.Begins}}, i.differs(r.Lang)...)...)...),
	)
}

func (r *branchRow) onName(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.BranchName, strconv.Itoa(r.Item.ID)+" "+browser.InputValue(ctx))
}

// otherRow is the run of another text, with what differs and how far it got. A click shows it.
func otherRow(l lang.Lang, i *branchItem) app.UI {
	var main []parts.Span
	if i.Text != "" {
		main = append(main, parts.Span{Class: "row-text", Text: l.Say("fork-text", i.Text)})
	}
	main = append(append(main, i.differs(l)...), parts.Span{Class: "row-answer", Text: i.Ended})
	return parts.Item(&parts.Button{Act: "fork-row", Class: "list-row fork", Title: l.Say("fork-switch"), Attributes: parts.Attributes{Set: map[string]any{"index": i.Index}},
		Do: act.Branch, Value: i.ID, Spans: []parts.Span{{Class: "row-main", Parts: main}}})
}

// differs are the commands that only this run has, and those that only the present one has.
func (i *branchItem) differs(l lang.Lang) (all []parts.Span) {
	for _, part := range []struct {
		word  lang.Message
		lines string
	}{{"fork-with", i.Has}, {"fork-without", i.Lacks}} {
		if part.lines == "" {
			continue
		}
		for _, line := range strings.Split(part.lines, "\n") {
			all = append(all, parts.Span{Class: "fork-line", Parts: []parts.Span{{Class: "fork-word", Text: l.Say(part.word) + " "}, {Tag: "code", Text: line}}})
		}
	}
	return all
}

// timelineItem is one command.
type timelineItem struct {
	T      int64
	Line   string
	Answer string
	Failed bool
	Past   bool
	Index  int // in the recording's commands; -1 for a command of the scenario
}

func (p *Panels) timelineItems() []timelineItem {
	s := p.s
	if s.Run() == nil {
		return nil
	}
	var items []timelineItem
	add := func(c engine.Command, index int) {
		items = append(items, timelineItem{T: c.At, Line: c.Line(), Past: c.At <= s.Cursor.T, Index: index})
	}
	for _, c := range s.Run().Scenario().Timeline {
		add(c, -1)
	}
	for i, c := range s.Run().Recording().Commands {
		add(c, i)
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].T < items[j].T })
	// The first input of a run applies the scenario; the others are its commands, in the order of the items.
	for n, i := range s.Reading.Index().Inputs {
		if n > 0 {
			r := s.Run().Record(i)
			items[n-1].Answer, items[n-1].Failed = r.What, r.Failed
		}
	}
	return items
}

// timelineList lists the commands of the run: those of the scenario, and those of the person, which can be removed.
func (p *Panels) timelineList() app.UI {
	items := p.timelineItems()
	if len(items) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "timeline").Text(p.s.Lang().Say("timeline-none"))
	}
	return app.Elem("ol").Class("list").DataSet("act", "timeline").Body(parts.EachOf(items, func(i *timelineItem) app.UI {
		return app.Elem("li").Class("timeline-item").Body(i.row(), i.origin(p.s.Lang()))
	}))
}

// row is the command with its answer; a click moves the cursor there.
func (i *timelineItem) row() app.UI {
	class, answer := parts.Marked("list-row input", "future", !i.Past), parts.Marked("row-answer", "bad", i.Failed)
	return &parts.Button{Act: "timeline-row", Class: class, Do: act.Seek, Value: i.T, Data: "t", Spans: []parts.Span{
		{Class: "row-time", Text: cursor.Clock(i.T)},
		{Class: "row-main", Parts: []parts.Span{{Tag: "code", Class: "row-text", Text: i.Line}, {Class: answer, Text: i.Answer}}},
	}}
}

// origin removes a command of the person, and names the scenario's.
func (i *timelineItem) origin(l lang.Lang) app.UI {
	if i.Index < 0 {
		return app.Elem("span").Class("from-text").Title(l.Say("from-text-means")).Text(l.Say("from-text"))
	}
	return &parts.Button{Act: "remove-command", Class: "tool", Glyph: "close", Title: l.Say("command-remove"), Label: l.Say("command-take", i.Line),
		Do: act.Remove, Value: i.Index, Data: "index"}
}
