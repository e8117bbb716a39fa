// Package prove enumerates the schedules of a rollout instead of drawing one: every order in which its pods become Ready, and with
// Crash or Node one crash or one lost node at any moment. Each schedule is a run of the whole engine, so a counterexample is a recording
// that the page plays.
//
// The search is bounded: one pod becomes Ready at a time, when everything else has come to rest, and all old pods are Ready
// when the update comes. How long images take to pull, to start and to stop is as the scenario says, with its seed.
//
// Schedules are searched step by step. Of those that reach the same state (see state), and of choices between pods or nodes that are
// alike, one is continued for all. Six replicas with a crash have 12,474 schedules, which take 480 runs.
package prove

import (
	"fmt"
	"math"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Options are the events that may happen and the bounds that must hold.
type Options struct {
	Crash bool // one container crashes, at any moment
	Node  bool // one node is lost, at any moment

	MinAvailable int // pods that must stay available; -1: desired - maxUnavailable, less the pods that the crash or the node takes
	MaxPods      int // most pods, terminating ones included; -1: desired + maxSurge without terminating ones
	Max          int // runs

	Every bool // play every schedule, even if it differs from another one only in the names of pods and nodes
}

// Proof is the search through all schedules, one more step of each at a time. It computes one run at a time: while runs are Pending, a
// caller Runs them in any order or at the same time, then Collects their results.
type Proof struct {
	Plan    *sweep.Plan
	Options Options

	Schedules int             // finished ones, played or equal to a played one
	Runs      int             // that were computed
	Cut       bool            // there are more than Max
	Longest   int             // how many steps of every schedule were enumerated
	Replicas  int             // desired when the update begins
	Lower     int             // pods that the strategy then promises to keep available
	Upper     int             // the most pods that it then allows, without terminating ones
	Counter   *Counterexample // the shortest one, nil if everything holds

	recording engine.Recording // with the update
	pending   []beginning
	results   []result
}

// beginning is how some schedules begin.
type beginning struct {
	choices []int
	alike   int // number of equal beginnings, itself included
}

// Counterexample is a schedule in which something does not hold.
type Counterexample struct {
	Recording engine.Recording
	Says      string   // the broken bound
	At        int64    // when, in virtual ms
	Steps     []string // the choices of the schedule until then
}

// result is the result of one run, which ends where the next choice is due.
type result struct {
	state   string
	options []option     // empty if the schedule ends here
	begins  engine.Frame // when the update begins
	counter *Counterexample
	err     error
}

// option is a choice with the number of choices that are equal to it.
type option struct{ index, alike int }

// New prepares the search for a plan. Nothing is run yet but the way up to the update.
func New(library *scenario.Library, plan *sweep.Plan, o Options) (*Proof, error) {
	text, err := plan.Probed()
	if err != nil {
		return nil, err
	}
	rec, reason := plan.Updating(library, text)
	if n := len(rec.Commands); plan.Added && reason == "" && rec.Commands[n-1].At > sweep.Patience/2 { // the old pods take long, too
		if text, err = aDay(text); err != nil {
			return nil, err
		}
		rec, reason = plan.Updating(library, text)
	}
	if reason != "" {
		return nil, fmt.Errorf("%s cannot be updated: %s", plan.Workload, reason)
	}
	if s, _ := scenario.Parse(text); s != nil && len(s.Groups) > 0 {
		o.Every = true // machines that boot are in no state
	}
	return &Proof{Plan: plan, Options: o, recording: rec, pending: []beginning{{nil, 1}}}, nil
}

// Pending returns how many runs are to be computed before Collect, 0 if the search is over.
func (p *Proof) Pending() int {
	p.results = make([]result, len(p.pending))
	return len(p.pending)
}

// Run computes the i-th pending run. Different ones may be computed at the same time, each with a library of its own.
func (p *Proof) Run(library *scenario.Library, i int) {
	p.results[i] = p.play(library, p.pending[i].choices)
}

// Collect counts the results of the pending runs. It continues each state that they reached once, unless a bound is broken.
func (p *Proof) Collect() error {
	reached := p.pending
	p.pending = nil
	at := map[string]int{} // the first run that reached a state
	for i := range p.results {
		r := &p.results[i]
		if r.err != nil {
			return r.err
		}
		p.Runs++
		p.Longest, p.Replicas = len(reached[i].choices), max(p.Replicas, r.begins.Desired)
		p.Lower, p.Upper = max(p.Lower, r.begins.Lower), max(p.Upper, r.begins.Upper)
		switch first, known := at[r.state]; {
		case r.counter != nil:
			if p.Counter == nil {
				p.Counter = r.counter
			}
		case len(r.options) == 0:
			p.Schedules = plus(p.Schedules, reached[i].alike)
		case known:
			reached[first].alike = plus(reached[first].alike, reached[i].alike)
		default:
			at[r.state] = i
		}
	}
	if p.Counter != nil {
		return nil
	}
	for i := range p.results {
		r, b := &p.results[i], &reached[i]
		if at[r.state] != i {
			continue
		}
		for _, o := range r.options {
			choices := append(append(make([]int, 0, len(b.choices)+1), b.choices...), o.index)
			p.pending = append(p.pending, beginning{choices, times(b.alike, o.alike)})
		}
	}
	if more := p.Options.Max - p.Runs; len(p.pending) > more {
		p.pending, p.Cut = nil, true
	}
	return nil
}

// AtLeast estimates how many runs follow the pending ones: each pod of the update becomes Ready in a step of its own, and the steps to come
// seldom have fewer runs than the next one.
func (p *Proof) AtLeast() int { return len(p.pending) * max(0, p.Replicas-p.Longest-1) }

// plus and times stop at the largest number: 20 pods that start at once have 20! orders, which still fits, and 21 do not.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func times(a, b int) int {
	if a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
