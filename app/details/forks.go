package details

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// forksList shows the branches of the present run with their names and figures, and below them the runs of other texts. Each has
// the commands that only it has, and those that only the present one has.
type forksList struct {
	app.Compo

	Lang     lang.Lang
	Branches []forkItem // with the present one; empty if it is alone
	Others   []forkItem
}

// forkItem is one of them.
type forkItem struct {
	Index   int // among the forks, -1 for the present recording
	ID      int
	Name    string // that a person gave it
	Title   string // what it is called otherwise
	From    string // where it parts
	Figures string
	Compare bool   // its figures stand beside those of the present one
	Text    string // what its scenario is called, if it is another one
	Has     string // commands that only it has, one a line
	Lacks   string // commands that only the present recording has
	Ended   string
}

func (p *Panels) forksList() app.UI {
	l := &forksList{Lang: p.s.Lang()}
	known := map[int]bool{}
	if all := p.s.Branches.Rows(); len(all) > 1 {
		for i := range all {
			known[all[i].Index] = true
			l.Branches = append(l.Branches, p.branchItem(&all[i]))
		}
	}
	for i := range p.s.Branches.List() {
		if !known[i] {
			l.Others = append(l.Others, forkItemOf(p.s, i))
		}
	}
	return l
}

func (p *Panels) branchItem(b *session.BranchRow) forkItem {
	item := forkItem{Index: -1}
	score := b.Score
	if b.Index >= 0 {
		item = forkItemOf(p.s, b.Index)
	} else if run := p.s.Run(); run != nil && run.Done() {
		score = p.s.Reading.ScoreOf(run)
	}
	say := p.s.Lang().Say
	item.ID, item.Name, item.Title, item.Compare = b.ID, b.Name, b.Title, b.Compare
	item.From = say("branch-start")
	if b.From > 0 {
		item.From = say("branch-at", cursor.Clock(b.From))
	}
	item.Figures = figuresOf(p.s.Lang(), &score)
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

func forkItemOf(s *session.Session, i int) forkItem {
	f := &s.Branches.List()[i]
	item := forkItem{
		Index: i, ID: f.ID, Ended: recordCount(s.Lang(), f.Records, f.End, "one-record-far", "n-records-far"),
		Has: commandLines(session.OnlyIn(f.Rec.Commands, s.Recording().Commands)), Lacks: commandLines(session.OnlyIn(s.Recording().Commands, f.Rec.Commands)),
	}
	if f.Done {
		item.Ended = recordCount(s.Lang(), f.Records, f.End, "one-record-to", "n-records-to")
	}
	if f.Rec.Scenario != s.Recording().Scenario {
		item.Text = s.Lang().Say("fork-own")
		if f.Preset != "" {
			item.Text = session.Title(s.Lang(), f.Preset)
		}
	}
	return item
}

// recordCount writes how many records a run has, and until when.
func recordCount(l lang.Lang, n int, end int64, one, many lang.Message) string {
	if n == 1 {
		return l.Say(one, cursor.Clock(end))
	}
	return l.Say(many, n, cursor.Clock(end))
}

// commandLines writes commands with their times, one a line.
func commandLines(commands []engine.Command) string {
	var lines []string
	for i := range commands {
		lines = append(lines, cursor.Clock(commands[i].At)+" "+commands[i].Line())
	}
	return strings.Join(lines, "\n")
}

// Render draws both lists.
func (l *forksList) Render() app.UI {
	return app.Elem("section").Class("forks").DataSet("act", "forks").Aria("label", l.Lang.Say("branches")).Body(
		l.part("branches", l.Branches, func(i int) app.UI { return &branchRow{Lang: l.Lang, Item: l.Branches[i]} }),
		l.part("forks", l.Others, func(i int) app.UI { return &forkRow{Lang: l.Lang, Item: l.Others[i]} }),
	)
}

func (l *forksList) part(title lang.Message, rows []forkItem, row func(i int) app.UI) app.UI {
	return app.Elem("div").Hidden(len(rows) == 0).Body(
		app.Elem("h3").Text(l.Lang.Say(title)),
		app.Elem("ol").Class("list").Body(app.Range(rows).Slice(row)),
	)
}

// branchRow is a branch of the present run.
type branchRow struct {
	app.Compo

	Lang lang.Lang
	Item forkItem
}

// Render draws its name, its figures, what differs, and what one can do with it.
func (r *branchRow) Render() app.UI {
	i, say := r.Item, r.Lang.Say
	present := i.Index < 0
	return app.Elem("li").Class("branch-row").DataSet("act", "branch-row").DataSet("id", strconv.Itoa(i.ID)).Body(
		app.Elem("div").Class("branch-head").Body(
			app.ElemSelfClosing("input").Class("branch-name").Attr("type", "text").Attr("maxlength", 40).DataSet("act", "branch-name").Aria("label", say("branch-name")).
				Attr("placeholder", i.Title).Attr("value", i.Name).Spellcheck(false).Attr("autocomplete", false).OnChange(r.onName),
			app.Elem("span").Class("branch-figures").DataSet("act", "branch-figures").Text(i.Figures),
			app.Elem("span").Class("branch-shown").Hidden(!present).Text(say("branch-shown")),
			r.button("fork-row", "branch-switch", say("fork-switch"), act.Branch, present),
			&parts.Button{Act: "branch-row-compare", Class: "button", Text: say("branch-compare"), Title: say("branch-compare-is"), Off: present,
				Pressed: strconv.FormatBool(i.Compare), Do: act.Compare, Value: i.ID},
			r.button("branch-delete", "branch-delete", say("branch-delete"), act.BranchDelete, present),
		),
		app.Elem("div").Class("branch-body").Body(append([]app.UI{app.Elem("span").Class("row-answer").Text(i.From)}, r.differs()...)...),
	)
}

func (r *branchRow) button(name string, label lang.Message, title, do string, off bool) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: r.Lang.Say(label), Title: title, Off: off, Do: do, Value: r.Item.ID}
}

