package api

import (
	"encoding/json"
	"fmt"
	"maps"
)

// PodTemplateSpec is the template that pods are made from. Its methods never change it.
type PodTemplateSpec struct {
	Labels      map[string]string
	Annotations map[string]string
	Spec        *PodSpec // shared by everything made from it, never changed
	meta        string   // the other fields of the metadata as canonical JSON, empty if there are none
}

// Equal compares templates as the API server does: nil and empty collections are equal, quantities compare by value.
func (t *PodTemplateSpec) Equal(o *PodTemplateSpec) bool {
	return t.EqualIgnoreHash(o) && t.Labels[PodTemplateHashLabel] == o.Labels[PodTemplateHashLabel]
}

// EqualIgnoreHash compares templates, but for the label pod-template-hash (D-32). The specs come last and are nearly
// always the same pointer.
func (t *PodTemplateSpec) EqualIgnoreHash(o *PodTemplateSpec) bool {
	return equalLabels(t.Labels, o.Labels) && maps.Equal(t.Annotations, o.Annotations) && t.meta == o.meta &&
		t.Spec.Equal(o.Spec)
}

// equalLabels compares labels, but for the label pod-template-hash.
func equalLabels(a, b map[string]string) bool {
	return countLabels(a) == countLabels(b) && containsLabels(a, b)
}

func countLabels(m map[string]string) int {
	if _, ok := m[PodTemplateHashLabel]; ok {
		return len(m) - 1
	}
	return len(m)
}

// containsLabels says whether every label of b, but for pod-template-hash, is in a.
func containsLabels(a, b map[string]string) bool {
	for k, v := range b {
		if got, ok := a[k]; k != PodTemplateHashLabel && (!ok || got != v) {
			return false
		}
	}
	return true
}

// WithLabel returns the template with one more label.
func (t *PodTemplateSpec) WithLabel(key, value string) PodTemplateSpec {
	c := *t
	c.Labels = with(t.Labels, key, value)
	return c
}

// WithoutLabel returns the template without a label.
func (t *PodTemplateSpec) WithoutLabel(key string) PodTemplateSpec {
	c := *t
	if _, ok := t.Labels[key]; ok {
		c.Labels = maps.Clone(t.Labels)
		delete(c.Labels, key)
	}
	return c
}

// WithAnnotation returns the template with one more annotation.
func (t *PodTemplateSpec) WithAnnotation(key, value string) PodTemplateSpec {
	c := *t
	c.Annotations = with(t.Annotations, key, value)
	return c
}

func with(m map[string]string, key, value string) map[string]string {
	c := make(map[string]string, len(m)+1)
	maps.Copy(c, m)
	c[key] = value
	return c
}

// WithImage returns the template with another image for a container, or for all of them if the name is "*", init
// containers included. The pull policy stays as it was defaulted from the first image. The error is kubectl's (K-33).
func (t *PodTemplateSpec) WithImage(container, image string) (c PodTemplateSpec, changed bool, err error) {
	tree := t.Spec.tree()
	found := false
	for _, list := range []string{"initContainers", "containers"} {
		for _, item := range items(tree, list) {
			if container != "*" && item["name"] != container {
				continue
			}
			found = true
			changed = changed || item["image"] != image
			item["image"] = image
		}
	}
	if !found {
		return *t, false, fmt.Errorf("unable to find container named %q", container)
	}
	if !changed {
		return *t, false, nil
	}
	c = *t
	c.Spec = newPodSpec(tree)
	return c, true, nil
}

// MarshalJSON returns the template as the API server stores it.
func (t PodTemplateSpec) MarshalJSON() ([]byte, error) {
	meta := map[string]any{}
	if t.meta != "" {
		if err := json.Unmarshal([]byte(t.meta), &meta); err != nil {
			return nil, err
		}
	}
	for name, m := range map[string]map[string]string{"labels": t.Labels, "annotations": t.Annotations} {
		if len(m) > 0 {
			meta[name] = stringTree(m)
		}
	}
	b := append([]byte(`{"metadata":`), appendTree(nil, meta, false)...)
	b = append(b, `,"spec":`...)
	return append(append(b, t.Spec.jsonText()...), '}'), nil
}

// UnmarshalJSON reads a template strictly and fills in the defaults of its spec.
func (t *PodTemplateSpec) UnmarshalJSON(b []byte) error {
	tree, err := readTree("PodTemplateSpec", b)
	if err != nil {
		return err
	}
	meta, _ := tree["metadata"].(map[string]any)
	*t = PodTemplateSpec{Labels: takeStrings(meta, "labels"), Annotations: takeStrings(meta, "annotations")}
	for _, name := range serverMetadata {
		delete(meta, name)
	}
	if len(meta) > 0 {
		t.meta = string(appendTree(nil, meta, false))
	}
	spec, _ := tree["spec"].(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	defaultPodSpec(spec)
	t.Spec = newPodSpec(spec)
	return nil
}

// readTree reads JSON strictly as a struct of the API; only the first issue is returned.
func readTree(structName string, b []byte) (map[string]any, error) {
	v, err := parseTree(b)
	if err != nil {
		return nil, err
	}
	var d decoder
	tree, _ := d.value(&valueType{kind: structValue, name: structName}, v, place{})
	if len(d.issues) > 0 {
		return nil, fmt.Errorf("%s", DecodeMessage(d.issues))
	}
	m, _ := tree.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m, nil
}

// stringTree returns a map of strings as a tree.
func stringTree(m map[string]string) map[string]any {
	tree := make(map[string]any, len(m))
	for k, v := range m {
		tree[k] = v
	}
	return tree
}

// takeStrings removes a map of strings from a tree and returns it.
func takeStrings(tree map[string]any, name string) map[string]string {
	m, ok := tree[name].(map[string]any)
	if !ok {
		return nil
	}
	delete(tree, name)
	s := make(map[string]string, len(m))
	for k, v := range m {
		s[k], _ = v.(string)
	}
	return s
}

// items returns the objects of a list in a tree.
func items(tree map[string]any, name string) []map[string]any {
	l, _ := tree[name].([]any)
	objects := make([]map[string]any, 0, len(l))
	for _, v := range l {
		if m, ok := v.(map[string]any); ok {
			objects = append(objects, m)
		}
	}
	return objects
}
