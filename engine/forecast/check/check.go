// Package check judges an update before it is deployed: how low it goes, how long it takes, what it needs at its peak, and
// whether its budgets let nodes be drained. It computes one run at a time, so a caller may spread the runs over workers.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Input is an update and the limits that it must stay within.
type Input struct {
	Old    string // the manifests that are deployed now; "" if only the images change
	New    string // the manifests to deploy
	Nodes  string // Node objects, or nodes: and nodeGroups: as a Scenario has them; "" for three nodes with room for everything
	Policy Policy
	Seeds  int    // how many runs the percentiles come from; 0: 20, fewer of many pods
	Part   bool   // the manifests are a part of an update, so entries of the policy may be about others; see Unmatched
	Today  string // 2026-11-25: whatever annotations ignore until an earlier day counts again
}

// Check is an update with the runs that judge it: one for each seed of each setting, then one for each budget of each. The runs are
// independent of each other, but those of the budgets need the first seed.
type Check struct {
	input    Input
	source   *scenario.Source   // of the new manifests
	now      *scenario.Scenario // the new manifests; it is empty if nothing is left of them
	was      *scenario.Scenario // what is deployed now; it is empty if that is not given or cannot be read
	refusals []refusal          // what the API server refuses before it knows what is deployed
	updated  []api.Key          // the workloads of the new manifests
	budgets  []api.Key
	scalers  []autoscaled
	settings []*setting
	assumed  int  // how many nodes are assumed, 0 if they are given
	families bool // it is assumed that the cluster has the IP families of the Services
}

// outcome is the result of one seed. Its fields are exported because shards write it as JSON; see Outcome.
type outcome struct {
	Rollouts map[string]forecast.Rollout  // of the updated workloads; nil if the seed was not played
	Stuck    map[string]diagnosis.Finding // why some are not complete
	Requests map[string]requests          // to the updated workloads; nil if there is no Service
	Cut      string                       // why the run ended before they could be
	Refused  []string                     // the errors of kubectl
	End      int64
	Budgets  map[string]allowed // of the first seed
	Room     map[string]*crowd  // for the pods of Deployments, with the first seed
}

// ErrInput is the error for an input that cannot be judged.
var ErrInput = errors.New("bad input")

// New reads the input. Diagnostics name what is wrong with a text, file says which: old, new or nodes.
func New(library *scenario.Library, in Input) (c *Check, diagnostics []engine.Diagnostic, err error) {
	for _, text := range []string{in.New, in.Old} {
		if err := readable(text); err != nil && (text != "" || in.New == "") {
			return nil, nil, err
		}
	}
	c = &Check{input: in}
	c.input.New, c.input.Old = WithIPv4(in.New), WithIPv4(in.Old)
	c.families = c.input.New != in.New
	was, _ := scenario.Parse(c.input.Old)
	c.was = cmp.Or(was, &scenario.Scenario{})
	diagnostics = c.accept()
	switch {
	case c.now == nil && len(c.refusals) > 0 && !slices.ContainsFunc(diagnostics, wrong):
		c.now = &scenario.Scenario{}
		return c, diagnostics, nil
	case c.now == nil:
		return nil, diagnostics, fmt.Errorf("%w: the manifests have errors", ErrInput)
	}
	for _, m := range c.now.Objects {
		switch key := m.Object.Key(); {
		case kinds.Of(key.Kind).Revisions:
			c.updated = append(c.updated, key)
		case key.Kind == api.KindPodDisruptionBudget:
			c.budgets = append(c.budgets, key)
		}
	}
	if len(c.updated) == 0 && len(c.refusals) == 0 {
		return nil, diagnostics, fmt.Errorf("%w: there is no Deployment, StatefulSet or DaemonSet to judge", ErrInput)
	}
	if err := Unmatched(&in.Policy, c); err != nil && !in.Part {
		return nil, diagnostics, err
	}
	if len(c.updated) == 0 {
		return c, diagnostics, nil
	}
	c.input.Seeds = cmp.Or(in.Seeds, sweep.SeedsFor(c.now))
	c.findScalers()
	c.assumeNodes()
	for _, v := range c.variants() {
		more, err := c.prepare(library, v)
		if err != nil {
			return nil, append(diagnostics, more...), err
		}
	}
	return c, diagnostics, nil
}

// wrong reports whether a diagnostic is an error of an object; without a single object there is another one.
func wrong(d engine.Diagnostic) bool {
	return !d.Warning && !strings.HasPrefix(d.Message, "no objects passed to apply")
}

// readable returns an error for a text that cannot be a manifest.
func readable(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%w: there are no manifests", ErrInput)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Errorf("%w: this is no text in UTF-8; manifests are YAML or JSON", ErrInput)
	case slices.ContainsFunc(documentsOf(text), func(d api.Fields) bool { return d.Text("kind") == "Scenario" }):
		return fmt.Errorf("%w: this is a scenario; manifests are judged: its images belong into the policy, "+
			"its nodes into a file of their own", ErrInput)
	}
	return nil
}

// Seeds is how many runs there are before those of the budgets, Budgets how many of those.
func (c *Check) Seeds() int   { return len(c.settings) * c.input.Seeds }
func (c *Check) Budgets() int { return len(c.drained()) * len(c.budgets) }

// of returns the setting of a run, and the seed in it.
func (c *Check) of(run int) (*setting, int) {
	return c.settings[run/c.input.Seeds], run % c.input.Seeds
}

// Run plays the i-th run.
func (c *Check) Run(i int, library *scenario.Library) {
	s, seed := c.of(i)
	s.run(seed, library)
}

// RunBudget drains the node with the most pods of a budget, after the update of the first seed of a setting.
func (c *Check) RunBudget(i int, library *scenario.Library) {
	c.drained()[i/len(c.budgets)].drain(i%len(c.budgets), library)
}

// Outcome and Drain return where Run and RunBudget keep a result, for callers that carry it to another process. FirstOf returns the run
// that a drain follows.
func (c *Check) Outcome(i int) any {
	s, seed := c.of(i)
	return &s.runs[seed]
}
func (c *Check) Drain(i int) any { return &c.drained()[i/len(c.budgets)].drains[i%len(c.budgets)] }
func (c *Check) FirstOf(i int) int {
	return slices.Index(c.settings, c.drained()[i/len(c.budgets)]) * c.input.Seeds
}

// Recording returns the run that shows the update: that of the first seed. Without anything to play it is empty.
func (c *Check) Recording() (rec engine.Recording) {
	if len(c.settings) > 0 {
		rec = c.settings[0].recording(0)
	}
	return rec
}

// line returns the line of an object in the new manifests.
func (c *Check) line(key api.Key) int { return c.source.Line(key.String()) }
