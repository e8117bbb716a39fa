package stage

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/diagnosis"
)

// statusLine is the scorecard above the chart: what is rolled out, how many pods serve, what it has cost so far.
type statusLine struct {
	app.Compo

	Lang  lang.Lang
	State string // of diagnosis.Diagnosis, or down while no pod serves
	What  string
	Parts []string
	Alarm string // an outage
}

func (p *Panels) Status() app.UI {
	l := &statusLine{Lang: p.s.Lang()}
	d := p.diagnose()
	if d == nil {
		return l
	}
	say, sc := p.s.Lang().Say, p.score()
	if p.s.Lesson.Question() != nil { // the diagnosis knows what comes
		l.State, l.What = diagnosis.StateMoving, say("bet-now")
		return l
	}
	l.State, l.What = d.State, l.Lang.Engine(d.Title)
	if !sc.Known {
		return l
	}
	image := p.image()
	switch {
	case d.State == diagnosis.StateMoving && sc.First && !sc.Done:
		l.What = say("status-first", image)
	case d.State == diagnosis.StateMoving && !sc.Done:
		l.What = say("status-moving", image)
	case d.State == diagnosis.StateComplete && sc.First:
		l.What = say("status-runs", image)
	case d.State == diagnosis.StateComplete:
		l.What = say("status-complete", image)
	}
	l.Parts = append(l.Parts, say("status-serving", sc.Serving, sc.Desired))
	if !sc.First {
		l.Parts = append(l.Parts, say("status-lowest", sc.Lowest))
		if sc.Outage == 0 {
			l.Parts = append(l.Parts, say("status-no-outage"))
		}
	}
	l.Parts = append(l.Parts, seconds(p.s.Lang(), sc.Took))
	if sc.Outage > 0 {
		l.Alarm = say("status-outage", seconds(p.s.Lang(), sc.Outage))
	}
	if sc.Down {
		l.State = "down"
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

// Render draws the line. Screen readers hear what it says when the state changes, not each number.
func (l *statusLine) Render() app.UI {
	return app.Elem("div").Class("status-line").DataSet("act", "status-line").DataSet("state", l.State).Body(
		app.Elem("span").Class("state-dot").Aria("hidden", "true"),
		app.Elem("b").Class("status-what").Aria("live", "polite").Text(l.What),
		app.Elem("b").Class("status-alarm").Text(l.Alarm),
		app.Range(l.Parts).Slice(func(i int) app.UI { return app.Elem("span").Class("status-part").Text(l.Parts[i]) }),
	)
}
