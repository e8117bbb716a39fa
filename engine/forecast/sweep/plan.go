// Package sweep runs one rollout many times, each time a little different: with other bounds, with other seeds, on other nodes.
// It computes one run at a time and keeps nothing between them, so a caller may spread the runs over workers.
package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
	"github.com/rollplay/rollplay/engine/words"
)

// Plan is a rollout to be measured: the first update of a workload in a recording. If the recording updates nothing, every
// container gets a new tag, one second after all pods are available.
type Plan struct {
	Recording engine.Recording
	Workload  string   // Deployment/default/web
	Others    []string // that could be measured as well; nil if the caller or the recording decides
	Added     bool     // the recording updates nothing, so that an update is added

	key api.Key
}

// eventsEach is how many events of a run are computed between two looks at it.
const eventsEach = 1 << 9

// NewPlan returns the plan for a workload of a recording; without a name, for the first one that the recording updates, or for
// the first one at all.
func NewPlan(library *scenario.Library, rec engine.Recording, workload string) (*Plan, []engine.Diagnostic, error) {
	r, diagnostics := engine.StartIn(library, rec)
	if r == nil {
		return nil, diagnostics, fmt.Errorf("the scenario has errors")
	}
	for !r.Advance(eventsEach) {
		breath.Take()
	}
	p, err := PlanOf(r, workload)
	return p, diagnostics, err
}

// PlanOf is NewPlan for a run that is over.
func PlanOf(r *engine.Run, workload string) (*Plan, error) {
	names, updated, err := choose(r, workload)
	if err != nil {
		return nil, err
	}
	return &Plan{Recording: r.Recording(), Workload: names[0], Others: names[1:], Added: !updated, key: past.ParseKey(names[0])}, nil
}

// choose returns the workload to measure, and whether the run updates it. If nothing decides, the others follow that could be measured.
func choose(r *engine.Run, workload string) (names []string, updated bool, err error) {
	f := forecast.New(r.Past())
	for _, w := range r.Workloads() {
		if workload != "" && !past.ParseKey(w).IsNamed(workload) {
			continue
		}
		if Update(f.Rollouts(w)) != nil {
			return []string{w}, true, nil
		}
		names = append(names, w)
	}
	switch {
	case len(names) > 0:
		return names, false, nil
	case workload != "":
		return nil, false, fmt.Errorf("there is no workload %q; there are %s", workload, strings.Join(r.Workloads(), ", "))
	}
	return nil, false, fmt.Errorf("there is no Deployment, StatefulSet or DaemonSet to roll out")
}

// Update returns the first rollout of a list that is an update, or nil.
func Update(list []forecast.Rollout) *forecast.Rollout {
	for i := range list {
		if list[i].Cause != forecast.Created {
			return &list[i]
		}
	}
	return nil
}

// Outcome is the result of the measured rollout.
type Outcome struct {
	Recording engine.Recording // of the run, with the update
	Rollout   forecast.Rollout
	Problem   Problem
	Reason    string // in words, "" without a problem

	Begun                 bool
	BeganSurge, BeganDown int // the bounds with which the rollout began
}

// Problem is the reason why a rollout cannot succeed.
type Problem string

// The problems.
const (
	Fine    Problem = ""
	Invalid Problem = "invalid"         // the API server refuses the object
	Quota   Problem = "quota"           // a quota leaves no room for a pod
	NoRoom  Problem = "no room"         // no node has room for a pod
	Stalls  Problem = "stalls"          // it does not finish for another reason
	Late    Problem = "not within 24 h" // it still moves then
	Unknown Problem = "unknown"         // the run ended before the rollout did
)

// Unplayed is the outcome before a run.
var Unplayed = Outcome{Problem: Unknown, Reason: "it was not played"}

// Measure runs the plan with another text instead of its own. The library keeps what the runs of one worker have in common.
func (p *Plan) Measure(library *scenario.Library, text string) Outcome {
	o, _ := p.measure(library, text, math.MaxInt64)
	return o
}

// measure is Measure and also returns the run, nil if the text cannot be played. From a moment on, the rollout must move. One that does not
// finish gets more time: half an hour, and then a day as long as it moves.
func (p *Plan) measure(library *scenario.Library, text string, from int64) (Outcome, *engine.Run) {
	rec, problem, reason := p.updating(library, text, from)
	if reason != "" {
		return Outcome{Recording: rec, Problem: problem, Reason: reason}, nil
	}
	r, diagnostics := engine.StartIn(library, rec)
	if r == nil {
		return Outcome{Recording: rec, Problem: Invalid, Reason: firstError(diagnostics)}, nil
	}
	o := p.outcome(r, from)
	if o.Problem == Fine || o.Problem == Unknown || o.Rollout.Done() || !r.Done() {
		return o, r
	}
	end, longer := cmp.Or(r.Scenario().Duration, scenario.DurationDefault), ""
	switch moves := Moves(r, p.Workload); {
	case end < scenario.DurationDefault:
		longer = "30m"
	case moves && end < dayMs:
		longer = Day
	case moves:
		o.Problem = Late
	}
	if longer != "" {
		if text, err := scenario.SetSpec(text, []string{"duration"}, longer); err == nil {
			return p.measure(library, text, end)
		}
	}
	return o, r
}

