package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
)

// Axis is a setting that varies.
type Axis struct {
	Name   string
	Values []string
}

// knob is how a setting is written into a text.
type knob struct {
	name   string
	values []string // by default
	write  func(p *Plan, text, value string) (string, error)
}

// knobs are the settings that may vary, in the order of the help.
var knobs = []knob{
	{"maxSurge", []string{"0", "1", "10%", "20%", "25%", "30%", "50%", "75%", "100%"}, writeBound("maxSurge")},
	{"maxUnavailable", []string{"0", "1", "10%", "20%", "25%", "30%", "50%", "75%", "100%"}, writeBound("maxUnavailable")},
	{"replicas", []string{"1", "2", "3", "5", "10", "20", "50"}, writeSpec("replicas")},
	{"minReadySeconds", []string{"0", "5", "10", "30", "60"}, writeSpec("minReadySeconds")},
	{"partition", []string{"0", "1", "2", "3"}, writeStrategy("partition")},
	{"grace", []string{"0", "5", "30", "60"}, writeSpec("template", "spec", "terminationGracePeriodSeconds")},
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
	if slices.Contains(values, "") {
		return Axis{}, fmt.Errorf("%s: a value is missing", s)
	}
	return Axis{name, values}, nil
}

func knobOf(name string) *knob {
	for i := range knobs {
		if knobs[i].name == name {
			return &knobs[i]
		}
	}
	return nil
}

// write writes a value of the axis into a text.
func (a *Axis) write(p *Plan, text, value string) (string, error) {
	return knobOf(a.Name).write(p, text, value)
}

func writeSpec(path ...string) func(*Plan, string, string) (string, error) {
	return func(p *Plan, text, value string) (string, error) {
		if path[0] == "replicas" && p.key.Kind == api.KindDaemonSet {
			return "", fmt.Errorf("a DaemonSet has no replicas; vary nodes")
		}
		return SetField(text, p.key, path, value)
	}
}

// writeBound writes maxSurge or maxUnavailable where the kind has it.
func writeBound(name string) func(*Plan, string, string) (string, error) {
	return func(p *Plan, text, value string) (string, error) {
		if name == "maxSurge" && p.key.Kind == api.KindStatefulSet {
			return "", fmt.Errorf("a StatefulSet has no maxSurge")
		}
		return SetField(text, p.key, []string{strategyOf(p.key.Kind), "rollingUpdate", name}, value)
	}
}

// writeStrategy writes what only StatefulSets have.
func writeStrategy(name string) func(*Plan, string, string) (string, error) {
	return func(p *Plan, text, value string) (string, error) {
		if p.key.Kind != api.KindStatefulSet {
			return "", fmt.Errorf("only a StatefulSet has a %s", name)
		}
		return SetField(text, p.key, []string{"updateStrategy", "rollingUpdate", name}, value)
	}
}

func strategyOf(kind api.Kind) string {
	if kind == api.KindDeployment {
		return "strategy"
	}
	return "updateStrategy"
}

// writeReadiness sets the period of each readiness probe.
func writeReadiness(p *Plan, source, value string) (string, error) {
	for i := 0; ; i++ {
		docs, err := documents(source)
		if err != nil {
			return "", err
		}
		spec := child(child(child(findObject(docs, p.key), "spec"), "template"), "spec")
		list := child(spec, "containers")
		if list == nil || i == len(list.Content) {
			if i == 0 {
				return "", fmt.Errorf("%s has no containers in the text", p.Workload)
			}
			return source, nil
		}
		probe := child(list.Content[i], "readinessProbe")
		if probe == nil {
			continue
		}
		if source, err = set(source, probe, []string{"periodSeconds"}, value); err != nil {
			return "", err
		}
	}
}

// writeStart sets the start time of every image that the scenario describes, or of all if it describes none.
func writeStart(_ *Plan, source, value string) (string, error) {
	for i := 0; ; i++ {
		docs, err := documents(source)
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(docs, isScenario)
		if at < 0 {
			return setInScenario(source, []string{"images"}, `[{match: "*", start: `+value+"}]")
		}
		list := child(child(docs[at], "spec"), "images")
		switch {
		case list == nil:
			return setInScenario(source, []string{"images"}, `[{match: "*", start: `+value+"}]")
		case i == len(list.Content):
			return source, nil
		}
		if source, err = set(source, list.Content[i], []string{"start"}, value); err != nil {
			return "", err
		}
	}
}

// writeNodes sets how many equal nodes there are.
func writeNodes(_ *Plan, source, value string) (string, error) {
	if n, err := strconv.Atoi(value); err != nil || n < 0 {
		return "", fmt.Errorf("nodes must be a number, not %q", value)
	}
	docs, err := documents(source)
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		if isScenario(d) && child(child(d, "spec"), "nodeGroups") != nil {
			return "", fmt.Errorf("the scenario has nodeGroups, which decide how many nodes there are; describe equal nodes instead: nodes: {count: 3, cpu: 4}")
		}
		if text(d, "kind") == "Node" {
			return "", fmt.Errorf("the text has Node objects; describe equal nodes instead: nodes: {count: 3, cpu: 4}")
		}
	}
	return setInScenario(source, []string{"nodes", "count"}, value)
}

// workload returns the workload that a text describes, nil if it is not in it.
func (p *Plan) workload(objects []api.Object) api.Object {
	for _, o := range objects {
		if o.Key() == past.ParseKey(p.Workload) {
			return o
		}
	}
	return nil
}
