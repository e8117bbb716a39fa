// Package check judges an update before it is deployed: how low it goes, how long it takes, what it needs at its peak, and
// whether its budgets let nodes be drained. It computes one run at a time, so a caller may spread the runs over workers.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// Check is an update with the runs that judge it: one for each seed, then one for each budget. The runs are independent of each
// other, but those of the budgets need the first.
type Check struct {
	input   Input
	seeds   *sweep.Seeded
	long    *sweep.Seeded    // the same, for runs that may take a day
	source  *scenario.Source // of the new manifests
	updated []api.Key        // the workloads of the new manifests
	budgets []api.Key
	changes []engine.Command // the update
	at      int64            // when it is given

	unready map[string]string // the workloads that are not available even before the update, with the reason
	runs    []outcome
	drains  []drained
}

// outcome is the result of one seed.
type outcome struct {
	rollouts map[string]forecast.Rollout  // of the updated workloads; nil if the seed was not played
	stuck    map[string]diagnosis.Finding // why some are not complete
	requests map[string]requests          // to the updated workloads; nil if there is no Service
	cut      string                       // why the run ended before they could be
	refused  []string                     // the errors of kubectl
	end      int64
	state    map[api.Key]api.PodDisruptionBudgetStatus // of the first seed
	places   map[api.Key]string                        // a node with a pod of the budget
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
	c = &Check{input: in, source: scenario.Read(in.New), unready: map[string]string{}}
	s, diagnostics := c.source.Scenario()
	if s == nil {
		return nil, diagnostics, fmt.Errorf("%w: the manifests have errors", ErrInput)
	}
	c.collect(s)
	if len(c.updated) == 0 {
		return nil, diagnostics, fmt.Errorf("%w: there is no Deployment, StatefulSet or DaemonSet to judge", ErrInput)
	}
	if err := Unmatched(&in.Policy, c); err != nil && !in.Part {
		return nil, diagnostics, err
	}
	text, err := in.scenario()
	if err != nil {
		return nil, diagnostics, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if c.seeds, err = sweep.NewSeeded(text); err != nil {
		return nil, diagnostics, fmt.Errorf("%w: what is deployed now cannot be read: %w", ErrInput, err)
	}
	if text, err = scenario.SetSpec(c.seeds.Text(0), []string{"duration"}, "24h"); err == nil {
		c.long, err = sweep.NewSeeded(text)
	}
	if err != nil {
		return nil, diagnostics, err
	}
	if wrong, err := c.prepare(library); err != nil {
		return nil, wrong, err
	}
	c.runs, c.drains = make([]outcome, cmp.Or(in.Seeds, seedsFor(s))), make([]drained, len(c.budgets))
	return c, diagnostics, nil
}

// seedsFor returns how many runs judge an update by default. The more pods it has, the less one run differs from the next.
func seedsFor(s *scenario.Scenario) int {
	pods := 1
	for _, m := range s.Objects {
		switch o := m.Object.(type) {
		case *api.DaemonSet:
			pods += len(s.Nodes)
		case api.Scalable:
			pods += int(o.Replicas())
		}
	}
	return min(max(2500/pods, 3), 20)
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

// collect finds the workloads and budgets of the new manifests.
func (c *Check) collect(s *scenario.Scenario) {
	for _, m := range s.Objects {
		switch key := m.Object.Key(); {
		case kinds.Of(key.Kind).Revisions:
			c.updated = append(c.updated, key)
		case key.Kind == api.KindPodDisruptionBudget:
			c.budgets = append(c.budgets, key)
		}
	}
}

// scenario returns the text of the runs: the present manifests, the nodes, and the assumptions about images.
func (in *Input) scenario() (string, error) {
	text := cmp.Or(in.Old, in.New)
	objects, inline, err := readNodes(in.Nodes)
	if err != nil {
		return "", err
	}
	if objects != "" {
		text = strings.TrimRight(objects, "\n") + "\n---\n" + text
	}
	if inline == "" && len(in.Policy.Images) == 0 {
		return text, nil
	}
	head := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  seed: 1\n"
	return head + inline + in.Policy.images() + "---\n" + text, nil
}

// prepare plays what is deployed now, and decides when to update it: when everything has been available for a while, whatever
// the seed.
func (c *Check) prepare(library *scenario.Library) ([]engine.Diagnostic, error) {
	r, diagnostics := engine.StartIn(library, engine.Recording{Scenario: c.long.Text(0)})
	if r == nil {
		return diagnostics, fmt.Errorf("%w: what is deployed now has errors", ErrInput)
	}
	f := forecast.New(r.Past())
	for look := int64(patience); !r.Done() && !c.allUp(r, f); {
		if r.Advance(1 << 8); r.Now() > look {
			if look = r.Now() + patience; !moves(r, r.Workloads()) {
				break
			}
		}
	}
	if cut := r.Cut(); cut != "" {
		return nil, fmt.Errorf("%w: what is deployed now: %s", ErrInput, cut)
	}
	for _, w := range r.Workloads() {
		if list := f.Rollouts(w); len(list) > 0 && list[0].Result != forecast.Complete {
			c.unready[w] = diagnosis.Reason(r.Past(), w).Text
		} else if len(list) > 0 {
			c.at = max(c.at, list[0].End)
		}
	}
	c.at = (2*c.at+10_999)/1000*1000 + 1000
	if c.input.Old != "" {
		c.changes = []engine.Command{{At: c.at, Apply: c.input.New}}
		return nil, nil
	}
	for _, key := range c.updated {
		line := sweep.NewTags(r.Past().Objects(key.Kind, r.Len()-1), key)
		c.changes = append(c.changes, engine.Command{At: c.at, Run: line})
	}
	return nil, nil
}

// allUp reports whether every workload has been complete once.
func (c *Check) allUp(r *engine.Run, f *forecast.Forecast) bool {
	names := r.Workloads()
	return len(names) > 0 && !slices.ContainsFunc(names, func(w string) bool {
		list := f.Rollouts(w)
		return len(list) == 0 || list[0].Result != forecast.Complete
	})
}

// Seeds is how many runs there are before those of the budgets, Budgets how many of those.
func (c *Check) Seeds() int   { return len(c.runs) }
func (c *Check) Budgets() int { return len(c.drains) }

// Outcome and Drain return where Run and RunBudget keep a result, for callers that carry it to another process.
func (c *Check) Outcome(i int) any { return &c.runs[i] }
func (c *Check) Drain(i int) any   { return &c.drains[i] }

// recording returns the recording of a seed. A run ends after half an hour, unless the update comes late in it.
func (c *Check) recording(i int) engine.Recording {
	text := c.seeds
	if c.at > patience/2 {
		text = c.long
	}
	return engine.Recording{Scenario: text.Text(i), Commands: c.changes}
}

// Recording returns the run that shows the update: that of the first seed.
func (c *Check) Recording() engine.Recording { return c.recording(0) }

// line returns the line of an object in the new manifests.
func (c *Check) line(key api.Key) int { return c.source.Line(key.String()) }

// workloadName is how a person names a workload: deployment/web, deployment/web -n shop.
func workloadName(key api.Key) string {
	name := strings.ToLower(string(key.Kind)) + "/" + key.Name
	if key.Namespace != "default" {
		name += " -n " + key.Namespace
	}
	return name
}

func percent(n int) string { return strconv.Itoa(n) + "%" }
