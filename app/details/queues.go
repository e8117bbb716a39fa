package details

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/past"
)

// workQueue is the queue of one controller at the cursor.
type workQueue struct {
	Controller string
	Waiting    []parts.Button // keys, until a moment
	Queued     []parts.Button
	Processing []parts.Button
	Others     []parts.Button // that only have a mark
	Counters   string
	Reconciles []parts.Button // the last ones, newest first
}

// Bounds of what a queue shows.
const (
	chipsMax = 12
	syncsOf  = 4
)

// queues are the work queues at the cursor, one for each controller (H-11).
func (p *Panels) queues() (all []workQueue) {
	s := p.s
	if s.Run() == nil || s.Cursor.Record >= s.Run().Len() {
		return nil
	}
	for _, v := range s.Run().Past().QueuesAt(s.Cursor.Record, s.Cursor.T) {
		all = append(all, queueOf(s, &v))
	}
	return all
}

// queueOf sorts the keys of a queue into what is drawn.
func queueOf(s *session.Session, v *past.QueueView) workQueue {
	l := workQueue{Controller: v.Controller, Reconciles: lastSyncs(s, v)}
	in := s.Lang()
	l.Counters = in.Say("queue-counters", in.Count(v.Added, "one-addition", "n-additions"), v.Coalesced,
		in.Count(v.Synced, "one-reconcile", "n-reconciles"), v.Failed)
	placed := map[string]bool{}
	place := func(keys []past.QueueKey) (chips []parts.Button) {
		for _, k := range keys {
			if !placed[k.Key] {
				chips = append(chips, chipOf(in, k, s.Cursor.T))
			}
			placed[k.Key] = true
		}
		return chips
	}
	l.Processing = place(v.Processing)
	l.Queued = place(v.Queued)
	l.Waiting = place(v.Delayed)
	l.Others = append(place(v.Retries), place(v.Expectations)...)
	return l
}

// chipOf is the name of a key with its marks; the controller says its kind. A click leads to the last write of its object.
func chipOf(l lang.Lang, k past.QueueKey, now int64) parts.Button {
	var marks []string
	mark := func(is bool, key lang.Message, args ...any) {
		if is {
			marks = append(marks, l.Say(key, args...))
		}
	}
	mark(k.Delayed, "chip-in", countdown(l, k.Due-now))
	mark(k.Dirty, "chip-dirty")
	mark(k.Additions > 1, "chip-added", k.Additions)
	mark(k.Failures > 0, "chip-retry", k.Failures)
	mark(k.Creations+k.Deletions > 0, "chip-expects", k.Creations, k.Deletions)
	name := command.Name(k.Key)
	spans := []parts.Span{{Class: "queue-key-text", Text: name}}
	if len(marks) > 0 {
		spans = append(spans, parts.Span{Class: "queue-marks", Text: strings.Join(marks, " · ")})
	}
	return parts.Button{Act: "queue-key", Class: parts.Marked("queue-key", "failed", k.Failures > 0), Title: l.Say("last-write", name),
		Do: act.Object, Value: k.Key, Data: "key", Spans: spans}
}

// countdown writes a duration, rounded up to whole seconds from one second on, because the page is not drawn more
// often.
func countdown(l lang.Lang, ms int64) string {
	if ms < cursor.Second {
		return l.Say("n-ms", max(ms, 0))
	}
	return l.Say("n-s", (ms+cursor.Second-1)/cursor.Second)
}

// lastSyncs lists the last reconciles of a controller at or before the cursor: the key, what woke it and the result.
func lastSyncs(s *session.Session, v *past.QueueView) (rows []parts.Button) {
	l, all := s.Lang(), s.Reading.Index().Reconciles[v.Controller]
	n := cursor.Upto(all, s.Cursor.Record)
	for k := n - 1; k >= max(0, n-syncsOf); k-- {
		i := all[k]
		r, sync, by := s.Run().Record(i), s.Run().Past().Sync(i), ""
		if len(sync.Wakes) > 0 {
			by = l.Engine(verbFirst(session.WakeText(sync.Wakes[0])))
		}
		if sync.Woken > 1 {
			by = l.Say("and-more-behind", by, sync.Woken-1)
		}
		did, now := l.Engine(r.What), k == n-1 && len(v.Processing) > 0
		class := parts.Marked(parts.Marked("queue-sync", "failed", r.Failed), "now", now)
		rows = append(rows, parts.Button{Act: "queue-sync", Class: class, Do: act.Record, Value: i, Data: "index", Spans: []parts.Span{
			{Class: "row-time", Text: cursor.Clock(r.T)},
			{Class: "queue-key-text", Text: command.Name(r.Object)},
			{Class: "queue-by", Title: l.Say("woken-by", by), Text: by},
			{Class: "queue-did", Title: did, Text: did},
		}})
	}
	return rows
}

// verbFirst puts what happened before its object, because a narrow column cuts names at their end.
func verbFirst(text string) string {
	if object, change, ok := strings.Cut(text, " was "); ok && strings.Contains(object, "/") {
		return change + " " + object
	}
	return text
}

func (p *Panels) queuesPanel() app.UI {
	l, queues := p.s.Lang(), p.queues()
	if len(queues) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "queues").Text(l.Say("records-none"))
	}
	return app.Elem("div").Class("queues").DataSet("act", "queues").Body(
		parts.EachOf(queues, func(q *workQueue) app.UI { return q.view(l) }),
		app.Elem("p").Class("list-note").Text(l.Say("queue-note")),
	)
}

// view draws where the keys wait, from left to right, and the last reconciles.
func (q *workQueue) view(l lang.Lang) app.UI {
	return app.Elem("section").Class("queue-lane").DataSet("act", "queue-lane").DataSet("controller", q.Controller).Aria("label", q.Controller).Body(
		app.Elem("h3").Class("queue-title").Text(q.Controller),
		app.Elem("div").Class("queue-stages").Body(
			stage(l, "waiting", "queue-waiting", q.Waiting),
			stage(l, "queued", "queue-queued", q.Queued),
			stage(l, "processing", "queue-processing", q.Processing),
		),
		parts.When(len(q.Others) > 0, stage(l, "others", "queue-others", q.Others)),
		app.Elem("p").Class("queue-counters").Text(q.Counters),
		app.Elem("ol").Class("queue-syncs").Body(parts.EachOf(q.Reconciles, parts.Item)),
	)
}

// stage is one place where keys wait.
func stage(l lang.Lang, name string, title lang.Message, chips []parts.Button) app.UI {
	shown := chips[:min(len(chips), chipsMax)]
	return app.Elem("div").Class("queue-stage "+name).DataSet("stage", name).Body(
		app.Elem("span").Class("queue-stage-title").Text(l.Say(title)),
		app.Elem("ul").Class("queue-chips").Body(
			parts.EachOf(shown, parts.Item),
			parts.When(len(chips) > len(shown), app.Elem("li").Class("why-more").Text(l.Say("and-more", len(chips)-len(shown)))),
		),
	)
}
