package details

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// forksList shows the recordings that the session has left, each with the commands that only it has, and
// those that only the present one has. A click switches to it.
type forksList struct {
	app.Compo

	Lang lang.Lang
	Rows []forkItem
}

// forkItem is one of them.
type forkItem struct {
	Index int
	Text  string // what its scenario is called, if it is another one
	Has   string // commands that only it has, one a line
	Lacks string // commands that only the present recording has
	Ended string
}

func (p *Panels) forksList() app.UI {
	l := &forksList{Lang: p.s.Lang()}
	for i := range p.s.Forks() {
		l.Rows = append(l.Rows, forkItemOf(p.s, i))
	}
	return l
}

func forkItemOf(s *session.Session, i int) forkItem {
	f := &s.Forks()[i]
	item := forkItem{
		Index: i, Ended: recordCount(s.Lang(), f.Records, f.End, "one-record-far", "n-records-far"),
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

// Render draws the list.
func (l *forksList) Render() app.UI {
	if len(l.Rows) == 0 {
		return app.Elem("section").Class("forks").DataSet("act", "forks")
	}
	return app.Elem("section").Class("forks").DataSet("act", "forks").Aria("labelledby", "forks-title").Body(
		app.Elem("h3").ID("forks-title").Text(l.Lang.Say("forks")),
		app.Elem("ol").Class("list").Body(
			app.Range(l.Rows).Slice(func(i int) app.UI { return &forkRow{Lang: l.Lang, Item: l.Rows[i]} }),
		),
	)
}

// forkRow is one recording, a button as a whole.
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
	ctx.NewActionWithValue(act.Fork, r.Item.Index)
}
