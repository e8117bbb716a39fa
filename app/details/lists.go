package details

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// listMax bounds the rows of a list to those around the cursor.
const listMax = 60

func (p *Panels) eventsList() app.UI {
	events := p.s.Reading.Index().Events
	return p.list("events", "events-none", p.rows("event-row", events), len(events))
}

// logList is events and decisions together, in the order in which they happened.
func (p *Panels) logList() app.UI {
	events, records := p.s.Reading.Index().Events, p.s.Reading.Index().Records(p.Idle)
	return p.list("log", "records-none", p.rows("log-row", around(events, records, p.s.Cursor.Record)), len(events)+len(records))
}

func (p *Panels) recordsList() app.UI {
	records := p.s.Reading.Index().Records(p.Idle)
	return p.list("records", "records-none", p.rows("record-row", records), len(records))
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

// rows are those around the cursor. A list of events alone has no reconciles to which they could belong.
func (p *Panels) rows(name string, records []int) (rows []parts.Button) {
	p.Follows = true
	here, of := cursor.Upto(records, p.s.Cursor.Record), p.s.Run()
	from, to := cursor.Window(len(records), here, listMax)
	for k := from; k < to; k++ {
		i := records[k]
		row := rowOf(p.s.Lang(), of.Record(i), i, p.s.Cursor.Place)
		sync := of.Past().SyncOf(i)
		row.Act, row.Current = name, k == here-1
		row.Class = parts.Marked(row.Class, "inside", name != "event-row" && sync >= 0 && sync != i)
		rows = append(rows, row)
	}
	return rows
}

// rowOf is the row of a record; a click moves the cursor there.
func rowOf(l lang.Lang, r engine.Record, i int, at cursor.Place) parts.Button {
	kind, source, text := "write", r.Actor, session.What(l, r)
	switch r.Kind {
	case engine.Event:
		kind, source, text = "event", r.Reason, r.Message
	case engine.Input, engine.Output:
		kind = "input"
	case engine.Decision:
		kind = "decision"
	case engine.Reconcile:
		kind = "sync"
	}
	warns := kind == "event" && r.Type == "Warning" || kind == "input" && r.Failed
	class := parts.Marked(parts.Marked("list-row "+kind, "warning", warns), "future", i > at.Record)
	main := []parts.Span{{Class: "row-text", Text: text}}
	if object := command.Short(r.Object); object != "" {
		main = append(main, parts.Span{Class: "row-object", Text: object})
	}
	if r.Why != nil && r.Why.Formula != "" {
		main = append(main, parts.Span{Tag: "code", Class: "row-formula", Text: r.Why.Formula})
	}
	return parts.Button{
		Class: class, Do: act.Record, Value: i, Data: "index", Attributes: parts.Attributes{Set: map[string]any{"t": r.T}},
		Spans: []parts.Span{{Class: "row-time", Text: cursor.Clock(r.T)}, {Class: "row-source", Text: source}, {Class: "row-main", Parts: main}},
	}
}

// list draws the rows, of how many there are in all.
func (p *Panels) list(name string, none lang.Message, rows []parts.Button, total int) app.UI {
	say := p.s.Lang().Say
	if len(rows) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", name).Text(say(none))
	}
	return app.Elem("div").Class("list-box").Body(
		parts.When(name != "events", &parts.Check{Act: "idle", Class: "idle-switch", Text: say("with-idle"), On: p.Idle, Do: act.Idle}),
		app.Elem("ol").Class("list").DataSet("act", name).Body(parts.EachOf(rows, parts.Item)),
		parts.When(total > len(rows), app.Elem("p").Class("list-note").Text(say("list-part", len(rows), total))),
	)
}
