package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// forksList shows the recordings that the session has left, each with what it has and the present one has not, and the
// other way round. A click switches to it.
type forksList struct {
	app.Compo

	Lang lang
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

func (p *detailPanels) forksList() app.UI {
	l := &forksList{Lang: p.s.lang}
	for i := range p.s.forks {
		l.Rows = append(l.Rows, forkItemOf(p.s, i))
	}
	return l
}

func forkItemOf(s *session, i int) forkItem {
	f := &s.forks[i]
	item := forkItem{
		Index: i, Ended: recordCount(s.lang, f.records, f.end, "one-record-far", "n-records-far"),
		Has: commandLines(onlyIn(f.rec.Commands, s.rec.Commands)), Lacks: commandLines(onlyIn(s.rec.Commands, f.rec.Commands)),
	}
	if f.done {
		item.Ended = recordCount(s.lang, f.records, f.end, "one-record-to", "n-records-to")
	}
	if f.rec.Scenario != s.rec.Scenario {
		item.Text = s.lang.say("fork-own")
		if f.preset != "" {
			item.Text = title(s.lang, f.preset)
		}
	}
	return item
}

// recordCount says how many records a run has, and up to when.
func recordCount(l lang, n int, end int64, one, many message) string {
	if n == 1 {
		return l.say(one, clock(end))
	}
	return l.say(many, n, clock(end))
}

// commandLines writes commands with their times, one a line.
func commandLines(commands []engine.Command) string {
	var lines []string
	for i := range commands {
		lines = append(lines, clock(commands[i].At)+" "+commands[i].Line())
	}
	return strings.Join(lines, "\n")
}

// Render draws the list.
func (l *forksList) Render() app.UI {
	if len(l.Rows) == 0 {
		return app.Elem("section").Class("forks").DataSet("act", "forks")
	}
	return app.Elem("section").Class("forks").DataSet("act", "forks").Aria("labelledby", "forks-title").Body(
		app.Elem("h3").ID("forks-title").Text(l.Lang.say("forks")),
		app.Elem("ol").Class("list").Body(
			app.Range(l.Rows).Slice(func(i int) app.UI { return &forkRow{Lang: l.Lang, Item: l.Rows[i]} }),
		),
	)
}

// forkRow is one recording, a button as a whole.
type forkRow struct {
	app.Compo

	Lang lang
	Item forkItem
}

// Render draws what differs, and how far the run got.
func (r *forkRow) Render() app.UI {
	i := r.Item
	var parts []app.UI
	if i.Text != "" {
		parts = append(parts, app.Elem("span").Class("row-text").Text(r.Lang.say("fork-text", i.Text)))
	}
	parts = append(parts, forkLines(r.Lang.say("fork-with"), i.Has)...)
	parts = append(parts, forkLines(r.Lang.say("fork-without"), i.Lacks)...)
	parts = append(parts, app.Elem("span").Class("row-answer").Text(i.Ended))
	return app.Elem("li").Body(
		app.Elem("button").Class("list-row fork").Attr("type", "button").DataSet("act", "fork-row").DataSet("index", strconv.Itoa(i.Index)).
			Title(r.Lang.say("fork-switch")).OnClick(r.onSwitch).Body(app.Elem("span").Class("row-main").Body(parts...)),
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
	ctx.NewActionWithValue(actFork, r.Item.Index)
}