func (r *branchRow) differs() []app.UI {
	return append(forkLines(r.Lang.Say("fork-with"), r.Item.Has), forkLines(r.Lang.Say("fork-without"), r.Item.Lacks)...)
}

func (r *branchRow) onName(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.BranchName, strconv.Itoa(r.Item.ID)+" "+browser.InputValue(ctx))
}

// forkRow is a run of another text, a button as a whole.
type forkRow struct {
	app.Compo

	Lang lang.Lang
	Item forkItem
}

// Render draws what differs, and how far the run got.
func (r *forkRow) Render() app.UI {
	i := r.Item
	var parts []app.UI
	if i.Text != "" {
		parts = append(parts, app.Elem("span").Class("row-text").Text(r.Lang.Say("fork-text", i.Text)))
	}
	parts = append(parts, forkLines(r.Lang.Say("fork-with"), i.Has)...)
	parts = append(parts, forkLines(r.Lang.Say("fork-without"), i.Lacks)...)
	parts = append(parts, app.Elem("span").Class("row-answer").Text(i.Ended))
	return app.Elem("li").Body(
		app.Elem("button").Class("list-row fork").Attr("type", "button").DataSet("act", "fork-row").DataSet("index", strconv.Itoa(i.Index)).
			Title(r.Lang.Say("fork-switch")).OnClick(r.onSwitch).Body(app.Elem("span").Class("row-main").Body(parts...)),
	)
}

func forkLines(word, lines string) []app.UI {
	if lines == "" {
		return nil
	}
	var all []app.UI
	for _, line := range strings.Split(lines, "\n") {
		all = append(all, app.Elem("span").Class("fork-line").Body(app.Elem("span").Class("fork-word").Text(word+" "), app.Elem("code").Text(line)))
	}
	return all
}

func (r *forkRow) onSwitch(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Branch, r.Item.ID)
}
