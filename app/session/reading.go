package session

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/judge"
)

// Reading is what the page reads from the run that is shown: lists, reasons, verdicts and figures, each computed once.
type Reading struct {
	index   index
	moments moments
	judged  judged
	scorer  scorer
	why     whyCache

	visit    *Visit
	computed *Run
}

// judged is the judge of a run.
type judged struct {
	run   *engine.Run
	judge *judge.Judge
}

// Judge returns the judge of the shown run. It is kept, because it reads each frame once.
func (r *Reading) Judge() *judge.Judge {
	if r.judged.run != r.computed.shown {
		r.judged = judged{r.computed.shown, judge.New(r.computed.shown.Past())}
	}
	return r.judged.judge
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
	case engine.Output:
		return r.Actor + ": " + r.What
	}
	return r.Actor + ": " + l.Engine(r.What)
}
