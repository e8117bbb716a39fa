package stage

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/diagnosis"
)

// statusLine is what the scorecard says.
type statusLine struct {
	state string // of diagnosis.Diagnosis, or down while no pod serves
	what  string
	parts []string
	alarm string // an outage
}

// Status is the scorecard above the chart: what is rolled out, how many pods serve, what it has cost so far. Screen readers hear what
// it says when the state changes, not each number.
func (p *Panels) Status() app.UI {
	l := p.statusLine()
	return app.Elem("div").Class("status-line").DataSet("act", "status-line").DataSet("state", l.state).Body(
		app.Elem("span").Class("state-dot").Aria("hidden", "true"),
		app.Elem("b").Class("status-what").Aria("live", "polite").Text(l.what),
		app.Elem("b").Class("status-alarm").Text(l.alarm),
		parts.Each(l.parts, func(text string) app.UI { return app.Elem("span").Class("status-part").Text(text) }),
	)
}

func (p *Panels) statusLine() (l statusLine) {
	d := p.diagnose()
	if d == nil {
		return l
	}
	say, sc := p.s.Lang().Say, p.score()
	if p.s.Lesson.Question() != nil { // the diagnosis would give the answer away
		return statusLine{state: diagnosis.StateMoving, what: say("bet-now")}
	}
	l.state, l.what = d.State, p.s.Lang().Engine(d.Title)
	if !sc.Known {
		return l
	}
	image := p.image()
	switch {
	case d.State == diagnosis.StateMoving && sc.First && !sc.Done:
		l.what = say("status-first", image)
	case d.State == diagnosis.StateMoving && !sc.Done:
		l.what = say("status-moving", image)
	case d.State == diagnosis.StateComplete && sc.First:
		l.what = say("status-runs", image)
	case d.State == diagnosis.StateComplete:
		l.what = say("status-complete", image)
	}
	l.parts = append(l.parts, say("status-serving", sc.Serving, sc.Desired))
	if !sc.First {
		l.parts = append(l.parts, say("status-lowest", sc.Lowest))
		if sc.Outage == 0 {
			l.parts = append(l.parts, say("status-no-outage"))
		}
	}
	l.parts = append(l.parts, seconds(p.s.Lang(), sc.Took))
	if sc.Outage > 0 {
		l.alarm = say("status-outage", seconds(p.s.Lang(), sc.Outage))
	}
	if sc.Down {
		l.state = "down"
	}
	return l
}

// image is the short name of the image that the workload wants, or the workload's name once it is gone.
func (p *Panels) image() string {
	row, ok := p.s.Run().Past().Workload(p.s.Workload(), p.s.Cursor.Record)
	if !ok {
		return command.Name(p.s.Workload())
	}
	return chart.ShortImages(row.Images)
}

// seconds writes a duration to a tenth of a second.
func seconds(l lang.Lang, ms int64) string {
	return l.Say("status-seconds", chart.Tenths(ms))
}
