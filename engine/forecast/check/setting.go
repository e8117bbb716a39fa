package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// variant is one way to play the update: as it is, with the fewest or the most replicas of its autoscalers, or the update after it.
type variant struct {
	old, new string
	says     string           // "with 9 replicas", "" for the update as it is
	about    map[api.Key]bool // the workloads that it judges, nil for all
	next     bool             // it is the update after this one: every container of them gets a new image
}

// setting is a variant with its runs.
type setting struct {
	*Check
	variant
	seeds   *sweep.Seeded
	long    *sweep.Seeded    // the same, for runs that may take a day
	changes []engine.Command // the update
	at      int64            // when it is given

	unready map[string]diagnosis.Finding // the workloads that are not available even before the update, with the reason
	runs    []outcome
	drains  []drained
}

// variants lists the ways to play an update. Autoscalers decide the replicas, so that the fewest and the most take the place of those in
// the manifest. What an update changes without rolling it out shows at the next one.
func (c *Check) variants() []variant {
	list := c.scaled()
	if about := c.unrolled(); len(about) > 0 {
		for _, v := range list {
			says := strings.TrimSuffix("at the next update, "+v.says, ", ")
			list = append(list, variant{new: v.new, about: about, says: says, next: true})
		}
	}
	return list
}

// scaled returns the update with the most and the fewest replicas that autoscalers allow, or as it is without one.
func (c *Check) scaled() []variant {
	if len(c.scalers) == 0 {
		return []variant{{old: c.input.Old, new: c.input.New}}
	}
	most, least, bounds := map[api.Key]int64{}, map[api.Key]int64{}, map[[2]int64]bool{}
	for _, a := range c.scalers {
		most[a.target], least[a.target], bounds[[2]int64{a.min, a.max}] = a.max, a.min, true
	}
	list := make([]variant, 2)
	for i, n := range []map[api.Key]int64{most, least} {
		says := "with " + words.Plural(int(n[c.scalers[0].target]), "replica")
		if len(c.scalers) == 1 && len(c.updated) > 1 {
			says += " of " + c.scalers[0].target.Title()
		}
		list[i] = variant{old: withReplicas(c.input.Old, n), new: withReplicas(c.input.New, n), says: says}
	}
	if len(bounds) > 1 {
		list[0].says, list[1].says = "with the most replicas of the autoscalers", "with the fewest replicas of the autoscalers"
	}
	if list[0].new == list[1].new && list[0].old == list[1].old {
		return list[:1]
	}
	return list
}

// withReplicas returns a text whose workloads have other replicas. It lacks the autoscalers, which would change them.
func withReplicas(text string, n map[api.Key]int64) string {
	var docs []string
	for _, d := range yamltext.Split(text) {
		breath.Take()
		key, edited := keyOf(treeOf(d)), d.Text
		switch {
		case key.Kind == api.KindHorizontalPodAutoscaler:
			continue
		case key.Kind == "List":
			for key := range n {
				edited = cmp.Or(withField(edited, key, n[key]), edited)
			}
		case n[key] > 0:
			edited = cmp.Or(withField(edited, key, n[key]), edited)
		}
		docs = append(docs, edited)
	}
	return strings.Join(docs, "---\n")
}

// withField returns a text with other replicas of a workload, "" if it has none that can be edited.
func withField(text string, key api.Key, n int64) string {
	text, _ = sweep.SetField(text, key, []string{"replicas"}, strconv.FormatInt(n, 10))
	return text
}

// keyOf returns the key of a document.
func keyOf(d api.Fields) api.Key {
	meta := d.Object("metadata")
	return api.Key{Kind: api.Kind(d.Text("kind")), Name: meta.Text("name"), Namespace: cmp.Or(meta.Text("namespace"), api.NamespaceDefault)}
}

// autoscaled is a workload of the new manifests with the bounds of its HorizontalPodAutoscaler.
type autoscaled struct {
	target, scaler api.Key
	spec           api.Fields // of the autoscaler
	min, max       int64
}

// findScalers finds the workloads that have one. The manifests are read as they are written: one whose metrics are not
// simulated decides all the same.
func (c *Check) findScalers() {
	for _, d := range documentsOf(c.input.New) {
		scaler, spec := keyOf(d), d.Object("spec")
		target := spec.Object("scaleTargetRef")
		key := api.Key{Kind: api.Kind(target.Text("kind")), Name: target.Text("name"), Namespace: scaler.Namespace}
		if scaler.Kind == api.KindHorizontalPodAutoscaler && slices.Contains(c.updated, key) {
			least := max(1, number(spec["minReplicas"]))
			c.scalers = append(c.scalers, autoscaled{key, scaler, spec, least, max(least, number(spec["maxReplicas"]))})
		}
	}
}

