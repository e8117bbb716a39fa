package stage

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/past"
)

// score is how the workload has fared since the last command, up to the cursor.
type score struct {
	Known    bool
	From     int64             // of the command; of the creation without one
	Command  string            // its line, "" without one
	Rollout  *forecast.Rollout // the one under way at the cursor, or else the last one; nil before the first
	Finished bool              // it was complete by the cursor
	Own      bool              // it began with the last command or after it
	Took     int64             // ms from the command, or from the rollout that it began
	Desired  int               // now
	Serving  int               // available pods now
	Down     bool              // none is available now, although there was one
	DownFor  int64             // ms, in all since the command, and at least as long as it has lasted
	forecast.Figures
}

// score is that of the chosen workload at the cursor. To make one walks all frames since the command.
func (p *Panels) score() score {
	run, workload, at := p.s.Run(), p.s.Workload(), p.s.Cursor.Place
	if run == nil || workload == "" {
		return score{}
	}
	return session.Recall(&p.scored, [...]any{run, workload, at, run.Len()}, func() score { return p.newScore(run, workload, at) })
}

func (p *Panels) newScore(run *engine.Run, workload string, at cursor.Place) (sc score) {
	frames := run.Frames(workload)
	here := chart.FrameAt(frames, at)
	if here < 0 {
		return sc
	}
	began := 0
	sc = score{Known: true, From: frames[0].T, Desired: frames[here].Desired, Serving: frames[here].Available}
	if last := p.commandAt(); last.T > sc.From {
		sc.From, sc.Command, began = last.T, last.Command, run.Past().Find(last.T-1)+1
	}
	var down int64
	sc.Figures, down = forecast.Between(frames[:here+1], sc.From, at.T)
	if sc.Down, sc.Took = down >= 0, at.T-sc.From; sc.Down {
		sc.DownFor = max(sc.AtZero, at.T-down)
	}
	if sc.Rollout = forecast.At(p.s.Reading.Forecast(run).Rollouts(workload), at.Record); sc.Rollout == nil {
		return sc
	}
	sc.Finished = sc.Rollout.Result == forecast.Complete && sc.Rollout.End <= at.T
	if sc.Own = sc.Rollout.Record >= began; sc.Finished && sc.Own {
		sc.Took = sc.Rollout.Duration()
	}
	return sc
}

// commandAt is the last command by the cursor that kubectl or the environment has carried out. Objects applied at zero do not count.
func (p *Panels) commandAt() (last engine.Record) {
	all := p.s.Reading.Index().Inputs
	for n := cursor.Upto(all, p.s.Cursor.Record) - 1; n >= 0; n-- {
		if r := p.s.Run().Record(all[n]); r.T > 0 && !r.Failed {
			return r
		}
	}
	return last
}

// verdict is what the line above the chart says: one sentence, and the numbers behind it with the time to which they belong.
type verdict struct {
	state string // of diagnosis.Diagnosis, or down while no pod is available
	what  string
	scope string
	parts []string
	cause string // of a wait, with what happens if nobody acts
	fix   diagnosis.Fix
}

// Says is the sentence of the verdict, which is told when it changes while nothing plays (app/speak.go).
func (p *Panels) Says() string { return p.verdict().what }

// Status is the verdict, with what to do next at its right: the fix, or what the page offers.
func (p *Panels) Status(offers ...app.UI) app.UI {
	v := p.verdict()
	if fix := p.requestFix(); v.fix.Command != "" {
		offers = []app.UI{p.fixButton(&v.fix)}
	} else if fix != nil {
		offers = []app.UI{fix}
	}
	return app.Elem("div").Class("status-line").DataSet("act", "status-line").DataSet("state", v.state).Aria("busy", p.Late()).Body(append(offers,
		app.Elem("p").Class(parts.Marked("status-what", "long", long(v.what))).DataSet("act", "verdict").Title(v.what).Text(v.what),
		app.Elem("p").Class("status-parts").Body(
			app.Elem("span").Class("status-scope").Text(v.scope),
			parts.Each(v.parts, func(text string) app.UI { return app.Elem("span").Class("status-part").Text(text) }),
		),
		app.Elem("p").Class("status-cause").DataSet("act", "cause").Title(v.cause).Text(v.cause),
	)...)
}

