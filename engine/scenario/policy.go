package scenario

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/yamltext"
)

const policyKind = "Policy"

// limitNames are the limits that a policy may set.
var limitNames = []string{"minAvailable", "maxOutage", "maxDuration", "maxPods", "maxCPU", "maxMemory", "maxFailed", "drainable"}

// Policy is what a document of kind Policy says: the limits by their names, and the behaviour of images as it is written.
type Policy struct {
	Extends   string // the file of the policy that it inherits from
	Limits    map[string]string
	Images    []map[string]string
	Workloads []PolicyEntry
}

// PolicyEntry is an entry of the workloads. Its limits also have "name", "namespace" and "optional".
type PolicyEntry struct{ Limits, Labels map[string]string }

// ReadPolicy reads the first document of a text. A document of another kind is no Policy: then both results are nil.
func ReadPolicy(text string) (*Policy, []Diagnostic) {
	docs := yamltext.Split(text)
	if len(docs) == 0 {
		return nil, nil
	}
	d := &document{Document: docs[0]}
	if wrong := d.read(); len(wrong) > 0 {
		return nil, wrong
	}
	if d.value["apiVersion"] != scenarioVersion || d.value["kind"] != policyKind {
		return nil, nil
	}
	p := &Policy{Limits: map[string]string{}}
	r := &specReader{scenario: &Scenario{}, doc: d}
	known := r.limits(p.Limits)
	known["extends"], known["images"], known["workloads"] = r.text(&p.Extends), r.list(r.policyImage(p)), r.list(r.exception(p))
	r.kind(d, known)
	return p, r.diagnostics
}

// limits returns readers for limits, which may be written as texts, numbers or booleans.
func (r *specReader) limits(to map[string]string, more ...string) fields {
	known := fields{}
	for _, name := range append(more, limitNames...) {
		known[name] = func(path string, v any) {
			s, ok := word(v)
			if b, isBool := v.(bool); isBool {
				s, ok = strconv.FormatBool(b), true
			}
			if to[name] = s; !ok {
				r.invalid(path, v, "must be a text or a number")
			}
		}
	}
	return known
}

// policyImage reads an entry of the images, as strictly as that of a Scenario.
func (r *specReader) policyImage(p *Policy) func(string, any) {
	return func(path string, v any) {
		r.image(path, v)
		m, _ := v.(map[string]any)
		image := map[string]string{}
		for name, v := range m {
			image[name], _ = word(v)
		}
		p.Images = append(p.Images, image)
	}
}

func (r *specReader) exception(p *Policy) func(string, any) {
	return func(path string, v any) {
		e := PolicyEntry{Limits: map[string]string{}}
		known := r.limits(e.Limits, "name", "namespace", "optional")
		known["labels"] = r.texts(&e.Labels)
		r.object(path, v, known)
		p.Workloads = append(p.Workloads, e)
	}
}
