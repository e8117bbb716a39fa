package stage

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
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

// violationsMax bounds the list; the strip under the chart shows all.
const violationsMax = 100

// violationList lists all violations of a bound in the run, behind a summary.
func (p *Panels) violationList() app.UI {
	rows, broken, exceeded := p.violations()
	return app.Elem("details").Class("data-table violations").DataSet("act", "violations").On("toggle", parts.Toggled(act.Violations)).Body(
		app.Elem("summary").Text(violationsSummary(p.s.Lang(), broken, exceeded)),
		app.If(p.ShowViolations, func() app.UI {
			return app.Elem("div").Class("table-scroll").Body(
				parts.When(len(rows) == 0, app.Elem("p").Class("empty").Text(p.s.Lang().Say("bounds-hold"))),
				app.Elem("ol").Class("list").Body(app.Range(rows).Slice(func(i int) app.UI { return parts.Item(&rows[i]) })),
			)
		}),
	)
}

// violations returns a row for each stretch of time in which a bound did not hold, and how many there are of both kinds. A click on a
// row moves the cursor to its beginning.
func (p *Panels) violations() (rows []parts.Button, broken, exceeded int) {
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
		if p.ShowViolations && len(rows) < violationsMax {
			rows = append(rows, parts.Button{Act: "violation-row", Class: "list-row violation " + verdictKind(v), Do: act.Record, Value: v.Record, Data: "record",
				Attributes: parts.Attributes{Current: v.Record <= s.Cursor.Record && s.Cursor.T < v.To},
				Spans:      []parts.Span{{Class: "row-time", Text: cursor.Clock(v.From)}, {Class: "row-main", Text: plain(s.Lang().Engine(v.Text))}}})
		}
	}
	return rows, broken, exceeded
}

func violationsSummary(l lang.Lang, broken, exceeded int) string {
	switch {
	case broken+exceeded == 0:
		return l.Say("violations-none")
	case broken == 0:
		return l.Say("violations-legal", exceeded)
	case exceeded == 0:
		return l.Say("violations-broken", broken)
	}
	return l.Say("violations-both", broken, exceeded)
}
