package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
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
func (c *Check) variants(s *scenario.Scenario) []variant {
	list := c.scaled(variant{old: withoutScalers(c.input.Old), new: withoutScalers(c.input.New)})
	if about := c.unrolled(s); len(about) > 0 {
		for _, v := range list {
			says := strings.TrimSuffix("at the next update, "+v.says, ", ")
			list = append(list, variant{new: v.new, about: about, says: says, next: true})
		}
	}
	return list
}

// withoutScalers returns a text without its autoscalers: without a load they would be refused. A List keeps them.
func withoutScalers(text string) string {
	without, err := sweep.DropKind(text, string(api.KindHorizontalPodAutoscaler))
	if err != nil {
		return text
	}
	return without
}

// scaled returns a variant with the fewest and the most replicas that autoscalers allow, or as it is without one.
func (c *Check) scaled(v variant) []variant {
	least, most, bounds := v, v, map[string]bool{}
	for _, a := range c.autoscalers() {
		for _, x := range []struct {
			to *variant
			n  int64
		}{{&least, a.min}, {&most, a.max}} {
			for _, text := range []*string{&x.to.old, &x.to.new} {
				if edited, err := sweep.SetField(*text, a.target, []string{"replicas"}, strconv.FormatInt(x.n, 10)); err == nil {
					*text = edited
				}
			}
		}
		bounds[fmt.Sprintf("%d-%d", a.min, a.max)] = true
		least.says, most.says = "with "+replicas(a.min), "with "+replicas(a.max)
	}
	if len(bounds) > 1 {
		least.says, most.says = "with the fewest replicas of the autoscalers", "with the most replicas of the autoscalers"
	}
	if least.new == most.new && least.old == most.old {
		return []variant{least}
	}
	return []variant{most, least}
}

func replicas(n int64) string {
	if n == 1 {
		return "1 replica"
	}
	return strconv.FormatInt(n, 10) + " replicas"
}

// autoscaled is a workload of the new manifests with the bounds of its HorizontalPodAutoscaler.
type autoscaled struct {
	target, scaler api.Key
	spec           api.Fields // of the autoscaler
	min, max       int64
}

// autoscalers lists the workloads that have one. The manifests are read as they are written: an autoscaler by other metrics than cpu is
// not simulated, and decides all the same.
func (c *Check) autoscalers() (list []autoscaled) {
	for _, d := range documentsOf(c.input.New) {
		meta, spec := d.Object("metadata"), d.Object("spec")
		target := spec.Object("scaleTargetRef")
		key := api.Key{Kind: api.Kind(target.Text("kind")), Name: target.Text("name"),
			Namespace: cmp.Or(meta.Text("namespace"), api.NamespaceDefault)}
		if d.Text("kind") == string(api.KindHorizontalPodAutoscaler) && slices.Contains(c.updated, key) {
			scaler := api.Key{Kind: api.KindHorizontalPodAutoscaler, Name: meta.Text("name"), Namespace: key.Namespace}
			least := max(1, number(spec["minReplicas"]))
			list = append(list, autoscaled{key, scaler, spec, least, max(least, number(spec["maxReplicas"]))})
		}
	}
	return list
}

// number returns a whole number of a document, 0 for anything else.
func number(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

// unrolled returns the workloads that change, or whose surroundings do, while their pod template stays.
func (c *Check) unrolled(s *scenario.Scenario) map[api.Key]bool {
	before, _ := scenario.Parse(c.input.Old)
	if before == nil {
		return nil
	}
	was := map[api.Key]scenario.Manifest{}
	for _, m := range before.Objects {
		was[m.Object.Key()] = m
	}
	about, around := map[api.Key]bool{}, map[string]bool{}
	var same []api.Key
	for _, m := range s.Objects {
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
	for key, changed := range about {
		if !changed {
			delete(about, key)
		}
	}
	return about
}

// drained returns the settings in which nodes are drained.
func (c *Check) drained() []*setting {
	return slices.DeleteFunc(slices.Clone(c.settings), func(s *setting) bool { return s.next })
}

// scenario returns the text of the runs: the present manifests, the nodes, and the assumptions about images.
func (c *Check) scenario(v *variant) (string, error) {
	text := cmp.Or(v.old, v.new)
	objects, inline, err := readNodes(c.input.Nodes)
	if err != nil {
		return "", err
	}
	if objects != "" {
		text = strings.TrimRight(objects, "\n") + "\n---\n" + text
	}
	if inline == "" && len(c.input.Policy.Images) == 0 {
		return text, nil
	}
	head := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  seed: 1\n"
	return head + inline + c.input.Policy.images() + "---\n" + text, nil
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
	for look := int64(patience); !r.Done() && !s.allUp(r, f); {
		if r.Advance(1 << 8); r.Now() > look {
			if look = r.Now() + patience; !moves(r, r.Workloads()) {
				break
			}
		}
	}
	for _, w := range r.Workloads() {
		if list := f.Rollouts(w); len(list) > 0 && list[0].Result != forecast.Complete {
			s.unready[w] = reason(r.Past(), w)
		} else if len(list) > 0 {
			s.at = max(s.at, list[0].End)
		}
	}
	s.at = (2*s.at+10_999)/1000*1000 + 1000
	return r.Cut()
}

// allUp reports whether every workload has been complete once.
func (s *setting) allUp(r *engine.Run, f *forecast.Forecast) bool {
	names := r.Workloads()
	return len(names) > 0 && !slices.ContainsFunc(names, func(w string) bool {
		list := f.Rollouts(w)
		return len(list) == 0 || list[0].Result != forecast.Complete
	})
}

// judges reports whether the setting is about a workload.
func (s *setting) judges(key api.Key) bool { return s.about == nil || s.about[key] }

// recording returns the recording of a seed. A run ends after half an hour, unless the update comes late in it.
func (s *setting) recording(seed int) engine.Recording {
	text := s.seeds
	if s.at > patience/2 {
		text = s.long
	}
	return engine.Recording{Scenario: text.Text(seed), Commands: s.changes}
}
