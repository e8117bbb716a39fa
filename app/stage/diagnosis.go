package stage

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
)

// diagnosisCard says how the rollout stands at the cursor: complete, progressing, or what it waits for, with the commands that
// fix it.
type diagnosisCard struct {
	app.Compo

	Lang     lang.Lang
	State    string // of diagnosis.Diagnosis
	Title    string
	Since    string
	Findings []finding
}

// finding is one thing that the rollout waits for.
type finding struct {
	ID, Text, Next, Rule string
	Fixes                []fix
}

// fix is a command that fixes it.
type fix struct{ Label, Line string }

// diagnosed keeps the diagnosis on the screen; see diagnose.
type diagnosed struct {
	of   diagnosisKey
	made time.Time
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

// Late says that the diagnosis on the screen is behind the cursor, DiagnosisDue that it may be recomputed now.
func (p *Panels) Late() bool { return p.diagnosed.late }

func (p *Panels) DiagnosisDue(now time.Time) bool {
	return p.diagnosed.late && now.Sub(p.diagnosed.made) >= diagnoseEvery
}

// diagnose returns how the chosen workload stands at the cursor, nil without a workload.
func (p *Panels) diagnose() *diagnosis.Diagnosis {
	s := p.s
	key := diagnosisKey{s.Run(), s.Workload(), s.Cursor.Record, s.Cursor.T / cursor.Second}
	if s.Run() == nil || key.workload == "" {
		return nil
	}
	d := &p.diagnosed
	if d.of == key {
		return d.last
	}
	same := d.of.run == key.run && d.of.workload == key.workload
	if d.late = same && time.Since(d.made) < diagnoseEvery; !d.late {
		*d = diagnosed{of: key, made: time.Now(), last: diagnosis.Of(s.Run().Past(), key.workload, key.record, s.Cursor.T)}
	}
	return d.last
}

func (p *Panels) Diagnosis() app.UI {
	c := &diagnosisCard{Lang: p.s.Lang()}
	d := p.diagnose()
	if d == nil || p.s.Lesson.Question() != nil {
		return c
	}
	say := c.Lang.Engine
	c.State, c.Title = d.State, say(d.Title)
	if d.Since >= 0 {
		c.Since = p.s.Lang().Say("since", cursor.Clock(d.Since))
	}
	if !told(d) || len(p.s.Lesson.Goals()) > 0 && !p.Hinted() {
		return c
	}
	for _, f := range d.Findings {
		v := finding{ID: f.ID, Text: plain(say(f.Text)), Next: plain(say(f.Next)), Rule: f.Rule}
		for _, x := range f.Fix {
			v.Fixes = append(v.Fixes, fix{say(x.Label), x.Command})
		}
		c.Findings = append(c.Findings, v)
	}
	return c
}

// GiveHint shows what the diagnosis found, which an exercise keeps to itself until the learner asks.
func (p *Panels) GiveHint() { p.hinted = p.s.Recording().Scenario }

// Hinted says that the learner asked for a hint in the exercise that is shown.
func (p *Panels) Hinted() bool { return p.hinted != "" && p.hinted == p.s.Recording().Scenario }

// told says whether the findings are worth their room: somebody may have to act, or is waiting. A rollout that
// progresses is explained by its decisions.
func told(d *diagnosis.Diagnosis) bool {
	return d.State == diagnosis.StateStuck || d.State == diagnosis.StateWaiting || slices.ContainsFunc(d.Findings, func(f diagnosis.Finding) bool { return len(f.Fix) > 0 })
}

// Render draws the card; while all is well it is one line.
func (c *diagnosisCard) Render() app.UI {
	return app.Elem("section").Class("card diagnosis").DataSet("act", "diagnosis").DataSet("state", c.State).Aria("label", c.Lang.Say("diagnosis")).Body(
		parts.Title(c.Lang.Say("diagnosis")),
		app.Elem("p").Class("diagnosis-head").Body(
			app.Elem("span").Class("state-dot").Aria("hidden", "true"),
			app.Elem("b").DataSet("act", "diagnosis-title").Text(c.Title),
			app.Elem("span").Class("diagnosis-since").Text(c.Since),
		),
		app.If(len(c.Findings) > 0, func() app.UI {
			return app.Elem("ul").Class("findings").Body(
				app.Range(c.Findings).Slice(func(i int) app.UI { return findingRow(c.Lang, &c.Findings[i]) }))
		}),
	)
}

// findingRow draws a finding with its commands.
func findingRow(l lang.Lang, f *finding) app.UI {
	return app.Elem("li").Class("finding").DataSet("act", "finding").DataSet("id", f.ID).Body(
		app.Elem("p").Text(f.Text),
		app.If(len(f.Fixes) > 0, func() app.UI {
			return app.Elem("div").Class("fixes").Body(
				app.Range(f.Fixes).Slice(func(i int) app.UI { return fixButton(l, f.Fixes[i]) }))
		}),
		app.If(f.Next != "", func() app.UI { return app.Elem("p").Class("finding-next").Text(f.Next) }),
	)
}

// fixButton runs a command at the cursor, which cuts what came later. The command is its text, for all to see.
func fixButton(l lang.Lang, f fix) app.UI {
	return &parts.Button{Act: "fix", Class: "button fix", Text: f.Line, Code: true, Title: l.Say("fix-fork", f.Label), Do: act.Kubectl, Value: f.Line, Data: "line"}
}
