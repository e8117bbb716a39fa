package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// refusals returns the errors that kubectl prints for the update.
func (c *Check) refusals(p *past.Past) (lines []string) {
	for i := p.Find(c.at-1) + 1; i < p.Len() && p.At(i) <= c.at; i++ {
		for _, line := range p.Printed(i) {
			if line.Stderr && !strings.HasPrefix(line.Text, "Warning:") {
				lines = append(lines, line.Text)
			}
		}
	}
	return lines
}

// refused lists what the API server refuses, at the field that it names, and the objects that it is about.
func (c *Check) refused() (list []Finding, objects map[api.Key]bool) {
	objects = map[api.Key]bool{}
	s, _ := c.source.Scenario()
	for _, text := range c.runs[0].refused {
		f := Finding{Check: "accepted", Verdict: Fail, Object: "the manifests", Text: "The API server refuses this. " + text}
		for _, m := range s.Objects {
			key := m.Object.Key()
			kind, _, _ := strings.Cut(text, ` "`+key.Name+`"`)
			if kind != text && strings.Contains(strings.ToLower(kind), strings.ToLower(string(key.Kind))) {
				f.Object, f.Line = workloadName(key), c.fieldLine(key, text)
				objects[key] = true
			}
		}
		list = append(list, f)
	}
	return list, objects
}

// fieldLine returns the line of the field that an error is about: spec.selector: Invalid value: …
func (c *Check) fieldLine(key api.Key, text string) int {
	_, field, _ := strings.Cut(text, " is invalid: ")
	field, _, _ = strings.Cut(strings.TrimLeft(field, "["), ": ")
	return c.markLine(key, field)
}

// missing lists the workloads that are deployed now and not in the new manifests.
func (c *Check) missing() (list []Finding) {
	s, _ := scenario.Parse(c.input.Old)
	if s == nil || c.input.Old == "" {
		return nil
	}
	for _, m := range s.Objects {
		if key := m.Object.Key(); kinds.Of(key.Kind).Revisions && c.object(key) == nil {
			list = append(list, Finding{Check: "present", Verdict: Unknown, Object: workloadName(key), Text: "It is deployed now and missing in the new " +
				"manifests. kubectl apply leaves it running, and whatever prunes deletes it. Was it renamed or removed?"})
		}
	}
	return list
}

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
	s, _ := c.source.Scenario()
	return slices.ContainsFunc(s.Objects, func(m scenario.Manifest) bool { return holds(m.Object) })
}