// long says that a sentence is written smaller, because it would not fit beside a button: a Chinese character is as wide as two letters.
func long(text string) bool { return (len(text)+utf8.RuneCountInString(text))/2 > 48 }

// fixButton runs the command that resolves what the rollout waits for.
func (p *Panels) fixButton(fix *diagnosis.Fix) app.UI {
	l := p.s.Lang()
	label := l.Engine(fix.Label)
	return &parts.Button{Act: "fix", Class: "button primary fix next", Title: l.Say("fix-fork", label), Do: act.Kubectl, Value: fix.Command, Data: "line",
		Spans: []parts.Span{{Class: "fix-label", Text: label}, {Tag: "code", Text: fix.Command}}}
}

func (p *Panels) verdict() (v verdict) {
	d, l := p.diagnose(), p.s.Lang()
	if d == nil {
		if run := p.s.Run(); run != nil && run.Done() && len(run.Workloads()) == 0 {
			v.what = l.Say("verdict-nothing")
		}
		return v
	}
	if p.s.Lesson.Question() != nil { // the diagnosis would give the answer away
		return verdict{state: diagnosis.StateMoving, what: l.Say("bet-now")}
	}
	v.state, v.what = d.State, l.Engine(d.Title)
	v.cause, v.fix = p.cause(d)
	sc := p.score()
	if !sc.Known || d.State == diagnosis.StateGone {
		return v
	}
	v.what = p.sentence(&sc, d)
	if sc.Down {
		v.state = "down"
	}
	v.scope = l.Say("verdict-start")
	if sc.Command != "" {
		v.scope = l.Say("verdict-since", cursor.Clock(sc.From))
	}
	v.parts = append(v.parts, l.Say("verdict-now", sc.Serving, sc.Desired))
	if sc.Command != "" {
		v.parts = append(v.parts, l.Say("verdict-lowest", sc.Lowest, sc.LowestOf))
	}
	v.parts = append(v.parts, p.metrics()...)
	switch {
	case sc.Finished && sc.Own:
		v.parts = append(v.parts, l.Say("verdict-took", spell(l, sc.Rollout.Duration())))
	case !sc.Finished || d.State != diagnosis.StateComplete:
		v.parts = append(v.parts, l.Say("verdict-so-far", spell(l, sc.Took)))
	}
	p.inRequests(&v, &sc)
	return v
}

// metrics are the load of the workload and what its autoscaler makes of it, nothing for one without.
func (p *Panels) metrics() (texts []string) {
	run, load := p.s.Run(), ""
	for _, at := range run.Scenario().Load {
		if at.At <= p.s.Cursor.T && at.Of.String() == p.s.Workload() {
			load = strconv.FormatInt(at.CPU, 10) + "m"
		}
	}
	if load == "" {
		return nil
	}
	key := past.ParseKey(p.s.Workload())
	for _, o := range run.Past().Objects(api.KindHorizontalPodAutoscaler, p.s.Cursor.Record) {
		h := o.(*api.HorizontalPodAutoscaler)
		if to := h.Spec.ScaleTargetRef; h.Namespace == key.Namespace && to.Kind == string(key.Kind) && to.Name == key.Name {
			texts = append(texts, p.s.Lang().Say("verdict-load", load), "HPA "+print.TargetsText(h))
		}
	}
	return texts
}

// cause is what the rollout waits for, and the command that resolves it; of several findings the first that a command resolves.
func (p *Panels) cause(d *diagnosis.Diagnosis) (text string, fix diagnosis.Fix) {
	all := p.findings(d)
	if len(all) == 0 {
		return "", fix
	}
	f := &all[max(0, slices.IndexFunc(all, func(f diagnosis.Finding) bool { return len(f.Fix) > 0 }))]
	if len(f.Fix) > 0 {
		fix = f.Fix[0]
	}
	return strings.TrimSpace(plain(p.s.Lang().Engine(f.Text)) + " " + plain(p.s.Lang().Engine(f.Next))), fix
}

