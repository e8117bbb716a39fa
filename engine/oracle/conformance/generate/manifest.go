package generate

import (
	"fmt"
	"reflect"
	"strings"
)

// fields prints the lines of fields that are not empty.
func fields(list ...string) string {
	var b strings.Builder
	for i := 0; i < len(list); i += 2 {
		if list[i+1] != "" {
			fmt.Fprintf(&b, "  %s: %s\n", list[i], list[i+1])
		}
	}
	return b.String()
}

// flow prints a map on one line, without what is empty.
func flow(list ...string) string {
	var entries []string
	for i := 0; i < len(list); i += 2 {
		if list[i+1] != "" {
			entries = append(entries, list[i]+": "+list[i+1])
		}
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// quoted quotes a percentage for YAML.
func quoted(amount string) string {
	if strings.HasSuffix(amount, "%") {
		return `"` + amount + `"`
	}
	return amount
}

// podTemplate prints the template of a workload. spec holds the lines of the pod spec before the containers.
func podTemplate(labels string, image int, probe bool, spec string) string {
	text := fmt.Sprintf("  template:\n    metadata: {labels: {%s}}\n    spec:\n%s", labels, spec)
	text += fmt.Sprintf("      containers:\n      - name: app\n        image: app:%d\n", image)
	if probe {
		text += "        readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}\n"
	}
	return text
}

// selector prints the selector of a workload.
func selector(labels string) string { return "  selector: {matchLabels: {" + labels + "}}\n" }

func grace(seconds string) string {
	if seconds == "" {
		return ""
	}
	return "      terminationGracePeriodSeconds: " + seconds + "\n"
}

// withoutOne returns copies of a manifest, each without one of its fields. Name, App and Image stay.
func withoutOne[T any](m *T) (list []*T) {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name == "Name" || name == "App" || name == "Image" || v.Field(i).IsZero() {
			continue
		}
		c := *m
		reflect.ValueOf(&c).Elem().Field(i).SetZero()
		list = append(list, &c)
	}
	return list
}

// podManifest is a pod without an owner.
type podManifest struct {
	Name, App string
	Image     int
}

func (m *podManifest) text() string {
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s, labels: {app: %s}}\n", m.Name, m.App) +
		fmt.Sprintf("spec:\n  containers: [{name: app, image: \"app:%d\"}]\n", m.Image)
}

func (m *podManifest) simpler() []workload { return nil }

// nodeManifest is a node that is added, or gets another label.
type nodeManifest struct{ Name, Zone string }

func (m *nodeManifest) text() string {
	return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {zone: %s}}\n", m.Name, m.Zone)
}

func (m *nodeManifest) simpler() []workload { return nil }
