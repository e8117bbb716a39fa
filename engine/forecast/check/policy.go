package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Limits are the limits of an update. An empty field means no limit.
type Limits struct {
	MinAvailable string `yaml:"minAvailable"` // of the desired pods at the worst moment: 75%, or a number of pods
	MaxOutage    string `yaml:"maxOutage"`    // with 0 available: 0s, 30s
	MaxDuration  string `yaml:"maxDuration"`  // of 95 % of the seeds: 10m
	MaxPods      string `yaml:"maxPods"`      // including terminating ones
	MaxCPU       string `yaml:"maxCPU"`       // that these request: 4, 500m
	MaxMemory    string `yaml:"maxMemory"`    // 8Gi
	Drainable    string `yaml:"drainable"`    // false: a budget may block drains
}

// Policy holds the limits of a team and the times of its images.
type Policy struct {
	Limits    `yaml:",inline"`
	Images    []map[string]string `yaml:"images"`    // as in a Scenario: {match: "web:*", start: 5s..20s}
	Workloads []Exception         `yaml:"workloads"` // other limits for some
}

// Exception has the limits of one workload. A limit that it leaves out is that of the policy.
type Exception struct {
	Name   string `yaml:"name"` // deployment/web, or web
	Limits `yaml:",inline"`
}

// ReadPolicy reads a policy file: an object of kind Policy, whose spec has the limits.
func ReadPolicy(text string) (Policy, error) {
	var doc struct {
		APIVersion string         `yaml:"apiVersion"`
		Kind       string         `yaml:"kind"`
		Metadata   map[string]any `yaml:"metadata"`
		Spec       Policy         `yaml:"spec"`
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return Policy{}, fmt.Errorf("%w: policy: %w", ErrInput, err)
	}
	if doc.APIVersion != "rollplay/v1alpha1" || doc.Kind != "Policy" {
		return Policy{}, fmt.Errorf("%w: policy: it must have apiVersion: rollplay/v1alpha1 and kind: Policy", ErrInput)
	}
	return doc.Spec, doc.Spec.Validate()
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
		if w.Name != key.Name && !strings.EqualFold(w.Name, string(key.Kind)+"/"+key.Name) {
			continue
		}
		l.override(&w.Limits)
	}
	return l
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
		for _, name := range sortedKeys(image) {
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

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// readNodes returns the Node objects of a text, or its fields nodes and nodeGroups as those of a Scenario.
func readNodes(text string) (objects, inline string, err error) {
	if strings.TrimSpace(text) == "" {
		return "", "", nil
	}
	var doc struct {
		Kind   string    `yaml:"kind"`
		Nodes  yaml.Node `yaml:"nodes"`
		Groups yaml.Node `yaml:"nodeGroups"`
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return "", "", fmt.Errorf("nodes: %w", err)
	}
	if doc.Kind != "" {
		return text, "", nil
	}
	if doc.Nodes.IsZero() && doc.Groups.IsZero() {
		return "", "", errors.New("nodes: expected Node objects, or nodes: {count: 3, cpu: 4, memory: 16Gi}, " +
			"or nodeGroups: [{name: pool, max: 3, cpu: 4}]")
	}
	for _, field := range []struct {
		name string
		node *yaml.Node
	}{{"nodes", &doc.Nodes}, {"nodeGroups", &doc.Groups}} {
		if field.node.IsZero() {
			continue
		}
		flow(field.node)
		b, err := yaml.Marshal(field.node)
		if err != nil {
			return "", "", err
		}
		inline += "  " + field.name + ": " + strings.TrimSpace(strings.ReplaceAll(string(b), "\n", " ")) + "\n"
	}
	return "", inline, nil
}

// flow makes a node print on one line.
func flow(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		n.Style = yaml.FlowStyle
	}
	for _, c := range n.Content {
		flow(c)
	}
}

// Override replaces limits by those that are given.
func (p *Policy) Override(by Limits) { p.Limits.override(&by) }

// override replaces limits by those that are given.
func (l *Limits) override(by *Limits) {
	for _, x := range []struct{ to, from *string }{{&l.MinAvailable, &by.MinAvailable}, {&l.MaxOutage, &by.MaxOutage},
		{&l.MaxDuration, &by.MaxDuration}, {&l.MaxPods, &by.MaxPods}, {&l.MaxCPU, &by.MaxCPU}, {&l.MaxMemory, &by.MaxMemory},
		{&l.Drainable, &by.Drainable}} {
		if *x.from != "" {
			*x.to = *x.from
		}
	}
}
