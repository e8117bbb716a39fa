package check

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
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
	Images    []map[string]string // as in a Scenario: {match: "web:*", start: 5s..20s}
	Workloads []Exception         // other limits for some
}

// Exception has the limits of one workload. A limit that it leaves out is that of the policy.
type Exception struct {
	Name string // deployment/web, or web
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
	p.Images = read.Images
	p.Limits.set(read.Limits)
	for _, limits := range read.Workloads {
		e := Exception{Name: limits["name"]}
		e.Limits.set(limits)
		p.Workloads = append(p.Workloads, e)
	}
	return p, p.Validate()
}

// Validate returns an error for a limit that is not valid.
func (p *Policy) Validate() error {
	if err := p.Limits.validate("policy"); err != nil {
		return err
	}
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if w.Name == "" {
			return fmt.Errorf("%w: policy: workloads[%d] needs a name", ErrInput, i)
		}
		if err := w.Limits.validate(w.Name); err != nil {
			return err
		}
	}
	return nil
}

func (l *Limits) validate(of string) error {
	for _, x := range []struct{ name, value string }{{"maxOutage", l.MaxOutage}, {"maxDuration", l.MaxDuration}} {
		if _, err := scenario.ParseDuration(x.value); x.value != "" && err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrInput, of, x.name, err)
		}
	}
	for _, x := range []struct{ name, value string }{{"maxCPU", l.MaxCPU}, {"maxMemory", l.MaxMemory}, {"maxPods", l.MaxPods}} {
		if _, err := api.ParseQuantity(x.value); x.value != "" && err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrInput, of, x.name, err)
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

// of returns the limits of a workload.
func (p *Policy) of(key api.Key) Limits {
	l := p.Limits
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if w.matches(key) {
			l.Override(&w.Limits)
		}
	}
	return l
}

func (e *Exception) matches(key api.Key) bool {
	return e.Name == key.Name || strings.EqualFold(e.Name, string(key.Kind)+"/"+key.Name)
}

// images writes the times of images as a Scenario does.
func (p *Policy) images() string {
	if len(p.Images) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  images:\n")
	for _, image := range p.Images {
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(image)) {
			value := strconv.Quote(image[name])
			if name == "exitCode" {
				value = image[name]
			}
			fields = append(fields, name+": "+value)
		}
		b.WriteString("  - {" + strings.Join(fields, ", ") + "}\n")
	}
	return b.String()
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
		if *from[name] != "" {
			*to = *from[name]
		}
	}
}
