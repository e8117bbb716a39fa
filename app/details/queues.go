package details

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/past"
)

// queuesPanel is the tab of the work queues, one for each controller (H-11).
type queuesPanel struct {
	app.Compo

	Lang   lang.Lang
	Queues []workQueue
}

// workQueue is the queue of one controller at the cursor.
type workQueue struct {
	Controller string
	Waiting    []queueChip // until a moment
	Queued     []queueChip
	Processing []queueChip // one or none
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

func (p *Panels) queuesPanel() app.UI {
	s := p.s
	if s.Run() == nil || s.Cursor.Record >= s.Run().Len() {
		return &queuesPanel{Lang: s.Lang()}
	}
	q := &queuesPanel{Lang: s.Lang()}
	for _, v := range s.Run().Past().QueuesAt(s.Cursor.Record, s.Cursor.T) {
		q.Queues = append(q.Queues, queueOf(s, &v))
	}
	return q
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
	if v.Processing.Key != "" {
		l.Processing = place([]past.QueueKey{v.Processing})
	}
	l.Queued = place(v.Queued)
	l.Waiting = place(v.Delayed)
	l.Others = append(place(v.Retries), place(v.Expectations)...)
	return l
}

// chipOf describes a key with its marks.
func chipOf(l lang.Lang, k past.QueueKey, now int64) queueChip {
	c := queueChip{Key: k.Key, Text: command.Name(k.Key), Failed: k.Failures > 0}
	mark := func(text string) {
		if c.Marks != "" {
			c.Marks += " · "
		}
		c.Marks += text
	}
	if k.Delayed {
		mark(l.Say("chip-in", countdown(l, k.Due-now)))
	}
	if k.Dirty {
		mark(l.Say("chip-dirty"))
	}
	if k.Additions > 1 {
		mark(l.Say("chip-added", k.Additions))
	}
	if k.Failures > 0 {
		mark(l.Say("chip-retry", k.Failures))
	}
	if k.Creations+k.Deletions > 0 {
		mark(l.Say("chip-expects", k.Creations, k.Deletions))
	}
	return c
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
	all := s.Reading.Index().Reconciles(v.Controller)
	n := cursor.Upto(all, s.Cursor.Record)
	var out []queueSync
	for k := n - 1; k >= max(0, n-syncsOf); k-- {
		i := all[k]
		r, sync := s.Run().Record(i), s.Run().Past().Sync(i)
		q := queueSync{Index: i, Time: cursor.Clock(r.T), Key: command.Name(r.Object), Did: s.Lang().Engine(r.What), Failed: r.Failed}
		q.Now = k == n-1 && v.Processing.Key != ""
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

// Render draws the queues.
func (q *queuesPanel) Render() app.UI {
	if len(q.Queues) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "queues").Text(q.Lang.Say("records-none"))
	}
	return app.Elem("div").Class("queues").DataSet("act", "queues").Body(
		app.Range(q.Queues).Slice(func(i int) app.UI { return &queueBox{Lang: q.Lang, Queue: q.Queues[i]} }),
		app.Elem("p").Class("list-note").Text(q.Lang.Say("queue-note")),
	)
}

// queueBox is one of them.
type queueBox struct {
	app.Compo

	Lang  lang.Lang
	Queue workQueue
}

// Render draws where the keys wait, from left to right, and what became of the last ones.
func (v *queueBox) Render() app.UI {
	l := &v.Queue
	return app.Elem("section").Class("queue-lane").DataSet("act", "queue-lane").DataSet("controller", l.Controller).Aria("label", l.Controller).Body(
		app.Elem("h3").Class("queue-title").Text(l.Controller),
		app.Elem("div").Class("queue-stages").Body(
			stage(v.Lang, "waiting", "queue-waiting", l.Waiting),
			stage(v.Lang, "queued", "queue-queued", l.Queued),
			stage(v.Lang, "processing", "queue-processing", l.Processing),
		),
		app.If(len(l.Others) > 0, func() app.UI { return stage(v.Lang, "others", "queue-others", l.Others) }),
		app.Elem("p").Class("queue-counters").Text(l.Counters),
		app.Elem("ol").Class("queue-syncs").Body(
			app.Range(l.Reconciles).Slice(func(i int) app.UI { return &syncLine{Lang: v.Lang, Sync: l.Reconciles[i]} }),
		),
	)
}

// stage is one place where keys wait.
func stage(l lang.Lang, name string, title lang.Message, chips []queueChip) app.UI {
	shown := chips[:min(len(chips), chipsMax)]
	return app.Elem("div").Class("queue-stage "+name).DataSet("stage", name).Body(
		app.Elem("span").Class("queue-stage-title").Text(l.Say(title)),
		app.Elem("ul").Class("queue-chips").Body(
			app.Range(shown).Slice(func(i int) app.UI { return &chipView{Lang: l, Chip: shown[i]} }),
			app.If(len(chips) > len(shown), func() app.UI {
				return app.Elem("li").Class("why-more").Text(l.Say("and-more", len(chips)-len(shown)))
			}),
		),
	)
}

// chipView is a key, a button that leads to the last write of its object.
type chipView struct {
	app.Compo

	Lang lang.Lang
	Chip queueChip
}

// Render draws the key with its marks.
func (v *chipView) Render() app.UI {
	c := v.Chip
	class := "queue-key"
	if c.Failed {
		class += " failed"
	}
	return app.Elem("li").Body(
		app.Elem("button").Class(class).Attr("type", "button").DataSet("act", "queue-key").DataSet("key", c.Key).
			Title(v.Lang.Say("last-write", c.Text)).OnClick(v.onClick).Body(
			app.Elem("span").Class("queue-key-text").Text(c.Text),
			app.If(c.Marks != "", func() app.UI { return app.Elem("span").Class("queue-marks").Text(c.Marks) }),
		),
	)
}

func (v *chipView) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Object, v.Chip.Key)
}

// syncLine is a reconcile in the list of a queue, a button that leads there.
type syncLine struct {
	app.Compo

	Lang lang.Lang
	Sync queueSync
}

// Render draws the key, what woke it and what came of it.
func (l *syncLine) Render() app.UI {
	s := l.Sync
	class := "queue-sync"
	if s.Failed {
		class += " failed"
	}
	if s.Now {
		class += " now"
	}
	return app.Elem("li").Body(
		app.Elem("button").Class(class).Attr("type", "button").DataSet("act", "queue-sync").DataSet("index", strconv.Itoa(s.Index)).OnClick(l.onClick).Body(
			app.Elem("span").Class("row-time").Text(s.Time),
			app.Elem("span").Class("queue-key-text").Text(s.Key),
			app.Elem("span").Class("queue-by").Title(l.Lang.Say("woken-by", s.By)).Text(s.By),
			app.Elem("span").Class("queue-did").Title(s.Did).Text(s.Did),
		),
	)
}

func (l *syncLine) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Record, l.Sync.Index)
}
