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
	Waiting    []queueChip // until a moment
	Queued     []queueChip
	Processing []queueChip
	Others     []queueChip // that only have a mark
	Counters   string
	Reconciles []queueSync // the last ones, newest first
}

// queueChip is a key with its marks.
type queueChip struct {
	Key    string
	Text   string // its name; the controller says its kind
	Marks  string
	Failed bool
}

// queueSync is a reconcile that is over, or under way.
type queueSync struct {
	Index              int
	Time, Key, By, Did string
	Failed, Now        bool
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
	place := func(keys []past.QueueKey) []queueChip {
		var chips []queueChip
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

// chipOf describes a key with its marks.
func chipOf(l lang.Lang, k past.QueueKey, now int64) queueChip {
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
	return queueChip{Key: k.Key, Text: command.Name(k.Key), Failed: k.Failures > 0, Marks: strings.Join(marks, " · ")}
}

// countdown writes a duration, rounded up to whole seconds from one second on, because the page is not drawn more
// often.
func countdown(l lang.Lang, ms int64) string {
	if ms < cursor.Second {
		return l.Say("n-ms", max(ms, 0))
	}
	return l.Say("n-s", (ms+cursor.Second-1)/cursor.Second)
}

// lastSyncs lists the last reconciles of a controller at or before the cursor.
func lastSyncs(s *session.Session, v *past.QueueView) []queueSync {
	all := s.Reading.Index().Reconciles[v.Controller]
	n := cursor.Upto(all, s.Cursor.Record)
	var out []queueSync
	for k := n - 1; k >= max(0, n-syncsOf); k-- {
		i := all[k]
		r, sync := s.Run().Record(i), s.Run().Past().Sync(i)
		q := queueSync{Index: i, Time: cursor.Clock(r.T), Key: command.Name(r.Object), Did: s.Lang().Engine(r.What), Failed: r.Failed}
		q.Now = k == n-1 && len(v.Processing) > 0
		if len(sync.Wakes) > 0 {
			q.By = s.Lang().Engine(verbFirst(session.WakeText(sync.Wakes[0])))
		}
		if sync.Woken > 1 {
			q.By = s.Lang().Say("and-more-behind", q.By, sync.Woken-1)
		}
		out = append(out, q)
	}
	return out
}

// verbFirst puts what happened before its object, because a narrow column cuts names at their end.
func verbFirst(text string) string {
	if object, change, ok := strings.Cut(text, " was "); ok && strings.Contains(object, "/") {
		return change + " " + object
	}
	return text
}

// queuesPanel is the tab of the work queues.
func (p *Panels) queuesPanel() app.UI {
	l, queues := p.s.Lang(), p.queues()
	if len(queues) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "queues").Text(l.Say("records-none"))
	}
	return app.Elem("div").Class("queues").DataSet("act", "queues").Body(
		app.Range(queues).Slice(func(i int) app.UI { return queues[i].view(l) }),
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
		app.Elem("ol").Class("queue-syncs").Body(app.Range(q.Reconciles).Slice(func(i int) app.UI { return q.Reconciles[i].row(l) })),
	)
}

// stage is one place where keys wait.
func stage(l lang.Lang, name string, title lang.Message, chips []queueChip) app.UI {
	shown := chips[:min(len(chips), chipsMax)]
	return app.Elem("div").Class("queue-stage "+name).DataSet("stage", name).Body(
		app.Elem("span").Class("queue-stage-title").Text(l.Say(title)),
		app.Elem("ul").Class("queue-chips").Body(
			app.Range(shown).Slice(func(i int) app.UI { return shown[i].view(l) }),
			parts.When(len(chips) > len(shown), app.Elem("li").Class("why-more").Text(l.Say("and-more", len(chips)-len(shown)))),
		),
	)
}

// view draws the key with its marks. A click leads to the last write of its object.
func (c *queueChip) view(l lang.Lang) app.UI {
	class, spans := parts.Marked("queue-key", "failed", c.Failed), []parts.Span{{Class: "queue-key-text", Text: c.Text}}
	if c.Marks != "" {
		spans = append(spans, parts.Span{Class: "queue-marks", Text: c.Marks})
	}
	return parts.Item(&parts.Button{Act: "queue-key", Class: class, Title: l.Say("last-write", c.Text), Do: act.Object, Value: c.Key, Data: "key", Spans: spans})
}

// row draws the key, what woke it and the result. A click leads to the reconcile.
func (s *queueSync) row(l lang.Lang) app.UI {
	class := parts.Marked(parts.Marked("queue-sync", "failed", s.Failed), "now", s.Now)
	return parts.Item(&parts.Button{Act: "queue-sync", Class: class, Do: act.Record, Value: s.Index, Data: "index", Spans: []parts.Span{
		{Class: "row-time", Text: s.Time},
		{Class: "queue-key-text", Text: s.Key},
		{Class: "queue-by", Title: l.Say("woken-by", s.By), Text: s.By},
		{Class: "queue-did", Title: s.Did, Text: s.Did},
	}})
}
