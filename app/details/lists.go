package details

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// row is a line of the lists of events and decisions.
type row struct {
	parts.Button
	index  int
	inside bool // it belongs to the reconcile whose row is above
}

// listMax bounds the rows of a list to those around the cursor.
const listMax = 60

// list is the rows around the cursor.
type list struct {
	rows  []row
	total int
}

func (p *Panels) eventsList() app.UI {
	l := p.fill("event-row", p.s.Reading.Index().Events)
	return p.draw(&l, "events", "events-none")
}

// logList is events and decisions together, in the order in which they happened.
func (p *Panels) logList() app.UI {
	events, records := p.s.Reading.Index().Events, p.s.Reading.Index().Records(p.Idle)
	l := p.fill("log-row", around(events, records, p.s.Cursor.Record))
	l.total = len(events) + len(records)
	l.group(p.s.Run())
	return p.draw(&l, "log", "records-none")
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
	l := p.records()
	return p.draw(&l, "records", "records-none")
}

func (p *Panels) records() list {
	l := p.fill("record-row", p.s.Reading.Index().Records(p.Idle))
	l.group(p.s.Run())
	return l
}

// fill takes the rows around the cursor.
func (p *Panels) fill(name string, records []int) list {
	l := list{total: len(records)}
	p.follows = true
	here := cursor.Upto(records, p.s.Cursor.Record)
	from, to := cursor.Window(len(records), here, listMax)
	for k := from; k < to; k++ {
		r := rowOf(p.s.Lang(), p.s.Run().Record(records[k]), records[k], p.s.Cursor.Place)
		r.Act, r.Current = name, k == here-1
		l.rows = append(l.rows, r)
	}
	return l
}

// group marks the rows that belong to the reconcile above them.
func (l *list) group(run *engine.Run) {
	last := -1
	for k := range l.rows {
		r := &l.rows[k]
		if k == 0 {
			if s := run.Past().SyncOf(r.index); s >= 0 {
				last = run.Past().Sync(s).Last
			}
		}
		if run.Past().IsSync(r.index) {
			last = run.Past().Sync(r.index).Last
			continue
		}
		r.inside = r.index <= last
	}
}

// rowOf is the row of a record; a click moves the cursor there.
func rowOf(l lang.Lang, r engine.Record, i int, at cursor.Place) row {
	kind, source, text := "write", r.Actor, r.What
	if r.Kind != engine.Input && r.Kind != engine.Output { // kubectl's own output is not translated
		text = l.Engine(r.What)
	}
	switch r.Kind {
	case engine.Event:
		kind, source, text = "event", r.Reason, r.Message
	case engine.Input:
		kind, text = "input", strings.TrimSpace(r.Command+" → "+r.What)
	case engine.Output:
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
	return row{index: i, Button: parts.Button{
		Class: class, Do: act.Record, Value: i, Data: "index", Attributes: parts.Attributes{Set: map[string]any{"t": r.T}},
		Spans: []parts.Span{{Class: "row-time", Text: cursor.Clock(r.T)}, {Class: "row-source", Text: source}, {Class: "row-main", Parts: main}},
	}}
}

// draw draws the rows.
func (p *Panels) draw(l *list, name string, none lang.Message) app.UI {
	say := p.s.Lang().Say
	if len(l.rows) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", name).Text(say(none))
	}
	return app.Elem("div").Class("list-box").Body(
		parts.When(name != "events", &parts.Check{Act: "idle", Class: "idle-switch", Text: say("with-idle"), On: p.Idle, Do: act.Idle}),
		app.Elem("ol").Class("list").DataSet("act", name).Body(app.Range(l.rows).Slice(func(i int) app.UI {
			r := &l.rows[i]
			r.Class = parts.Marked(r.Class, "inside", r.inside)
			return parts.Item(&r.Button)
		})),
		parts.When(l.total > len(l.rows), app.Elem("p").Class("list-note").Text(say("list-part", len(l.rows), l.total))),
	)
}