// sentence says how it stands: in requests after a command, if there are any, otherwise in pods.
func (p *Panels) sentence(sc *score, d *diagnosis.Diagnosis) string {
	l := p.s.Lang()
	title := l.Engine(d.Title)
	now := l.Say("verdict-available", sc.Serving, sc.Desired)
	asked, known := p.asked(sc)
	rolling := d.State == diagnosis.StateMoving && sc.Rollout != nil && !sc.Finished
	switch {
	case known && d.State == diagnosis.StateComplete:
		return l.Engine(p.report().Tell(p.report().Ended(sc.From, p.s.Cursor.T)))
	case sc.Down:
		return p.downSentence(sc, d.State, title)
	case rolling && sc.Rollout.Cause == forecast.Created:
		return l.Say("verdict-first", p.image(), sc.Serving, sc.Desired)
	case rolling && known:
		return join(l, l.Say("status-moving", p.image()), l.Say("verdict-failed-so-far", thousands(asked.Failed())))
	case rolling:
		return join(l, l.Say("status-moving", p.image()), now)
	case d.State == diagnosis.StateMoving, d.State == diagnosis.StateStuck, d.State == diagnosis.StateWaiting:
		return join(l, title, now)
	case sc.Desired == 0:
		return title
	case sc.Command == "":
		return l.Say("verdict-runs", p.image(), sc.Serving, sc.Desired)
	case sc.AtZero > 0:
		return l.Say("verdict-was-down", spell(l, sc.AtZero), sc.Serving, sc.Desired)
	case sc.BelowDesired > 0:
		return l.Say("verdict-worst", sc.Lowest, sc.LowestOf, spell(l, sc.BelowDesired))
	case sc.Lowest < sc.LowestOf || sc.Serving < sc.Desired:
		return now
	}
	return l.Say("verdict-stayed", sc.Serving)
}

// downSentence says for how long no pod has been available, and whether the rollout hides that or Kubernetes helps.
func (p *Panels) downSentence(sc *score, state, title string) string {
	l := p.s.Lang()
	down := l.Say("verdict-down", spell(l, sc.DownFor), sc.Desired)
	switch {
	case sc.Finished && sc.Own && sc.Command != "":
		return join(l, down, l.Say("verdict-success", spell(l, sc.Rollout.Duration())))
	case state != diagnosis.StateStuck:
		return down
	case p.paused(): // only the rollout: lost pods are replaced
		return join(l, down, title)
	}
	return join(l, join(l, down, title), l.Say("verdict-never"))
}

func (p *Panels) paused() bool {
	row, _ := p.s.Run().Past().Workload(p.s.Workload(), p.s.Cursor.Record)
	return row.Paused
}

// image is the short name of the image that the workload wants, or the workload's name once it is gone.
func (p *Panels) image() string {
	row, ok := p.s.Run().Past().Workload(p.s.Workload(), p.s.Cursor.Record)
	if !ok {
		return command.Name(p.s.Workload())
	}
	return chart.ShortImages(row.Images)
}

// join writes two sentences, the first of which may lack its full stop.
func join(l lang.Lang, a, b string) string {
	return strings.TrimRight(a, ".。") + l.Stop() + b
}

// spell writes a duration in words: to a tenth of a second, and from two minutes on in minutes.
func spell(l lang.Lang, ms int64) string {
	const minute = 60_000
	if ms >= 2*minute {
		return l.Say("verdict-minutes", ms/minute)
	}
	return seconds(l, ms)
}

// seconds writes a duration to a tenth of a second.
func seconds(l lang.Lang, ms int64) string { return l.Say("status-seconds", chart.Tenths(ms)) }
