// Package prove enumerates what can happen during a rollout, instead of drawing it: every order in which its pods become Ready, and if
// asked for one crash or one lost node at any moment. Each schedule is a run of the whole engine, so a counterexample is a recording
// that the page plays.
//
// What is enumerated is bounded: one pod becomes Ready at a time, when everything else has come to rest, and all old pods are Ready
// when the update comes. How long images take to pull, to start and to stop is as the scenario says, with its seed.
package prove

import (
	"fmt"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Options say what may happen and what must hold.
type Options struct {
	Crash bool // one container crashes, at any moment
	Node  bool // one node is lost, at any moment

	MinAvailable int // pods that must stay available; -1: desired - maxUnavailable, less what the crash or the node takes
	MaxPods      int // most pods, terminating ones included; -1: desired + maxSurge without terminating ones
	Max          int // schedules to enumerate
}

// Proof is the search through all schedules. It computes one run at a time: a caller asks how many are pending, runs them in any
// order or at the same time, and collects what they found, until nothing is pending.
type Proof struct {
	Plan    *sweep.Plan
	Options Options

	Schedules int             // that were run to their end
	Cut       bool            // there are more than Max
	Longest   int             // the most choices of a schedule
	Replicas  int             // desired when the update begins
	Counter   *Counterexample // the shortest one, nil if everything holds

	recording engine.Recording // with the update
	pending   [][]int
	results   []result
}

// Counterexample is a schedule in which something does not hold.
type Counterexample struct {
	Recording engine.Recording
	Says      string   // what does not hold
	At        int64    // when, in virtual ms
	Steps     []string // what the schedule chose until then
}

// result is what one run found.
type result struct {
	branches [][]int // schedules that part from it
	steps    int
	replicas int
	counter  *Counterexample
	err      error
}

// New prepares the search for a plan. Nothing is run yet but the way up to the update.
func New(plan *sweep.Plan, o Options) (*Proof, error) {
	text, err := plan.Probed()
	if err != nil {
		return nil, err
	}
	rec, reason := plan.Updating(new(scenario.Library), text)
	if reason != "" {
		return nil, fmt.Errorf("%s cannot be updated: %s", plan.Workload, reason)
	}
	return &Proof{Plan: plan, Options: o, recording: rec, pending: [][]int{nil}}, nil
}

// Pending returns how many runs are to be computed before Collect, 0 if the search is over.
func (p *Proof) Pending() int {
	p.results = make([]result, len(p.pending))
	return len(p.pending)
}

// Run computes the i-th pending run. Different ones may be computed at the same time, each with a library of its own.
func (p *Proof) Run(library *scenario.Library, i int) { p.results[i] = p.play(library, p.pending[i]) }

// Collect counts what the pending runs found. The schedules that part from them are pending next, unless they are longer than the
// shortest counterexample.
func (p *Proof) Collect() error {
	p.pending = nil
	for i := range p.results {
		r := &p.results[i]
		if r.err != nil {
			return r.err
		}
		p.Schedules++
		p.Longest, p.Replicas = max(p.Longest, r.steps), max(p.Replicas, r.replicas)
		if r.counter != nil && (p.Counter == nil || len(r.counter.Steps) < len(p.Counter.Steps)) {
			p.Counter = r.counter
		}
	}
	for i := range p.results {
		for _, b := range p.results[i].branches {
			if p.Counter == nil || len(b) < len(p.Counter.Steps) {
				p.pending = append(p.pending, b)
			}
		}
	}
	if more := p.Options.Max - p.Schedules; len(p.pending) > more {
		p.pending, p.Cut = p.pending[:max(0, more)], true
	}
	return nil
}
