package check

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// Limits are the limits of an update. An empty field means no limit.
type Limits struct {
	MinAvailable string // of the desired pods at the worst moment: 75%, or a number of pods
	MaxOutage    string // with 0 available: 0s, 30s
	MaxDuration  string // of 95 % of the seeds: 10m
	MaxPods      string // including terminating ones
	MaxCPU       string // that these request: 4, 500m
	MaxMemory    string // 8Gi
	MaxFailed    string // of the requests, in the worst seed: 0.01%, or a number of them
	Drainable    string // false: a budget may block drains
}

// fields are the limits by their names.
func (l *Limits) fields() map[string]*string {
	return map[string]*string{"minAvailable": &l.MinAvailable, "maxOutage": &l.MaxOutage, "maxDuration": &l.MaxDuration,
		"maxPods": &l.MaxPods, "maxCPU": &l.MaxCPU, "maxMemory": &l.MaxMemory, "maxFailed": &l.MaxFailed,
		"drainable": &l.Drainable}
}

// set sets the limits that a document has.
func (l *Limits) set(given map[string]string) {
	for name, to := range l.fields() {
		*to = given[name]
	}
}

// Policy holds the limits of a team and the times of its images.
type Policy struct {
	Limits
	Extends   string              // the file of the policy to inherit from, which the caller reads
	Images    []map[string]string // as in a Scenario: {match: "web:*", start: 5s..20s}
	Workloads []Exception         // other limits for some, later ones first
}

// Exception has the limits of the workloads that match all that it says. A limit that it leaves out is that of the policy.
type Exception struct {
	Name      string // deployment/web, web, or a pattern: web-*
	Namespace string // or a pattern
	Labels    map[string]string
	Optional  bool // it may match nothing
	Limits
}

// ReadPolicy reads a policy file: an object of kind Policy, whose spec has the limits.
func ReadPolicy(text string) (p Policy, err error) {
	read, diagnostics := scenario.ReadPolicy(text)
	switch {
	case len(diagnostics) > 0:
		return p, fmt.Errorf("%w: policy: line %d: %s", ErrInput, diagnostics[0].Line, diagnostics[0].Message)
	case read == nil:
		return p, fmt.Errorf("%w: policy: it must have apiVersion: rollplay/v1alpha1 and kind: Policy", ErrInput)
	}
	p.Images, p.Extends = read.Images, read.Extends
	p.Limits.set(read.Limits)
	for i, w := range read.Workloads {
		e := Exception{Name: w.Limits["name"], Namespace: w.Limits["namespace"], Labels: w.Labels, Optional: w.Limits["optional"] == "true"}
		if !slices.Contains([]string{"", "true", "false"}, w.Limits["optional"]) {
			return p, fmt.Errorf("%w: policy: workloads[%d]: optional: it must be true or false", ErrInput, i)
		}
		e.Limits.set(w.Limits)
		p.Workloads = append(p.Workloads, e)
	}
	return p, p.Validate()
}

// Inherit adds what another policy says. Limits of p come first, and its entries come before those of the other, which may match
// nothing: they are for many manifests.
func (p *Policy) Inherit(from Policy) {
	from.Limits.Override(&p.Limits)
	p.Limits = from.Limits
	p.Images = append(slices.Clip(p.Images), from.Images...)
	for i := range from.Workloads {
		from.Workloads[i].Optional = true
	}
	p.Workloads = append(from.Workloads, p.Workloads...)
}

// Validate returns an error for a limit that is not valid.
func (p *Policy) Validate() error {
	if err := p.Limits.validate("policy"); err != nil {
		return err
	}
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if err := w.Limits.validate(fmt.Sprintf("policy: workloads[%d]", i)); err != nil {
			return err
		}
		if w.Name == "" && w.Namespace == "" && len(w.Labels) == 0 {
			return fmt.Errorf("%w: policy: workloads[%d] needs a name, a namespace or labels", ErrInput, i)
		}
		for _, pattern := range append(slices.Collect(maps.Values(w.Labels)), w.Name, w.Namespace) {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%w: policy: workloads[%d]: %q is no pattern; a [ is written \\[", ErrInput, i, pattern)
			}
		}
	}
	return nil
}

