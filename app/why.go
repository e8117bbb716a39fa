package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// whyPanel says why the cluster is as it is at the cursor: what the last reconcile worked out, each decision with
// its sum, its rule and the place in Kubernetes' source that it follows.
type whyPanel struct {
	app.Compo

	Now  whyRow // the record at the cursor
	Rows []whyRow
}

// whyRow is one record with its sum, if it has one.
type whyRow struct {
	Time, Actor, Object, What     string
	Formula, Rule, Upstream, Note string
}

func (p *page) whyPanel() app.UI {
	s := p.s
	w := &whyPanel{}
	if s.run == nil || s.cursor.Record < 0 || s.cursor.Record >= s.run.Len() {
		return w
	}
	w.Now = whyOf(s.run.Record(s.cursor.Record))
	from := s.reconcile()
	if from < 0 {
		return w
	}
	for i := from; i <= min(s.lastOf(from), s.cursor.Record); i++ {
		if r := s.run.Record(i); r.Why != nil {
			w.Rows = append(w.Rows, whyOf(r))
		}
	}
	return w
}

func whyOf(r engine.Record) whyRow {
	row := whyRow{Time: clock(r.T), Actor: r.Actor, Object: r.Object, What: r.What}
	if r.Kind == engine.Event {
		row.What = strings.TrimSpace(r.Reason + ": " + r.Message)
	}
	if r.Why != nil {
		row.Formula, row.Rule, row.Upstream, row.Note = r.Why.Formula, r.Why.Rule, r.Why.Upstream, r.Why.Note
	}
	return row
}

// Render draws the panel; its height is fixed, so that nothing moves while playing.
func (w *whyPanel) Render() app.UI {
	return app.Section().Class("card why").DataSet("act", "why").Aria("label", "Why").Body(
		app.Div().Class("why-head").Body(
			app.H2().Text("Why"),
			app.Span().Class("why-now").Body(
				app.Span().Class("why-time").Text(w.Now.Time),
				app.Text(" "),
				app.Span().Class("why-actor").Text(w.Now.Actor),
			),
		),
		app.P().Class("why-what").Title(w.Now.What).Text(w.Now.What),
		app.Ol().Class("why-rows").Body(app.Range(w.Rows).Slice(func(i int) app.UI { return &whyLine{Row: w.Rows[i]} })),
	)
}

// whyLine is one decision.
type whyLine struct {
	app.Compo

	Row whyRow
}

// Render draws the sum first, because it is what one looks for.
func (l *whyLine) Render() app.UI {
	r := l.Row
	text := r.What
	if r.Note != "" {
		text = r.Note
	}
	return app.Li().Class("why-row").Title(r.What).Body(
		app.Code().Class("formula").Text(r.Formula),
		app.Span().Class("why-note").Text(text),
		app.Span().Class("why-source").Body(
			app.Span().Class("rule").Text(r.Rule),
			app.Text(" "),
			app.Span().Class("upstream").Text(r.Upstream),
		),
	)
}
