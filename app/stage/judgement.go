package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/judge"
)

// judgement is what the judge says about the chosen workload at the cursor.
type judgement struct {
	State string // held, exceeded (legally) or broken (by the environment)
	Line  string
}

func (p *Panels) judgement() judgement {
	s := p.s
	workload := s.Workload()
	if s.Run() == nil || workload == "" {
		return judgement{"held", s.Lang().Say("not-there")}
	}
	held, line := s.Reading.Judge().Line(workload, s.Cursor.Record)
	line = plain(s.Lang().Engine(line))
	if held {
		return judgement{"held", line}
	}
	for _, v := range s.Reading.Judge().Verdicts(workload) {
		if v.Kind == judge.Broken && session.Violates(v) && v.Record <= s.Cursor.Record && s.Cursor.T < v.To {
			return judgement{"broken", line}
		}
	}
	return judgement{"exceeded", line}
}

// violationRow is a stretch of time in which a bound did not hold.
type violationRow struct {
	Record int
	Time   string
	Kind   string // as strips colour it
	Text   string
	Here   bool // the cursor is in it
}

// violationsMax bounds the list; the strip under the chart shows all.
const violationsMax = 100

func (p *Panels) violations() (rows []violationRow, broken, exceeded int) {
	s := p.s
	if s.Run() == nil {
		return nil, 0, 0
	}
	for _, v := range s.Reading.Judge().Verdicts(s.Workload()) {
		switch {
		case !session.Violates(v):
			continue
		case v.Kind == judge.Broken:
			broken++
		default:
			exceeded++
		}
		if len(rows) < violationsMax {
			rows = append(rows, violationRow{Record: v.Record, Time: cursor.Clock(v.From), Kind: verdictKind(v), Text: plain(s.Lang().Engine(v.Text)),
				Here: v.Record <= s.Cursor.Record && s.Cursor.T < v.To})
		}
	}
	return rows, broken, exceeded
}

// violationList lists all violations of a bound in the run, behind a summary.
type violationList struct {
	app.Compo

	Lang             lang.Lang
	Open             bool
	Broken, Exceeded int
	Rows             []violationRow // nil while it is closed
}

func (p *Panels) violationList() app.UI {
	l := &violationList{Lang: p.s.Lang(), Open: p.ShowViolations}
	l.Rows, l.Broken, l.Exceeded = p.violations()
	if !l.Open {
		l.Rows = nil
	}
	return l
}

// Render draws the summary, and the rows if they are asked for.
func (l *violationList) Render() app.UI {
	return app.Elem("details").Class("data-table violations").DataSet("act", "violations").On("toggle", l.onToggle).Body(
		app.Elem("summary").Text(l.summary()),
		app.If(l.Open, func() app.UI {
			return app.Elem("div").Class("table-scroll").Body(
				app.If(len(l.Rows) == 0, func() app.UI { return app.Elem("p").Class("empty").Text(l.Lang.Say("bounds-hold")) }),
				app.Elem("ol").Class("list").Body(
					app.Range(l.Rows).Slice(func(i int) app.UI { return &violationLine{Row: l.Rows[i]} })),
			)
		}),
	)
}

func (l *violationList) summary() string {
	switch {
	case l.Broken+l.Exceeded == 0:
		return l.Lang.Say("violations-none")
	case l.Broken == 0:
		return l.Lang.Say("violations-legal", l.Exceeded)
	case l.Exceeded == 0:
		return l.Lang.Say("violations-broken", l.Broken)
	}
	return l.Lang.Say("violations-both", l.Broken, l.Exceeded)
}

func (l *violationList) onToggle(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Violations, ctx.JSSrc().Get("open").Bool())
}

// violationLine is one violation; a click goes to where it began.
type violationLine struct {
	app.Compo

	Row violationRow
}

// Render draws the row.
func (l *violationLine) Render() app.UI {
	r := l.Row
	row := app.Elem("button").Class("list-row violation "+r.Kind).Attr("type", "button").DataSet("act", "violation-row").
		DataSet("record", strconv.Itoa(r.Record)).OnClick(l.onClick)
	if r.Here {
		row = row.Aria("current", "true")
	}
	return app.Elem("li").Body(row.Body(
		app.Elem("span").Class("row-time").Text(r.Time),
		app.Elem("span").Class("row-main").Text(r.Text),
	))
}

func (l *violationLine) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Record, l.Row.Record)
}
