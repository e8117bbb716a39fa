package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// configNotes says for each ConfigMap and Secret that an update changes which workloads read it and do not restart: only another pod
// template makes new pods.
func configNotes(now, old manifests) (notes []string) {
	was := map[string]*manifest{}
	for _, m := range old {
		was[m.parsed().key()] = m
	}
	for _, m := range now {
		before := was[m.parsed().key()]
		if !m.isConfig() || before == nil || m.sameData(before) {
			continue
		}
		var readers []string
		for _, w := range now {
			if o := was[w.key()]; w.workload() && o != nil && w.namespace() == m.namespace() && w.sameTemplate(o) && w.mentions(m) {
				readers = append(readers, w.title())
			}
		}
		if len(readers) > 0 {
			notes = append(notes, fmt.Sprintf("%s changes, and nothing restarts: the pod template of %s stays as it is. Running containers see mounted "+
				"files after about a minute, and environment variables never. Put a hash of it into an annotation of the template, or give it a new name",
				m.title(), strings.Join(readers, ", ")))
		}
	}
	return notes
}

func (m *manifest) isConfig() bool { return m.Kind == "ConfigMap" || m.Kind == "Secret" }

// parsed returns the object with its value: those of kinds that concern no rollout are not read at first.
func (m *manifest) parsed() *manifest {
	if m.value == nil && m.isConfig() {
		for _, one := range m.read() {
			m.value = one.value
		}
	}
	return m
}

// title names an object as a person does: configmap/settings, configmap/settings -n shop.
func (m *manifest) title() string {
	return api.Key{Kind: api.Kind(m.Kind), Namespace: m.namespace(), Name: m.value.Object("metadata").Text("name")}.Title()
}

func (m *manifest) sameData(o *manifest) bool {
	return !slices.ContainsFunc([]string{"data", "binaryData", "stringData"}, func(field string) bool {
		return !reflect.DeepEqual(m.value[field], o.value[field])
	})
}

func (m *manifest) sameTemplate(o *manifest) bool {
	return reflect.DeepEqual(m.value.Object("spec")["template"], o.value.Object("spec")["template"])
}

// mentions reports whether the pods of a workload read a ConfigMap or a Secret, as files or as variables.
func (m *manifest) mentions(config *manifest) bool {
	fields := map[string]string{"configMap": "name", "configMapRef": "name", "configMapKeyRef": "name"}
	if config.Kind == "Secret" {
		fields = map[string]string{"secret": "secretName", "secretRef": "name", "secretKeyRef": "name"}
	}
	name := config.value.Object("metadata").Text("name")
	var reads func(v any) bool
	reads = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, reads)
		case map[string]any:
			for field, value := range v {
				if in, ok := value.(map[string]any); ok && fields[field] != "" && in[fields[field]] == name || reads(value) {
					return true
				}
			}
		}
		return false
	}
	return reads(m.value.Object("spec")["template"])
}