// number returns a whole number of a document, 0 for anything else.
func number(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

// unrolled returns the workloads that change, or whose surroundings do, while their pod template stays.
func (c *Check) unrolled() map[api.Key]bool {
	was := map[api.Key]scenario.Manifest{}
	for _, m := range c.was.Objects {
		was[m.Object.Key()] = m
	}
	about, around := map[api.Key]bool{}, map[string]bool{}
	var same []api.Key
	for _, m := range c.now.Objects {
		key := m.Object.Key()
		old, known := was[key]
		changed := !known || !bytes.Equal(old.JSON, m.JSON)
		switch {
		case !kinds.Of(key.Kind).Revisions:
			around[key.Namespace] = around[key.Namespace] || changed
		case known && api.TemplateOf(old.Object).Equal(api.TemplateOf(m.Object)):
			if about[key] = changed; !changed {
				same = append(same, key)
			}
		}
	}
	for _, key := range same {
		about[key] = around[key.Namespace] || around[""]
	}
	maps.DeleteFunc(about, func(_ api.Key, changed bool) bool { return !changed })
	return about
}

// drained returns the settings in which nodes are drained.
func (c *Check) drained() []*setting {
	return slices.DeleteFunc(slices.Clone(c.settings), func(s *setting) bool { return s.next })
}

// scenario returns the text of the runs: the present manifests, the nodes, and the assumptions about images.
func (c *Check) scenario(v *variant) (string, error) {
	text := cmp.Or(v.old, v.new)
	if v.old != "" {
		for _, key := range c.resumed() { // a paused one would have no pods, not those of an earlier template
			edited, _ := sweep.SetField(text, key, []string{"paused"}, "false")
			text = cmp.Or(edited, text)
		}
	}
	objects, inline, err := readNodes(c.input.Nodes)
	if err != nil {
		return "", err
	}
	if objects != "" {
		text = strings.TrimRight(objects, "\n") + "\n---\n" + text
	}
	head := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  seed: 1\n"
	return head + inline + c.input.Policy.images() + "---\n" + text, nil
}

// resumed lists the Deployments that are paused until the update.
func (c *Check) resumed() []api.Key {
	paused := func(o api.Object) bool { d, ok := o.(*api.Deployment); return ok && d.Spec.Paused }
	return slices.DeleteFunc(slices.Clone(c.updated), func(key api.Key) bool { return !paused(c.was.Object(key)) || paused(c.now.Object(key)) })
}

// prepare adds a setting. It plays what is deployed now, and decides when to update it: when everything has been available for a while,
// whatever the seed.
func (c *Check) prepare(library *scenario.Library, v variant) ([]engine.Diagnostic, error) {
	s := &setting{Check: c, variant: v, unready: map[string]diagnosis.Finding{}, runs: make([]outcome, c.input.Seeds),
		drains: make([]drained, len(c.budgets))}
	text, err := c.scenario(&v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if s.seeds, err = sweep.NewSeeded(text); err != nil {
		return nil, fmt.Errorf("%w: what is deployed now cannot be read: %w", ErrInput, err)
	}
	if text, err = scenario.SetSpec(s.seeds.Text(0), []string{"duration"}, "24h"); err == nil {
		s.long, err = sweep.NewSeeded(text)
	}
	if err != nil {
		return nil, err
	}
	r, diagnostics := engine.StartIn(library, engine.Recording{Scenario: s.long.Text(0)})
	if r == nil {
		return diagnostics, fmt.Errorf("%w: what is deployed now has errors", ErrInput)
	}
	if cut := s.settle(r); cut != "" {
		return nil, fmt.Errorf("%w: what is deployed now: %s", ErrInput, cut)
	}
	if c.settings = append(c.settings, s); v.old != "" {
		s.changes = []engine.Command{{At: s.at, Apply: v.new}}
		return nil, nil
	}
	for _, key := range c.updated {
		if s.judges(key) {
			line := sweep.NewTags(r.Past().Objects(key.Kind, r.Len()-1), key)
			s.changes = append(s.changes, engine.Command{At: s.at, Run: line})
		}
	}
	return nil, nil
}

// settle plays until what is deployed is available, and returns why the run ended before.
func (s *setting) settle(r *engine.Run) (cut string) {
	f := forecast.New(r.Past())
	up := func() bool { // every workload has been complete once
		names := r.Workloads()
		return len(names) > 0 && !slices.ContainsFunc(names, func(w string) bool {
			list := f.Rollouts(w)
			return len(list) == 0 || list[0].Result != forecast.Complete
		})
	}
	sweep.Play(r, up, func() bool { return sweep.Moves(r, r.Workloads()...) })
	for _, w := range r.Workloads() {
		if list := f.Rollouts(w); len(list) > 0 && list[0].Result != forecast.Complete {
			s.unready[w] = causeOf(r.Past(), w)
		} else if len(list) > 0 {
			s.at = max(s.at, list[0].End)
		}
	}
	s.at = 2*s.at/1000*1000 + 12_000
	return r.Cut()
}

// judges reports whether the setting is about a workload.
func (s *setting) judges(key api.Key) bool { return s.about == nil || s.about[key] }

// recording returns the recording of a seed. A run ends after half an hour, unless the update comes late in it.
func (s *setting) recording(seed int) engine.Recording {
	text := s.seeds
	if s.at > sweep.Patience/2 {
		text = s.long
	}
	return engine.Recording{Scenario: text.Text(seed), Commands: s.changes}
}
