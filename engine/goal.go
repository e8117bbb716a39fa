package engine

import (
	"math"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/controllers/nodelife"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// GoalState is the state of a goal at a moment of the run.
type GoalState string

// The states of a goal. A goal that must hold throughout is open until the run ends, unless it broke before.
const (
	GoalOpen   GoalState = "open"
	GoalMet    GoalState = "met"
	GoalMissed GoalState = "missed"
)

// Goals returns the states of an exercise's goals after everything at virtual ms t, in the order of the text:
//
//   - {from: 20s, by: 90s, updated: 4, available: 4} holds at `by`; before, it is met as soon as it holds at t, unless that is
//     before `from`;
//   - {from: 20s, by: 90s, run: kubectl get rs, contains: …} likewise; with counts too, both must hold;
//   - {from: 20s, to: 60s, run: kubectl get nodes -o name, equals: …} holds after every record of that time;
//   - {from: 20s, to: 60s, max: {total: 13}, min: {available: 8}} holds throughout;
//   - {commands: 3}, {without: [delete]} limit what the learner gives; the scenario's own commands do not count. Without delete, no other
//     verb may delete an object either;
//   - {from: 20s, extra: 60s} limits the time of pods above the desired number, summed up, with those that terminate. A learner who
//     raises that number only makes more pods extra.
func (r *Run) Goals(t int64) []GoalState {
	t = min(t, r.Now())
	var states []GoalState
	for i := range r.scenario.Goals {
		states = append(states, r.goal(&r.scenario.Goals[i], t))
	}
	return states
}

// GoalGot returns what the run shows in place of a missed goal at a moment: a count and its value, or what kubectl prints.
func (r *Run) GoalGot(i int, t int64) (what, got string) {
	e := r.scenario.Goals[i].Expect
	e.At, e.To = t, t
	wrong := r.checkOne(&e)
	switch {
	case len(wrong) == 0:
		return "", ""
	case wrong[0].printed != "":
		return "", wrong[0].printed
	}
	return wrong[0].what, strconv.Itoa(wrong[0].got)
}

// Solved says whether the run has goals and, computed to its end, meets them all.
func (r *Run) Solved() bool {
	states := r.Goals(math.MaxInt64)
	return r.done && len(states) > 0 && !slices.ContainsFunc(states, func(s GoalState) bool { return s != GoalMet })
}

func (r *Run) goal(g *scenario.Goal, t int64) GoalState {
	switch {
	case g.Commands >= 0:
		return r.kept(r.commandsUpTo(t, nil) <= g.Commands, t, -1)
	case len(g.Without) > 0:
		deletes := slices.Contains(g.Without, "delete") && r.deletes(g, t)
		return r.kept(!deletes && r.commandsUpTo(t, g.Without) == 0, t, -1)
	case g.Extra >= 0:
		frames, _ := r.FramesOf(g.Of)
		first := int64(math.MaxInt64)
		for _, c := range r.recording.Commands {
			first = min(first, c.At)
		}
		return r.kept(extra(frames, g.From, t, first) <= g.Extra, t, -1)
	case g.Always:
		return r.kept(t < g.From || r.always(g, t), t, g.To)
	case len(g.Max)+len(g.Min) > 0:
		e := g.Expect
		if e.To < 0 || e.To > t {
			e.To = t
		}
		frames, name := r.FramesOf(e.Of)
		return r.kept(name != "" && (t < e.From || len(checkBounds(&e, frames)) == 0), t, g.To)
	}
	return r.reached(g, t)
}

// kept returns the state of a goal that must hold until a moment, -1 for the end of the run.
func (r *Run) kept(holds bool, t, to int64) GoalState {
	switch {
	case !holds:
		return GoalMissed
	case to >= 0 && t >= to || r.done && t >= r.Now():
		return GoalMet
	}
	return GoalOpen
}

// watch is how far a goal was checked that must hold throughout. The past never changes, so no record is checked twice.
type watch struct {
	records int   // are checked
	broken  int64 // since when it does not hold
}

// watch returns how far a goal was checked.
func (r *Run) watch(g *scenario.Goal) *watch {
	if r.watches == nil {
		r.watches = map[*scenario.Goal]*watch{}
	}
	if r.watches[g] == nil {
		r.watches[g] = &watch{broken: math.MaxInt64}
	}
	return r.watches[g]
}

// always says whether a goal held after every moment with a record, up to t.
func (r *Run) always(g *scenario.Goal, t int64) bool {
	w := r.watch(g)
	for all := r.records(); w.records < len(all) && w.broken > t; w.records++ {
		from, to := all[w.records].At, r.Now()
		if w.records+1 < len(all) {
			to = all[w.records+1].At
		}
		if from > t || from == r.Now() && !r.done {
			break // more may come in this moment
		}
		e := g.Expect
		e.At = max(from, e.From)
		over := w.records+1 < len(all) && to <= e.At
		if !over && (e.To < 0 || e.At <= e.To) && len(r.checkText(&e)) > 0 {
			w.broken = e.At
		}
	}
	return t < w.broken
}

// reached returns the state of a goal that must hold at a moment at the latest.
func (r *Run) reached(g *scenario.Goal, t int64) GoalState {
	e := g.Expect
	e.At = min(t, g.At)
	switch {
	case e.At >= g.From && len(r.checkOne(&e)) == 0:
		return GoalMet
	case t >= g.At || r.done && t >= r.Now():
		return GoalMissed
	}
	return GoalOpen
}

// commandsUpTo counts the learner's commands up to a moment; if verbs are given, only kubectl lines with one of them.
func (r *Run) commandsUpTo(t int64, verbs []string) (n int) {
	for _, c := range r.recording.Commands {
		if c.At <= t && (verbs == nil || c.Run != "" && slices.Contains(verbs, past.Parse(c.Run).Verb)) {
			n++
		}
	}
	return n
}

// deletes says whether a command of the learner takes an object away up to a moment, whatever its verb: kubectl replace --force deletes
// too, and so does a taint. An eviction does not count: the API server decides about it, so it has a reason.
func (r *Run) deletes(g *scenario.Goal, t int64) bool {
	w := r.watch(g)
	for all := r.records(); w.records < len(all) && w.broken == math.MaxInt64; w.records++ {
		i, rec := w.records, all[w.records]
		if rec.Kind != sim.Write || (rec.Actor != "kubectl" || rec.Why != nil) && rec.Actor != nodelife.EvictionActor {
			continue
		}
		c := r.past.Change(i)
		if goes := c.New == nil || c.Old != nil && c.New.Meta().Terminating() && !c.Old.Meta().Terminating(); goes && r.ofLearner(i) {
			w.broken = rec.At
		}
	}
	return w.broken <= t
}

// ofLearner says whether a command of the learner led to a record.
func (r *Run) ofLearner(i int) bool {
	for i >= 0 && r.records()[i].Kind != sim.Input {
		i = r.past.Cause(i)
	}
	return i >= 0 && slices.ContainsFunc(r.recording.Commands, func(c Command) bool {
		return c.At == r.records()[i].At && c.Line() == r.records()[i].Command
	})
}

// extra sums up the time of the pods above the desired number between two moments, in ms. From the learner's first command on, that is at
// most the number before it: raising it adds pods that all count.
func extra(frames []Frame, from, to, first int64) (sum int64) {
	most := math.MaxInt
	for i := range frames {
		f, end := &frames[i], to
		if i+1 < len(frames) {
			end = min(end, frames[i+1].T)
		}
		if f.T < first {
			most = f.Desired
		}
		if begin := max(f.T, from); begin < end {
			sum += (end - begin) * int64(max(0, f.Total+f.Terminating-min(f.Desired, most)))
		}
	}
	return sum
}
