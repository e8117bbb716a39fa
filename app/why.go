package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// whyPanel says why the cluster is as it is at the cursor: what the last reconcile that decided something worked
// out, each decision with its sum, its rule and the place in Kubernetes' source that it follows.
type whyPanel struct {
	app.Compo

	Now  whyRow // the record at the cursor
	Rows []whyRow
}

// whyRow is one record with its sum, if it has one.
type whyRow struct {
	Time, Actor, Object, What     string
	Formula, Rule, Upstream, Note string
	Times                         int // how often in a row
}

func (p *page) whyPanel() app.UI {
	s := p.s
	w := &whyPanel{}
	if s.run == nil || s.cursor.Record < 0 || s.cursor.Record >= s.run.Len() {
		return w
	}
	here := s.run.Record(s.cursor.Record)
	w.Now = whyOf(here)
	if here.Why != nil && !telling(here) {
		w.add(w.Now)
	}
	for _, i := range p.lastTelling() {
		w.add(whyOf(s.run.Record(i)))
	}
	for i := range w.Rows {
		if w.Rows[i].Time == w.Now.Time && w.Rows[i].What == w.Now.What && w.Rows[i].Times == 1 {
			w.Rows[i].What = "" // the head says it
		}
	}
	return w
}

// lastTelling returns the telling records of the last reconcile at or before the cursor that has any.
func (p *page) lastTelling() []int {
	x := p.index.of(p.s.run)
	to := before(x.telling, p.s.cursor.Record)
	if to == 0 {
		return nil
	}
	start := x.telling[to-1]
	for start > 0 && !p.s.run.IsSync(start) {
		start--
	}
	return x.telling[before(x.telling, start-1):to]
}

// add appends a row, or counts it if it says the same as the one before: ten pods are created for one reason.
func (w *whyPanel) add(row whyRow) {
	if n := len(w.Rows); n > 0 {
		last := &w.Rows[n-1]
		if row.Formula == last.Formula && row.Rule == last.Rule && row.What == last.What {
			last.Times++
			last.Object = row.Object
			return
		}
	}
	w.Rows = append(w.Rows, row)
}

func whyOf(r engine.Record) whyRow {
	row := whyRow{Time: clock(r.T), Actor: r.Actor, Object: short(r.Object), What: r.What, Times: 1}
	if r.Kind == engine.Event {
		row.What = strings.TrimPrefix(r.Reason+": "+r.Message, ": ")
	}
	if r.Why != nil {
		row.Formula, row.Rule, row.Upstream, row.Note = r.Why.Formula, r.Why.Rule, r.Why.Upstream, r.Why.Note
	}
	return row
}

// Render draws the panel; its height is fixed, so that nothing moves while playing.
func (w *whyPanel) Render() app.UI {
	return app.Elem("section").Class("card why").DataSet("act", "why").Aria("label", "Why").Body(
		app.Elem("div").Class("why-head").Body(
			app.Elem("h2").Text("Why"),
			app.Elem("span").Class("why-now").Body(
				app.Elem("span").Class("why-time").Text(w.Now.Time),
				app.Text(" "+w.Now.Actor+" "),
				app.Elem("span").Class("why-object").Text(w.Now.Object),
			),
		),
		app.Elem("p").Class("why-what").Title(w.Now.What).Text(w.Now.What),
		app.Elem("ol").Class("why-rows").TabIndex(0).Aria("label", "Decisions").Body(app.Range(w.Rows).Slice(func(i int) app.UI { return &whyLine{Row: w.Rows[i]} })),
	)
}

// whyLine is one decision.
type whyLine struct {
	app.Compo

	Row whyRow
}

// Render draws what was done, the sum that led to it, and where the rule stands.
func (l *whyLine) Render() app.UI {
	r := l.Row
	what := r.What
	if r.Times > 1 {
		what += " ×" + strconv.Itoa(r.Times)
	}
	return app.Elem("li").Class("why-row").Body(
		app.If(what != "", func() app.UI { return app.Elem("span").Class("why-note").Text(what) }),
		app.If(r.Formula != "", func() app.UI { return app.Elem("code").Class("formula").Text(r.Formula) }),
		app.If(r.Note != "", func() app.UI { return app.Elem("span").Class("why-note muted").Text(r.Note) }),
		app.Elem("span").Class("why-source").Body(
			app.Elem("span").Class("rule").Text(r.Rule),
			app.Text(" "+r.Time+" "),
			app.Elem("span").Class("upstream").Title(r.Upstream).Text(strings.TrimPrefix(r.Upstream, "pkg/controller/")),
		),
	)
}
