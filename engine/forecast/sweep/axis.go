package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// Axis is a setting that varies.
type Axis struct {
	Name   string
	Values []string
	usual  bool // nobody has chosen the values, so that the text's own bound joins them
}

// knob is how a setting is written into a text.
type knob struct {
	name   string
	values []string // by default
	write  func(p *Plan, text, value string) (string, error)
}

// someBounds are the values of maxSurge and maxUnavailable by default.
var someBounds = []string{"0", "1", "10%", "20%", "25%", "30%", "50%", "75%", "100%"}

// knobs are the settings that may vary, in the order of the help.
var knobs = []knob{
	{"maxSurge", someBounds, writeSpec("updateStrategy", "rollingUpdate", "maxSurge")},
	{"maxUnavailable", someBounds, writeSpec("updateStrategy", "rollingUpdate", "maxUnavailable")},
	{"replicas", []string{"1", "2", "3", "5", "10", "20", "50"}, writeSpec("replicas")},
	{"minReadySeconds", []string{"0", "5", "10", "30", "60"}, writeSpec("minReadySeconds")},
	{"partition", []string{"0", "1", "2", "3"}, writeSpec("updateStrategy", "rollingUpdate", "partition")},
	{"grace", []string{"0", "5", "30", "60"}, writeSpec("template", "spec", "terminationGracePeriodSeconds")},
	{"preStop", []string{"0", "5", "10", "15", "30"}, writePreStop},
	{"readinessPeriod", []string{"1", "5", "10", "30"}, writeReadiness},
	{"start", []string{"500ms", "2s", "5s", "10s", "30s"}, writeStart},
	{"nodes", []string{"1", "2", "3", "5", "10"}, writeNodes},
}

// AxisNames lists the settings that may vary.
func AxisNames() (names []string) {
	for i := range knobs {
		names = append(names, knobs[i].name)
	}
	return names
}

// ParseAxis reads maxSurge, or maxSurge=0,1,25%.
func ParseAxis(s string) (Axis, error) {
	name, list, given := strings.Cut(s, "=")
	k := knobOf(name)
	if k == nil {
		return Axis{}, fmt.Errorf("%q does not vary; choose one of %s", name, strings.Join(AxisNames(), ", "))
	}
	values := k.values
	if given {
		values = strings.Split(list, ",")
	}
	if i := slices.IndexFunc(values, func(v string) bool { return !k.valid(v) }); i >= 0 {
		return Axis{}, fmt.Errorf("%s cannot be %q; values are like %s", name, values[i], strings.Join(k.values[:3], ", "))
	}
	return Axis{name, values, !given}, nil
}

// valid reports whether a value has the form of the defaults: a number, with a percent sign or a unit of time where they have one.
func (k *knob) valid(value string) bool {
	unit := strings.TrimLeft(k.values[len(k.values)-1], "0123456789")
	if unit == "s" {
		low, high, ranged := strings.Cut(value, "..")
		_, err := scenario.ParseDuration(low)
		_, wrong := scenario.ParseDuration(high)
		return err == nil && (!ranged || wrong == nil)
	}
	_, err := strconv.ParseUint(strings.TrimSuffix(value, unit), 10, 31)
	return err == nil
}

func knobOf(name string) *knob {
	if i := slices.Index(AxisNames(), name); i >= 0 {
		return &knobs[i]
	}
	return nil
}

// write writes a value of the axis into a text.
func (a *Axis) write(p *Plan, text, value string) (string, error) {
	return knobOf(a.Name).write(p, text, value)
}

// writeSpec writes a field of the spec where the kind has it. The strategy of a Deployment has a name of its own.
func writeSpec(path ...string) func(*Plan, string, string) (string, error) {
	return func(p *Plan, text, value string) (string, error) {
		at := path
		switch kind, name := p.key.Kind, path[len(path)-1]; {
		case name == "replicas" && kind == api.KindDaemonSet:
			return "", fmt.Errorf("a DaemonSet has no replicas; vary nodes")
		case name == "maxSurge" && kind == api.KindStatefulSet:
			return "", fmt.Errorf("a StatefulSet has no maxSurge")
		case name == "partition" && kind != api.KindStatefulSet:
			return "", fmt.Errorf("only a StatefulSet has a partition")
		case path[0] == "updateStrategy" && kind == api.KindDeployment:
			at = below([]string{"strategy"}, path[1:]...)
		}
		return SetField(text, p.key, at, value)
	}
}

// writeReadiness sets the period of each readiness probe.
func writeReadiness(p *Plan, source, value string) (string, error) {
	text, found, err := editContainers(source, p.key, func(c *yamltext.Node, at []string) []edit {
		if yamltext.Child(c, "readinessProbe") == nil {
			return nil
		}
		return []edit{{below(at, "readinessProbe", "periodSeconds"), value}}
	})
	if !found {
		return "", fmt.Errorf("%s has no containers in the text", p.Workload)
	}
	return text, err
}

// writePreStop makes each container sleep for some seconds before it gets SIGTERM, or has no such hook; the grace period stays.
func writePreStop(p *Plan, source, value string) (string, error) {
	if value != "0" {
		return SetContainers(source, p.key, []string{"lifecycle", "preStop"}, "{sleep: {seconds: "+value+"}}")
	}
	text, _, err := editContainers(source, p.key, func(_ *yamltext.Node, at []string) []edit {
		return []edit{{path: below(at, "lifecycle", "preStop")}}
	})
	return text, err
}

// writeStart sets the start time of every image that the scenario describes, or else of all images.
func writeStart(_ *Plan, source, value string) (string, error) {
	d := scenario.SpecDocument(source)
	path := []string{"spec", "images"}
	if d == nil || d.At(path) == nil {
		return scenario.SetSpec(source, path[1:], `[{match: "*", start: `+value+"}]")
	}
	var edits []edit
	for i := range d.At(path).Content {
		edits = append(edits, edit{below(path, strconv.Itoa(i), "start"), value})
	}
	return setAll(source, d, edits)
}

// writeNodes sets how many equal nodes there are.
func writeNodes(_ *Plan, source, value string) (string, error) {
	if n, err := strconv.Atoi(value); err != nil || n < 0 {
		return "", fmt.Errorf("nodes must be a number, not %q", value)
	}
	if d := scenario.SpecDocument(source); d != nil && d.At([]string{"spec", "nodeGroups"}) != nil {
		return "", errors.New("the scenario has nodeGroups, which decide how many nodes there are; " +
			"describe equal nodes instead: nodes: {count: 3, cpu: 4}")
	}
	for _, d := range yamltext.Split(source) {
		if yamltext.Word(d.Root(), "kind") == "Node" {
			return "", fmt.Errorf("the text has Node objects; describe equal nodes instead: nodes: {count: 3, cpu: 4}")
		}
	}
	return scenario.SetSpec(source, []string{"nodes", "count"}, value)
}
