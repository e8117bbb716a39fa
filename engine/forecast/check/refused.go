package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// refusal is a finding about an object that the API server refuses whatever is deployed.
type refusal struct {
	Finding
	key api.Key
}

// accept reads the new manifests without what the API server refuses whatever is deployed. The lines of all others stay.
func (c *Check) accept() (diagnostics []engine.Diagnostic) {
	for {
		c.source = scenario.Read(c.input.New)
		c.now, diagnostics = c.source.Scenario()
		docs, lines := yamltext.Split(c.input.New), strings.Split(c.input.New, "\n")
		refused := map[int]bool{}
		for _, d := range diagnostics {
			if d.Refused {
				c.refusals = append(c.refusals, refusalOf(docs[d.Document-1], d))
				refused[d.Document-1] = true
			}
		}
		if len(refused) == 0 {
			return diagnostics
		}
		for i, d := range docs {
			if refused[i] {
				clear(lines[d.First-1 : d.First-1+len(d.Lines)])
			}
		}
		c.input.New = strings.Join(lines, "\n")
	}
}

func refusalOf(d *yamltext.Document, why engine.Diagnostic) refusal {
	key, text := keyOf(treeOf(d)), why.Message
	if strings.Contains(why.Field, ".") && !strings.Contains(text, why.Field) { // the server's decoder does not say where
		text = why.Field + ": " + text
	}
	return refusal{Finding{Check: "accepted", Verdict: Fail, Object: key.Title(), Text: refuses + text, Field: why.Field,
		Line: why.Line}, key}
}

// hidesPods says whether a selector without pods means nothing: its pods may be those of a manifest that the API server refuses, and
// until that is corrected, what is deployed keeps running.
func (c *Check) hidesPods() bool { return len(c.refusals) > 0 }

const refuses = "The API server refuses this. "

// refusedNow returns the errors that kubectl prints for the manifests: in the update, and at the start if nothing else is deployed.
func (s *setting) refusedNow(p *past.Past) (lines []string) {
	for i := range p.Find(s.at) + 1 {
		if at := p.At(i); at < s.at && (at > 0 || s.old != "") {
			continue
		}
		for _, line := range p.Printed(i) {
			if line.Stderr && !strings.HasPrefix(line.Text, "Warning:") && !strings.Contains(line.Text, " is left out: ") {
				lines = append(lines, line.Text)
			}
		}
	}
	return lines
}

// refused lists what the API server refuses, at the field that it names, and the objects that it is about.
func (c *Check) refused() (list []Finding, objects map[api.Key]bool) {
	objects = map[api.Key]bool{}
	for _, r := range c.refusals {
		list, objects[r.key] = append(list, r.Finding), true
	}
	if len(c.settings) == 0 || len(c.settings[0].runs) == 0 {
		return list, objects
	}
	for _, text := range c.settings[0].runs[0].Refused {
		f := Finding{Check: "accepted", Verdict: Fail, Object: "the manifests", Text: refuses + text}
		for _, m := range c.now.Objects {
			key := m.Object.Key()
			kind, _, _ := strings.Cut(text, ` "`+key.Name+`"`)
			if kind != text && strings.Contains(strings.ToLower(kind), strings.ToLower(string(key.Kind))) {
				_, field, _ := strings.Cut(text, " is invalid: ")
				f.Field, _, _ = strings.Cut(strings.TrimLeft(field, "["), ": ")
				f.Object, f.Line = key.Title(), c.markLine(key, f.Field)
				objects[key] = true
			}
		}
		list = append(list, f)
	}
	return list, objects
}

// missing lists what is deployed now and not in the new manifests, if that matters to a rollout.
func (c *Check) missing() (list []Finding) {
	for _, m := range c.was.Objects {
		key := m.Object.Key()
		refused := slices.ContainsFunc(c.refusals, func(r refusal) bool { return r.key == key })
		if refused || c.now.Object(key) != nil || !kinds.Of(key.Kind).Revisions && !slices.Contains(guards, key.Kind) {
			continue
		}
		f := Finding{Check: "present", Verdict: Pass, Level: Warning, Object: key.Title(), Text: "It is deployed now and missing in " +
			"the new manifests. kubectl apply leaves it running, and whatever prunes deletes it. Was it renamed or removed?"}
		if kinds.Of(key.Kind).Revisions {
			f.Verdict = Unknown
			if name := c.successor(m.Object); name != "" {
				f.Text += " " + name + " is new and has the same pods; both run until the old one is deleted."
			}
		}
		list = append(list, f)
	}
	return list
}

// successor returns the name of a new workload of the same kind with the pods of one that is missing: it was renamed.
func (c *Check) successor(o api.Object) string {
	images := func(o api.Object) string {
		return words.Join(api.TemplateOf(o).Spec.Containers, " ", func(x api.Container) string {
			return x.Name + "=" + api.SplitImage(x.Image).Base()
		})
	}
	for _, m := range c.now.Objects {
		key := m.Object.Key()
		if key.Kind == o.Key().Kind && key.Namespace == o.Key().Namespace && c.was.Object(key) == nil && images(m.Object) == images(o) {
			return key.Title()
		}
	}
	return ""
}

// guards are the kinds without pods of their own that protect or reach workloads.
var guards = []api.Kind{api.KindPodDisruptionBudget, api.KindService, api.KindHorizontalPodAutoscaler}

// Unmatched returns an error for an entry of a policy that is about no object in any part of an update.
func Unmatched(p *Policy, parts ...*Check) error {
	for i := range p.Workloads {
		if w := &p.Workloads[i]; !w.Optional && !slices.ContainsFunc(parts, func(c *Check) bool { return c.has(w.matches) }) {
			return fmt.Errorf("%w: policy: workloads[%d]: no object of the manifests is or has %s; is it a typo? optional: true allows it",
				ErrInput, i, w)
		}
	}
	return nil
}

// has reports whether something holds for an object of the new manifests.
func (c *Check) has(holds func(api.Object) bool) bool {
	return len(c.refusals) > 0 || slices.ContainsFunc(c.now.Objects, func(m scenario.Manifest) bool { return holds(m.Object) })
}