func (l *Limits) validate(of string) error {
	for _, name := range []string{"maxOutage", "maxDuration", "maxCPU", "maxMemory", "maxPods"} {
		value := *l.fields()[name]
		_, err := api.ParseQuantity(value)
		if name == "maxOutage" || name == "maxDuration" {
			_, err = scenario.ParseDuration(value)
		}
		if value != "" && err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrInput, of, name, err)
		}
	}
	if n, err := strconv.Atoi(strings.TrimSuffix(l.MinAvailable, "%")); l.MinAvailable != "" && (err != nil || n < 0) {
		return fmt.Errorf("%w: %s: minAvailable must be a number of pods or a percentage: 3, 75%%", ErrInput, of)
	}
	if _, _, ok := shareOf(l.MaxFailed); l.MaxFailed != "" && !ok {
		return fmt.Errorf("%w: %s: maxFailed must be a number of requests or a percentage: 0, 0.01%%", ErrInput, of)
	}
	if !slices.Contains([]string{"", "true", "false"}, l.Drainable) {
		return fmt.Errorf("%w: %s: drainable must be true or false", ErrInput, of)
	}
	return nil
}

// of returns the limits of a workload or a budget.
func (p *Policy) of(o api.Object) Limits {
	l := p.Limits
	for i := range p.Workloads {
		if w := &p.Workloads[i]; w.matches(o) {
			l.Override(&w.Limits)
		}
	}
	return l
}

// matches reports whether an object has the name, the namespace and the labels of an entry.
func (e *Exception) matches(o api.Object) bool {
	kind, name, named := strings.Cut(e.Name, "/")
	if !named {
		kind, name = "", kind
	}
	for label, pattern := range e.Labels {
		if value, has := o.Meta().Labels[label]; !has || !fits(pattern, value) {
			return false
		}
	}
	return (kind == "" || strings.EqualFold(kind, string(o.Key().Kind))) && (name == "" || fits(name, o.Key().Name)) &&
		(e.Namespace == "" || fits(e.Namespace, o.Key().Namespace))
}

// fits reports whether a text fits a pattern with * and ?. A slash, which labels may not have, is a letter like others.
func fits(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	return ok && err == nil
}

// String names an entry of a policy.
func (e *Exception) String() string {
	list := []string{}
	for _, x := range []struct{ name, value string }{{"name", e.Name}, {"namespace", e.Namespace}} {
		if x.value != "" {
			list = append(list, x.name+" "+x.value)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(e.Labels)) {
		list = append(list, "label "+label+"="+e.Labels[label])
	}
	return strings.Join(list, ", ")
}

// saysGates says whether the policy has the time of readiness gates.
func (p *Policy) saysGates() bool {
	return slices.ContainsFunc(p.Images, func(image map[string]string) bool { return image["gate"] != "" })
}

// images writes the times of images as a Scenario does. Readiness gates of which nobody says anything open at once.
func (p *Policy) images() string {
	images := p.Images
	if !p.saysGates() {
		images = nil
		for _, image := range append(slices.Clip(p.Images), map[string]string{"match": "*"}) {
			image = maps.Clone(image)
			image["gate"] = "0s"
			images = append(images, image)
		}
	}
	return "  images:\n" + words.Join(images, "", func(image map[string]string) string {
		return "  - {" + words.Join(slices.Sorted(maps.Keys(image)), ", ", func(name string) string {
			if name == "exitCode" {
				return name + ": " + image[name]
			}
			return name + ": " + strconv.Quote(image[name])
		}) + "}\n"
	})
}

// readNodes returns the Node objects of a text, or its fields nodes and nodeGroups as those of a Scenario.
func readNodes(text string) (objects, inline string, err error) {
	docs := yamltext.Split(text)
	if len(docs) == 0 {
		return "", "", nil
	}
	v, err := docs[0].Value()
	doc, _ := v.(map[string]any)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("nodes: %w", err)
	case doc["kind"] != nil:
		return text, "", nil
	case doc["nodes"] == nil && doc["nodeGroups"] == nil:
		return "", "", errors.New("nodes: expected Node objects, or nodes: {count: 3, cpu: 4, memory: 16Gi}, " +
			"or nodeGroups: [{name: pool, max: 3, cpu: 4}]")
	}
	for _, name := range []string{"nodes", "nodeGroups"} {
		if doc[name] != nil {
			inline += "  " + name + ": " + string(api.JSON(doc[name])) + "\n" // which is YAML, too
		}
	}
	return "", inline, nil
}

// Override replaces limits by those that are given.
func (l *Limits) Override(by *Limits) {
	from := by.fields()
	for name, to := range l.fields() {
		*to = cmp.Or(*from[name], *to)
	}
}
