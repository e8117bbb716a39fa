package main

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

// flow prints a map in one line, without what is empty.
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

// podTemplate prints the template of a workload.
func podTemplate(app string, image int, probe bool, spec string) string {
	text := fmt.Sprintf("  selector: {matchLabels: {app: %s}}\n  template:\n    metadata: {labels: {app: %s}}\n    spec:\n%s", app, app, spec)
	text += fmt.Sprintf("      containers:\n      - name: app\n        image: app:%d\n", image)
	if probe {
		text += "        readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}\n"
	}
	return text
}

func grace(seconds string) string {
	if seconds == "" {
		return ""
	}
	return "      terminationGracePeriodSeconds: " + seconds + "\n"
}

// withoutOne returns copies of a manifest, each without one of its fields. Name and Image stay.
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

// statefulManifest is a StatefulSet. An empty field is left out.
type statefulManifest struct {
	Name, Replicas, MinReady, History, Ordinals, Grace string
	Strategy                                           string // typed, OnDelete, bounds, or nothing
	Partition, Unavailable                             string
	Parallel, Probe                                    bool
	Image, Claims                                      int
	WhenDeleted, WhenScaled                            string
}

func (m *statefulManifest) text() string {
	text := fmt.Sprintf("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: %s}\nspec:\n  serviceName: db\n", m.Name)
	text += fields("replicas", m.Replicas, "minReadySeconds", m.MinReady, "revisionHistoryLimit", m.History)
	if m.Ordinals != "" {
		text += "  ordinals: {start: " + m.Ordinals + "}\n"
	}
	if m.Parallel {
		text += "  podManagementPolicy: Parallel\n"
	}
	switch m.Strategy {
	case "typed":
		text += "  updateStrategy: {type: RollingUpdate}\n"
	case "OnDelete":
		text += "  updateStrategy: {type: OnDelete}\n"
	case "bounds":
		text += "  updateStrategy: {rollingUpdate: " + flow("partition", m.Partition, "maxUnavailable", quoted(m.Unavailable)) + "}\n"
	}
	if m.WhenDeleted+m.WhenScaled != "" {
		text += "  persistentVolumeClaimRetentionPolicy: " + flow("whenDeleted", m.WhenDeleted, "whenScaled", m.WhenScaled) + "\n"
	}
	if m.Claims > 0 {
		text += "  volumeClaimTemplates:\n"
		for i := range m.Claims {
			text += fmt.Sprintf("  - metadata: {name: data-%d}\n", i) +
				"    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
		}
	}
	return text + podTemplate("db", m.Image, m.Probe, grace(m.Grace))
}

func (m *statefulManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		if c.Strategy != "bounds" {
			c.Partition, c.Unavailable = "", ""
		}
		list = append(list, c)
	}
	for _, small := range []string{"1", "2", "3"} {
		if len(m.Replicas) > 1 || m.Replicas > small {
			c := *m
			c.Replicas = small
			list = append(list, &c)
		}
	}
	return list
}

// daemonManifest is a DaemonSet. An empty field is left out.
type daemonManifest struct {
	Name, MinReady, History, Grace, Zone string
	Tolerate                             string // the effect of a taint
	Surge, Unavailable                   string
	OnDelete, Probe                      bool
	Image                                int
}

func (m *daemonManifest) text() string {
	text := fmt.Sprintf("apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: %s}\nspec:\n", m.Name)
	text += fields("minReadySeconds", m.MinReady, "revisionHistoryLimit", m.History)
	switch {
	case m.OnDelete:
		text += "  updateStrategy: {type: OnDelete}\n"
	case m.Surge+m.Unavailable != "":
		text += "  updateStrategy: {rollingUpdate: " + flow("maxSurge", quoted(m.Surge), "maxUnavailable", quoted(m.Unavailable)) + "}\n"
	}
	spec := grace(m.Grace)
	if m.Zone != "" {
		spec += "      nodeSelector: {zone: " + m.Zone + "}\n"
	}
	if m.Tolerate != "" {
		spec += "      tolerations: [{key: key, operator: Exists, effect: " + m.Tolerate + "}]\n"
	}
	return text + podTemplate(m.Name, m.Image, m.Probe, spec)
}

func (m *daemonManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		if (c.Surge != "") == (c.Unavailable == "0") { // both, or neither
			list = append(list, c)
		}
	}
	if m.Surge != "" {
		c := *m
		c.Surge, c.Unavailable = "", ""
		list = append(list, &c)
	}
	return list
}

// budgetManifest is a PodDisruptionBudget. App * selects every pod.
type budgetManifest struct{ Name, App, Min, Max, Policy string }

func (m *budgetManifest) text() string {
	selector := "{}"
	if m.App != "*" {
		selector = "{matchLabels: {app: " + m.App + "}}"
	}
	return fmt.Sprintf("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s}\nspec:\n  selector: %s\n", m.Name, selector) +
		fields("minAvailable", quoted(m.Min), "maxUnavailable", quoted(m.Max), "unhealthyPodEvictionPolicy", m.Policy)
}

func (m *budgetManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		list = append(list, c)
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
