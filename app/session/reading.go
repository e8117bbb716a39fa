package session

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/judge"
)

// Reading is what the page reads from the run that is shown: lists, reasons, verdicts and figures, each computed once.
type Reading struct {
	index   index
	moments moments
	judge   Memo[*engine.Run, *judge.Judge] // which reads each frame once
	scores  [2]scored                       // of the last runs that were asked for, which grow with them
	why     Memo[[4]any, Reason]            // by the run, the record, the decisions of its actor and the language

	visit    *Visit
	computed *Run
}

// Memo keeps the last value that was computed for a key. That of the zero key is the zero value.
type Memo[K comparable, V any] struct {
	key   K
	value V
}

// Recall is the value of a key.
func Recall[K comparable, V any](m *Memo[K, V], key K, compute func() V) V {
	if m.key != key {
		m.key, m.value = key, compute()
	}
	return m.value
}

// Judge returns the judge of the shown run.
func (r *Reading) Judge() *judge.Judge {
	return Recall(&r.judge, r.computed.shown, func() *judge.Judge { return judge.New(r.computed.shown.Past()) })
}

// JudgedMarks are the violations and the changes of conditions on the scrubber.
func (r *Reading) JudgedMarks() []chart.Mark {
	var all []chart.Mark
	workload := r.computed.Workload()
	for _, v := range r.Judge().Verdicts(workload) {
		if Violates(v) && len(all) < marksMax {
			all = append(all, chart.Mark{Kind: "violation", T: v.From, To: v.To, Line: r.visit.Lang.Engine(v.Text), Failed: v.Kind == judge.Broken})
		}
	}
	for _, c := range changes(r.visit.Lang, r.computed.shown.Past().Conditions(workload)) {
		if c.T > 0 && len(all) < marksMax {
			all = append(all, chart.Mark{Kind: "condition", T: c.T, Line: c.Why})
		}
	}
	return all
}

// Opening is the part of the run that the chart shows first: the first rollout, and all captions, of which none is passed.
func (r *Reading) Opening() chart.Span {
	frames, last := r.computed.shown.Frames(r.computed.Workload()), int64(0)
	if n := len(frames); n > 0 {
		last = frames[n-1].T
	}
	if inputs := r.Index().Inputs; len(inputs) > 0 {
		last = max(last, r.computed.shown.Record(inputs[len(inputs)-1]).T)
	}
	open := chart.Opening(frames, chart.TimeAxis(chart.BusyEnd(last, r.computed.End())), chart.TimeAxis(r.computed.End()))
	if all := r.computed.shown.Scenario().Captions; len(all) > 0 {
		open.From = min(open.From, max(all[0].At-captionMargin, 0))
	}
	return open
}

// Describe describes a record in one sentence, "" if it does not exist.
func (r *Reading) Describe(i int) string { return describe(r.visit.Lang, r.computed.shown, i) }

func describe(l lang.Lang, run *engine.Run, i int) string {
	if run == nil || i < 0 || i >= run.Len() {
		return ""
	}
	r := run.Record(i)
	switch r.Kind {
	case engine.Event:
		return l.Say("tell-event", r.Actor, r.Reason, r.Message)
	case engine.Input:
		return r.Command + ": " + r.What
	}
	return r.Actor + ": " + What(l, r)
}

// Score is what a whole run has cost the chosen workload. Its figures run from when the workload was first complete; if it never
// was, they are those of its creation.
type Score struct {
	Workload string `json:"workload,omitempty"` // empty: nothing is known
	Took     int64  `json:"took,omitempty"`     // ms of all rollouts after the creation; if there were none, of the creation
	Done     bool   `json:"done,omitempty"`     // the last of them has ended
	Asked    int64  `json:"asked,omitempty"`    // requests during these rollouts, by a model; 0 if no Service selects the workload
	Failed   int64  `json:"failed,omitempty"`   // of those
	forecast.Figures
}

// scored is the scorecards of a run, with the requests during the rollouts of a workload and those that failed.
type scored struct {
	run           *engine.Run
	of            *forecast.Forecast
	workload      string // empty before the requests are counted
	asked, failed int64
}

// scored finds what is kept of a run, or begins to keep it.
func (r *Reading) scored(run *engine.Run) *scored {
	x := &r.scores
	for i := range x {
		if x[i].run == run {
			return &x[i]
		}
	}
	x[1], x[0] = x[0], scored{run: run, of: forecast.New(run.Past())}
	return &x[0]
}

// Forecast returns the scorecards of a run, which grow with it.
func (r *Reading) Forecast(run *engine.Run) *forecast.Forecast { return r.scored(run).of }

// ScoreOf is the score of a run, empty if it has no such workload.
func (r *Reading) ScoreOf(run *engine.Run) Score {
	workload := r.computed.Workload()
	if run == nil || workload == "" {
		return Score{}
	}
	f := r.Forecast(run)
	rollouts := f.Rollouts(workload)
	if len(rollouts) == 0 {
		return Score{}
	}
	last := &rollouts[len(rollouts)-1]
	score := Score{Workload: workload, Done: last.Done(), Took: last.Duration(), Figures: last.Figures}
	if all, ok := f.Overall(workload); ok {
		score.Figures = all
	}
	if took, any := timeOf(rollouts); any {
		score.Took = took
	}
	score.Asked, score.Failed = r.requests(run, workload, rollouts)
	return score
}

// requests adds up the requests of the rollouts after the creation, once a run has ended. It keeps them: they cost more than a drawing.
func (r *Reading) requests(run *engine.Run, workload string, rollouts []forecast.Rollout) (asked, failed int64) {
	if !run.Done() {
		return 0, 0
	}
	k := r.scored(run)
	if k.workload != workload {
		k.workload, k.asked, k.failed = workload, 0, 0
		for _, x := range forecast.Ask(run.Past(), rollouts) {
			if x.Cause != forecast.Created {
				k.asked, k.failed = k.asked+x.Requests.All, k.failed+x.Requests.Failed
			}
		}
	}
	return k.asked, k.failed
}

// timeOf adds up the rollouts after the creation.
func timeOf(rollouts []forecast.Rollout) (took int64, any bool) {
	for i := range rollouts {
		if rollouts[i].Cause != forecast.Created {
			took, any = took+rollouts[i].Duration(), true
		}
	}
	return took, any
}

// scoreNowMax bounds the records of a run that is scored within an action. Longer ones are scored when they are compared.
const scoreNowMax = 20_000

func (b *Branches) scoreNow(run *engine.Run) Score {
	if run == nil || !run.Done() || run.Len() > scoreNowMax {
		return b.present.Score
	}
	return b.reading.ScoreOf(run)
}
