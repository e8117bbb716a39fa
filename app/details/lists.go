package details

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// row is a line of the lists of events and decisions; a click moves the cursor there.
type row struct {
	T       int64
	Index   int
	Kind    string // class: event, warning, decision, write, input, sync
	Source  string
	Text    string
	Object  string
	Formula string
	Inside  bool // it belongs to the reconcile whose row is above
	Past    bool // at or before the cursor
	Current bool
}

// listMax bounds the rows of a list to those around the cursor.
const listMax = 60

// list is a scrolling list of rows.
type list struct {
	app.Compo

	Lang  lang.Lang
	Act   string // events or records
	Rows  []row
	Total int
	Empty string
	Idle  bool // of the records: those too of reconciles that change nothing
}

func (p *Panels) eventsList() app.UI {
	l := &list{Lang: p.s.Lang(), Act: "events", Empty: p.s.Lang().Say("events-none")}
	l.fill(p, p.s.Reading.Index().Events())
	return l
}

// logList is events and decisions together, in the order in which they happened.
func (p *Panels) logList() app.UI {
	l := &list{Lang: p.s.Lang(), Act: "log", Empty: p.s.Lang().Say("records-none"), Idle: p.Idle}
	l.fill(p, around(p.s.Reading.Index().Events(), p.s.Reading.Index().Records(p.Idle), p.s.Cursor.Record))
	l.Total = len(p.s.Reading.Index().Events()) + len(p.s.Reading.Index().Records(p.Idle))
	l.group(p.s.Run())
	return l
}

// around joins what two sorted lists have near a record, in order: as much as a list shows.
func around(a, b []int, here int) []int {
	near := func(list []int) []int {
		from, to := cursor.Window(len(list), cursor.Upto(list, here), 2*listMax)
		return list[from:to]
	}
	all := append(slices.Clone(near(a)), near(b)...)
	slices.Sort(all)
	return all
}

func (p *Panels) recordsList() app.UI {
	l := &list{Lang: p.s.Lang(), Act: "records", Empty: p.s.Lang().Say("records-none"), Idle: p.Idle}
	l.fill(p, p.s.Reading.Index().Records(p.Idle))
	l.group(p.s.Run())
	return l
}

// fill takes the rows around the cursor.
func (l *list) fill(p *Panels, records []int) {
	l.Total = len(records)
	here := cursor.Upto(records, p.s.Cursor.Record)
	from, to := cursor.Window(len(records), here, listMax)
	for k := from; k < to; k++ {
		r := rowOf(p.s.Lang(), p.s.Run().Record(records[k]), records[k], p.s.Cursor.Place)
		r.Current = k == here-1
		l.Rows = append(l.Rows, r)
	}
}

// group marks the rows that belong to the reconcile above them.
func (l *list) group(run *engine.Run) {
	last := -1
	for k := range l.Rows {
		r := &l.Rows[k]
		if k == 0 {
			if s := run.Past().SyncOf(r.Index); s >= 0 {
				last = run.Past().Sync(s).Last
			}
		}
		if run.Past().IsSync(r.Index) {
			last = run.Past().Sync(r.Index).Last
			continue
		}
		r.Inside = r.Index <= last
	}
}

func rowOf(l lang.Lang, r engine.Record, i int, at cursor.Place) row {
	out := row{T: r.T, Index: i, Source: r.Actor, Text: r.What, Object: command.Short(r.Object), Past: i <= at.Record}
	if r.Kind != engine.Input && r.Kind != engine.Output { // what kubectl printed stays
		out.Text = l.Engine(r.What)
	}
	switch r.Kind {
	case engine.Event:
		out.Kind, out.Source = "event", r.Reason
		if r.Type == "Warning" {
			out.Kind = "event warning"
		}
		out.Text = r.Message
	case engine.Input:
		out.Kind, out.Text = "input", strings.TrimSpace(r.Command+" → "+r.What)
		if r.Failed {
			out.Kind = "input warning"
		}
	case engine.Output:
		out.Kind = "input"
		if r.Failed {
			out.Kind = "input warning"
		}
	case engine.Decision:
		out.Kind = "decision"
	case engine.Reconcile:
		out.Kind = "sync"
	default:
		out.Kind = "write"
	}
	if r.Why != nil {
		out.Formula = r.Why.Formula
	}
	return out
}

// Render draws the rows.
func (l *list) Render() app.UI {
	if len(l.Rows) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", l.Act).Text(l.Empty)
	}
	row := strings.TrimSuffix(l.Act, "s") + "-row"
	return app.Elem("div").Class("list-box").Body(
		app.If(l.Act != "events", func() app.UI {
			return &parts.Check{Act: "idle", Class: "idle-switch", Text: l.Lang.Say("with-idle"), On: l.Idle, Do: act.Idle}
		}),
		app.Elem("ol").Class("list").DataSet("act", l.Act).Body(
			app.Range(l.Rows).Slice(func(i int) app.UI { return &listRow{Act: row, Row: l.Rows[i]} }),
		),
		app.If(l.Total > len(l.Rows), func() app.UI {
			return app.Elem("p").Class("list-note").Text(l.Lang.Say("list-part", len(l.Rows), l.Total))
		}),
	)
}

// listRow is one row, a button as a whole.
type listRow struct {
	app.Compo

	Act string
	Row row
}

// Render draws the row.
func (l *listRow) Render() app.UI {
	r := l.Row
	class := "list-row " + r.Kind
	if r.Inside {
		class += " inside"
	}
	if !r.Past {
		class += " future"
	}
	button := app.Elem("button").Class(class).Attr("type", "button").DataSet("act", l.Act).DataSet("t", strconv.FormatInt(r.T, 10)).
		DataSet("index", strconv.Itoa(r.Index)).OnClick(l.onClick)
	if r.Current {
		button = button.Aria("current", "true")
	}
	return app.Elem("li").Body(button.Body(
		app.Elem("span").Class("row-time").Text(cursor.Clock(r.T)),
		app.Elem("span").Class("row-source").Text(r.Source),
		app.Elem("span").Class("row-main").Body(
			app.Elem("span").Class("row-text").Text(r.Text),
			app.If(r.Object != "", func() app.UI { return app.Elem("span").Class("row-object").Text(r.Object) }),
			app.If(r.Formula != "", func() app.UI { return app.Elem("code").Class("row-formula").Text(r.Formula) }),
		),
	))
}

func (l *listRow) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Record, l.Row.Index)
}
