package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// Kubernetes is the version whose rules the engine follows.
const Kubernetes = "v1.37.1"

// whyPanel explains the state of the cluster at the cursor: the decision with its sum, its reconcile and what
// woke it, the fields that were written, and the chain of causes. See session.Reason.
type whyPanel struct {
	app.Compo

	Lang   lang.Lang
	Reason session.Reason
}

func (p *Panels) Why() app.UI { return &whyPanel{Lang: p.s.Lang(), Reason: p.s.Cursor.Why()} }

// Render draws the panel; its height is fixed, so that nothing moves while playing.
func (w *whyPanel) Render() app.UI {
	r, say := &w.Reason, w.Lang.Say
	return app.Elem("section").Class("card why").DataSet("act", "why").Aria("label", say("why")).Body(
		app.Elem("div").Class("why-head").Body(
			app.Elem("h2").Text(say("why")),
			app.Elem("span").Class("why-now").Title(r.Time+" "+r.Actor+" "+r.Object).Body(
				app.Elem("span").Class("why-time").Text(r.Time),
				app.Text(" "+r.Actor+" "),
				app.Elem("span").Class("why-object").Text(r.Object),
			),
			jump("why-prev", "tool", "‹", say("why-prev", r.Actor), r.Prev),
			jump("why-next", "tool", "›", say("why-next", r.Actor), r.Next),
			parts.Maximize(w.Lang, "why"),
		),
		app.Elem("p").Class("why-what").Title(r.What).Text(r.What),
		app.Elem("div").Class("why-rows").TabIndex(0).Role("group").Aria("label", say("why-rows")).Body(
			sums(r.Sums[:min(1, len(r.Sums))]),
			w.reconcile(),
			app.If(len(r.Writes) > 0, w.writes),
			app.If(len(r.Chain) > 0, w.chain),
			app.If(len(r.Sums) > 1, w.others),
		),
	)
}

func sums(rows []session.Sum) app.UI {
	return app.Range(rows).Slice(func(i int) app.UI { return sumLine(&rows[i]) })
}

// others are the sums of what else the same reconcile decided.
func (w *whyPanel) others() app.UI {
	return app.Elem("div").Class("why-part").Body(
		app.Elem("span").Class("why-title").Text(w.Lang.Say("why-also")),
		sums(w.Reason.Sums[1:]),
	)
}

// reconcile says what woke the reconcile and which branch it took.
func (w *whyPanel) reconcile() app.UI {
	r, say := &w.Reason, w.Lang.Say
	return app.If(r.Branch != "", func() app.UI {
		return app.Elem("div").Class("why-part").DataSet("act", "why-sync").Body(
			app.If(r.Woken.Text != "", func() app.UI {
				return app.Elem("p").Class("why-line").Body(
					app.Elem("span").Class("why-title").Text(say("why-woken")+" "),
					jump("why-woken", "why-link", r.Woken.Text, "", r.Woken.Index),
					app.If(r.MoreWoken > 0, func() app.UI { return app.Text(" " + say("and-more", r.MoreWoken)) }),
				)
			}),
			app.Elem("p").Class("why-line").Body(
				app.Elem("span").Class("why-title").Text(say("why-took")+" "),
				jump("why-took", "why-link", r.Branch, "", r.Sync),
			),
			app.If(r.Idle != "", func() app.UI {
				return app.Elem("p").Class("why-line").Body(app.Elem("span").Class("why-title").Text(say("why-idle")+" "), app.Text(r.Idle))
			}),
		)
	})
}

// writes lists what was written, one write with its fields.
func (w *whyPanel) writes() app.UI {
	r := &w.Reason
	return app.Elem("div").Class("why-part").Body(
		app.Elem("span").Class("why-title").Text(w.Lang.Say("why-written")),
		app.Elem("ul").Class("why-writes").Body(
			app.Range(r.Writes).Slice(func(i int) app.UI { return writeLine(&r.Writes[i]) }),
		),
		app.If(r.MoreWrites > 0, func() app.UI {
			return app.Elem("span").Class("why-more").Text(w.Lang.Count(r.MoreWrites, "one-more-write", "n-more-writes"))
		}),
	)
}

// chain is the chain of causes, the first one first.
func (w *whyPanel) chain() app.UI {
	r := &w.Reason
	return app.Elem("div").Class("why-part").Body(
		app.Elem("span").Class("why-title").Text(w.Lang.Say("why-chain")),
		app.Elem("ol").Class("why-chain").DataSet("act", "why-chain").Body(
			app.Range(r.Chain).Slice(func(i int) app.UI { return causeLine(r.Chain[i]) }),
			app.Elem("li").Class("why-here").Aria("current", "true").Text(r.What),
		),
	)
}

// sumLine draws the sum that led to the decision, where the rule stands, and what was done if that is not what the head says.
func sumLine(r *session.Sum) app.UI {
	what := r.What
	if r.Times > 1 {
		what += " ×" + strconv.Itoa(r.Times)
	}
	return app.Elem("div").Class("why-row").Body(
		app.If(what != "", func() app.UI { return jump("why-also", "why-link", what, "", r.Index) }),
		app.If(r.Formula != "", func() app.UI { return app.Elem("code").Class("formula").Text(r.Formula) }),
		app.If(r.Note != "", func() app.UI { return app.Elem("span").Class("why-note muted").Text(r.Note) }),
		app.Elem("span").Class("why-source").Title("Kubernetes "+Kubernetes+", "+r.Upstream).Body(
			app.Elem("span").Class("rule").Text(r.Rule),
			app.Text(" "),
			upstreamLink(r.Upstream),
		),
	)
}

// writeLine draws a write, with the fields that it changed if it is the write on the screen.
func writeLine(w *session.Write) app.UI {
	line := jump("why-write", "why-link", w.Text, w.Text, w.Index)
	if len(w.Fields) == 0 {
		return app.Elem("li").Body(line)
	}
	return app.Elem("li").Class("why-shown").Body(line, app.Elem("ul").Class("why-diff").DataSet("act", "why-diff").Body(
		app.Range(w.Fields).Slice(func(i int) app.UI {
			f := &w.Fields[i]
			return app.Elem("li").Body(
				app.Elem("span").Class("field").Text(f.Path),
				app.If(f.Old != "", func() app.UI { return app.Elem("del").Text("− " + f.Old) }),
				app.If(f.New != "", func() app.UI { return app.Elem("ins").Text("+ " + f.New) }),
			)
		}),
	))
}

// causeLine draws a step of the way to what is shown. A line that stands for several steps leads nowhere.
func causeLine(l session.Ref) app.UI {
	if l.Index < 0 {
		return app.Elem("li").Class("why-more").Text(l.Text)
	}
	return app.Elem("li").Body(jump("why-cause", "why-link", l.Text, l.Text, l.Index))
}

// jump is a button that moves the cursor to a record, disabled if the index is -1. Its title says what the text does not.
func jump(name, class, text, title string, index int) app.UI {
	return &parts.Button{Act: name, Class: class, Text: text, Title: title, Off: index < 0, Do: act.Record, Value: index, Data: "index"}
}
