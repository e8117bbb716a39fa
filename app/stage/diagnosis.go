package stage

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/judge"
)

// diagnosed keeps the diagnosis on the screen; see diagnose.
type diagnosed struct {
	of   diagnosisKey
	made time.Time
	due  bool // the next drawing may recompute it
	late bool // the cursor has moved on since
	last *diagnosis.Diagnosis
}

// diagnosisKey is what a diagnosis depends on; its countdowns are in whole seconds.
type diagnosisKey struct {
	run      *engine.Run
	workload string
	record   int
	seconds  int64
}

// diagnoseEvery is how often the diagnosis is recomputed while the cursor moves: nobody reads faster, and it checks every
// pod.
const diagnoseEvery = 200 * time.Millisecond

// Late says that the diagnosis on the screen is behind the cursor.
func (p *Panels) Late() bool { return p.diagnosed.late }

// DiagnosisDue decides before a drawing whether that recomputes the diagnosis, so that all parts of the page show one, and says whether
// the one on the screen waits for that.
func (p *Panels) DiagnosisDue(now time.Time) bool {
	p.diagnosed.due = now.Sub(p.diagnosed.made) >= diagnoseEvery
	return p.diagnosed.late && p.diagnosed.due
}

// diagnose returns the state of the chosen workload at the cursor, nil without a workload.
func (p *Panels) diagnose() *diagnosis.Diagnosis {
	s := p.s
	key := diagnosisKey{s.Run(), s.Workload(), s.Cursor.Record, s.Cursor.T / cursor.Second}
	if s.Run() == nil || key.workload == "" {
		return nil
	}
	d := &p.diagnosed
	if d.of == key {
		d.late = false
		return d.last
	}
	same := d.of.run == key.run && d.of.workload == key.workload
	if d.late = same && !d.due; !d.late {
		*d = diagnosed{of: key, made: time.Now(), last: diagnosis.Of(s.Run().Past(), key.workload, key.record, s.Cursor.T)}
	}
	return d.last
}

// Diagnosis is the state of the rollout at the cursor: complete, progressing, or what it waits for, with the commands that fix it.
// While all is well it is one line.
func (p *Panels) Diagnosis() app.UI {
	l, d := p.s.Lang(), p.diagnose()
	if d == nil || p.s.Lesson.Question() != nil {
		d = &diagnosis.Diagnosis{Since: -1}
	}
	since, findings := "", p.findings(d)
	if d.Since >= 0 {
		since = l.Say("since", cursor.Clock(d.Since))
	}
	return parts.Card("diagnosis", l.Say("diagnosis")).DataSet("act", "diagnosis").DataSet("state", d.State).Body(
		parts.Title(l.Say("diagnosis")),
		app.Elem("p").Class("diagnosis-head").Body(
			app.Elem("span").Class("state-dot").Aria("hidden", "true"),
			app.Elem("b").DataSet("act", "diagnosis-title").Text(l.Engine(d.Title)),
			app.Elem("span").Class("diagnosis-since").Text(since),
		),
		app.If(len(findings) > 0, func() app.UI {
			return app.Elem("ul").Class("findings").Body(
				parts.EachOf(findings, func(f *diagnosis.Finding) app.UI { return findingRow(l, f) }))
		}),
	)
}

// findings are those that are worth their room. An exercise keeps them to itself until the learner asks for a hint.
func (p *Panels) findings(d *diagnosis.Diagnosis) []diagnosis.Finding {
	if !matters(d) || p.s.Lesson.Exercise() && !p.Hinted() {
		return nil
	}
	return d.Findings
}

// GiveHint shows what the diagnosis found, which an exercise keeps to itself until the learner asks for it.
func (p *Panels) GiveHint() { p.hinted = p.s.Recording().Scenario }

// Hinted says that the learner asked for a hint in the exercise that is shown.
func (p *Panels) Hinted() bool { return p.hinted != "" && p.hinted == p.s.Recording().Scenario }

// matters says whether the findings are worth their room: somebody may have to act, or is waiting. A rollout that
// progresses is explained by its decisions.
func matters(d *diagnosis.Diagnosis) bool {
	return d.State == diagnosis.StateStuck || d.State == diagnosis.StateWaiting || slices.ContainsFunc(d.Findings, func(f diagnosis.Finding) bool { return len(f.Fix) > 0 })
}

// findingRow draws one thing that the rollout waits for, with the commands that fix it.
func findingRow(l lang.Lang, f *diagnosis.Finding) app.UI {
	next := plain(l.Engine(f.Next))
	return app.Elem("li").Class("finding").DataSet("act", "finding").DataSet("id", f.ID).Body(
		app.Elem("p").Text(plain(l.Engine(f.Text))),
		parts.When(len(f.Fix) > 0, app.Elem("div").Class("fixes").Body(parts.EachOf(f.Fix, func(x *diagnosis.Fix) app.UI {
			return &parts.Button{Act: "fix", Class: "button fix", Text: x.Command, Code: true, Title: l.Say("fix-fork", l.Engine(x.Label)),
				Do: act.Kubectl, Value: x.Command, Data: "line"}
		}))),
		parts.When(next != "", app.Elem("p").Class("finding-next").Text(next)),
	)
}

// judgement is what the judge says about the chosen workload at the cursor: held, exceeded (legally) or broken (by the environment).
func (p *Panels) judgement() (state, line string) {
	s := p.s
	workload := s.Workload()
	if s.Run() == nil || workload == "" {
		return "held", s.Lang().Say("not-there")
	}
	held, line := s.Reading.Judge().Line(workload, s.Cursor.Record, s.Cursor.T)
	line = plain(s.Lang().Engine(line))
	if held {
		return "held", line
	}
	for _, v := range s.Reading.Judge().Verdicts(workload) {
		if v.Kind == judge.Broken && session.Violates(v) && v.Record <= s.Cursor.Record && s.Cursor.T < v.To {
			return "broken", line
		}
	}
	return "exceeded", line
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
				app.Elem("ol").Class("list").Body(parts.EachOf(rows, parts.Item)),
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