// outcome computes a run until the measured rollout is over, with the pods that it leaves, or does not move after a moment.
func (p *Plan) outcome(r *engine.Run, from int64) Outcome {
	f := forecast.New(r.Past())
	p.play(r, from, func() bool {
		x := Update(f.Rollouts(p.Workload))
		return x != nil && x.Done() && f.Quiet(p.Workload)
	})
	o := Outcome{Recording: r.Recording()}
	if cut := r.Cut(); cut != "" {
		o.Problem, o.Reason = Unknown, cut
		return o
	}
	p.playOn(r, f)
	x := Update(forecast.Ask(r.Past(), f.Rollouts(p.Workload)))
	if x == nil {
		o.Problem, o.Reason = Stalls, "the update does not begin"
		if list := f.Rollouts(p.Workload); len(list) > 0 && !list[0].Done() {
			o.Problem, o.Reason = reason(r, p.Workload)
		}
		return o
	}
	frames := r.Frames(p.Workload)
	if i := past.FrameAfter(frames, x.Record); i >= 0 {
		o.Begun, o.BeganSurge, o.BeganDown = true, frames[i].Upper-frames[i].Desired, frames[i].Desired-frames[i].Lower
	}
	switch o.Rollout = *x; x.Result {
	case forecast.Complete:
	case forecast.Superseded, forecast.Deleted:
		o.Problem, o.Reason = Stalls, "it is "+string(x.Result)+" at "+words.Seconds(x.End)+" s, before it is complete"
	default:
		o.Problem, o.Reason = reason(r, p.Workload)
	}
	return o
}

// play computes a run until it is over, or until the workload does not move after a moment.
func (p *Plan) play(r *engine.Run, from int64, over func() bool) {
	Play(r, over, func() bool { return r.Now() <= from || Moves(r, p.Workload) })
}

// playOn computes a run until those that send requests to the workload know of its last pod.
func (p *Plan) playOn(r *engine.Run, f *forecast.Forecast) {
	x := Update(f.Rollouts(p.Workload))
	after := traffic.After(traffic.For(r.Past(), p.Workload))
	if x == nil || after == 0 {
		return
	}
	for until := forecast.Until(r.Past(), x, after); !r.AdvancePast(until, eventsEach) && r.Now() <= until; {
		breath.Take()
	}
}

// reason returns the reason why a workload is not complete at the end of a run.
func reason(r *engine.Run, workload string) (Problem, string) {
	switch f := diagnosis.Reason(r.Past(), workload); f.ID {
	case "quota":
		return Quota, f.Text
	case "unschedulable":
		return NoRoom, f.Text
	default:
		return Stalls, f.Text
	}
}

// Updating returns the recording of a text with the plan's update, or the reason why the workload cannot be updated. An added
// update changes every container once the workload is up.
func (p *Plan) Updating(library *scenario.Library, text string) (rec engine.Recording, reason string) {
	rec, _, reason = p.updating(library, text, math.MaxInt64)
	return rec, reason
}

// updating is Updating of a text in which the workload must move from a moment on.
func (p *Plan) updating(library *scenario.Library, text string, from int64) (rec engine.Recording, problem Problem, why string) {
	rec = engine.Recording{Scenario: text, Commands: p.Recording.Commands}
	if !p.Added {
		return rec, Fine, ""
	}
	r, diagnostics := engine.StartIn(library, rec)
	if r == nil {
		return rec, Invalid, firstError(diagnostics)
	}
	f := forecast.New(r.Past())
	p.play(r, from, func() bool {
		list := f.Rollouts(p.Workload)
		return len(list) > 0 && list[0].Done()
	})
	list := f.Rollouts(p.Workload)
	if len(list) == 0 {
		if r.Past().ObjectAt(p.key, r.Len()-1) == nil {
			return rec, Invalid, "the workload is not created"
		}
		problem, why = reason(r, p.Workload) // it is paused
		return rec, problem, why
	}
	line := NewTags(r.Past().Objects(p.key.Kind, r.Len()-1), p.key)
	rec.Commands = append(slices.Clip(rec.Commands), engine.Command{At: UpAt(list), Run: line})
	return rec, Fine, ""
}

// UpAt returns when to update a workload: at a full second, at least one second after it was first complete.
func UpAt(list []forecast.Rollout) int64 { return (list[0].End + 1999) / 1000 * 1000 }

// newTag is the tag of the images of an added update.
const newTag = "next"

// NewTags returns the command that gives each container of a workload an image that no node has.
func NewTags(objects []api.Object, key api.Key) string {
	line := "kubectl set image " + strings.ToLower(string(key.Kind)) + "/" + key.Name
	for _, o := range objects {
		if o.Key() != key {
			continue
		}
		for _, c := range api.TemplateOf(o).Spec.Containers {
			word := c.Name + "=" + api.SplitImage(c.Image).Name + ":" + newTag
			if api.CheckImage(c.Image) != nil { // such as ${IMAGE}, which the shell must not read
				word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
			}
			line += " " + word
		}
	}
	return line + key.NamespaceFlag()
}

// firstError returns the first error of some diagnostics.
func firstError(diagnostics []engine.Diagnostic) string {
	for _, d := range diagnostics {
		if !d.Warning {
			return d.Message
		}
	}
	return "the scenario has errors"
}
