package api

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/breath"
)

// PodTemplateSpec is the template that pods are made from. Its methods never change it.
type PodTemplateSpec struct {
	Labels      map[string]string
	Annotations map[string]string
	Spec        *PodSpec // shared by everything made from it, never changed
	meta        string   // the other fields of the metadata as canonical JSON, or empty
}

// Equal compares templates as the API server does: nil and empty collections are equal, and so are 1Gi and 1024Mi.
func (t *PodTemplateSpec) Equal(o *PodTemplateSpec) bool {
	return t.EqualIgnoreHash(o) && t.Labels[PodTemplateHashLabel] == o.Labels[PodTemplateHashLabel]
}

// EqualIgnoreHash compares templates, but for the label pod-template-hash (D-32). The specs come first: those of equal
// templates are nearly always the same pointer, those of different ones differ in length.
func (t *PodTemplateSpec) EqualIgnoreHash(o *PodTemplateSpec) bool {
	breath.Often() // a workload may have thousands of revisions
	return t.Spec.Equal(o.Spec) && containsLabels(t.Labels, o.Labels) && containsLabels(o.Labels, t.Labels) &&
		maps.Equal(t.Annotations, o.Annotations) && t.meta == o.meta
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
	c.Labels = With(t.Labels, key, value)
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
	c.Annotations = With(t.Annotations, key, value)
	return c
}

// With returns a copy of a map with one entry set.
func With[V any](m map[string]V, key string, value V) map[string]V {
	c := make(map[string]V, len(m)+1)
	maps.Copy(c, m)
	c[key] = value
	return c
}

// WithImage returns the template with another image for a container, or for all of them if the name is "*", init
// containers included. The pull policy keeps the default that followed from the first image. The error is kubectl's (K-33).
func (t *PodTemplateSpec) WithImage(container, image string) (c PodTemplateSpec, err error) {
	c = *t
	spec, found, changed := t.Spec.withImage(container, image)
	switch {
	case !found:
		err = fmt.Errorf("unable to find container named %q", container)
	case changed:
		c.Spec = NewPodSpec(&spec, spec.tree)
	}
	return c, err
}

// NewTemplate returns a template with the metadata of a tree, which no longer has the fields of the server.
func NewTemplate(meta Fields, spec *PodSpec) PodTemplateSpec {
	t := PodTemplateSpec{Labels: meta.TextMap("labels"), Annotations: meta.TextMap("annotations"), Spec: spec}
	rest := maps.Clone(map[string]any(meta))
	delete(rest, "labels")
	delete(rest, "annotations")
	if len(rest) > 0 {
		t.meta = string(AppendTree(nil, rest, false))
	}
	return t
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
	b := append([]byte(`{"metadata":`), AppendTree(nil, meta, false)...)
	b = append(b, `,"spec":`...)
	return append(append(b, t.Spec.jsonText()...), '}'), nil
}

// UnmarshalJSON returns errDecode.
func (t *PodTemplateSpec) UnmarshalJSON([]byte) error { return errDecode }

// stringTree returns a map of strings as a tree.
func stringTree(m map[string]string) map[string]any {
	tree := make(map[string]any, len(m))
	for k, v := range m {
		tree[k] = v
	}
	return tree
}

// Hash returns the value of the label pod-template-hash: it depends on nothing but the template, without that label,
// and the collision count, and looks like the real one. Every part ends with a byte that no JSON, label or
// annotation key holds, so that no two templates write the same bytes.
func (t *PodTemplateSpec) Hash(collisionCount *int32) string {
	breath.Take()
	h := fnv.New32a()
	write := func(parts ...string) {
		for _, s := range parts {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
	}
	if t.Spec != nil {
		write(t.Spec.canon)
	}
	for _, k := range slices.Sorted(maps.Keys(t.Labels)) {
		if k != PodTemplateHashLabel {
			write("label", k, t.Labels[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(t.Annotations)) {
		write("annotation", k, t.Annotations[k])
	}
	write(t.meta)
	if collisionCount != nil {
		write(strconv.Itoa(int(*collisionCount)))
	}
	return encodeHash(h.Sum32())
}

// encodeHash prints a number in decimal, with signs for the digits that cannot make a word.
func encodeHash(n uint32) string {
	b := []byte(strconv.FormatUint(uint64(n), 10))
	for i := range b {
		b[i] = "456789bcdf"[b[i]-'0']
	}
	return string(b)
}
