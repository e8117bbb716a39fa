package past

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// FieldChange is one field that a write changed. Old is empty if the field was added, New if it was removed.
type FieldChange struct {
	Path     string // spec.replicas, status.conditions[Progressing].reason, metadata.labels[app]
	Old, New string
}

// DiffMax bounds what Diff returns.
const DiffMax = 40

// Diff returns the fields that record i, a write, changed: first spec, revision and data, then metadata, then status. For an object
// that is created or deleted, it returns the fields that distinguish it, with the template in one line. If there are more than DiffMax
// fields, a last entry with only a Path counts the rest.
func (p *Past) Diff(i int) []FieldChange {
	rec := p.Records()[i]
	if rec.Kind != sim.Write {
		return nil
	}
	c := p.Change(i)
	d := differ{whole: c.Old == nil || c.New == nil, pod: rec.Object.Kind == api.KindPod}
	before, after := printed(c.Old), printed(c.New)
	for _, section := range [...]string{"spec", "revision", "data", "metadata", "status"} {
		if (section != "status" || !d.whole) && (before[section] != nil || after[section] != nil) {
			d.compare(section, before[section], after[section])
		}
	}
	if n := len(d.changes) - DiffMax; n > 0 {
		d.changes = append(d.changes[:DiffMax], FieldChange{Path: fmt.Sprintf("and %d more fields", n)})
	}
	return d.changes
}

// Differences returns the fields of the spec and the data in which two objects differ.
func Differences(a, b api.Object) []FieldChange {
	var d differ
	before, after := printed(a), printed(b)
	d.compare("spec", before["spec"], after["spec"])
	d.compare("data", before["data"], after["data"])
	return d.changes
}

// printed returns an object as a tree, nil for no object, without the resourceVersion, which every write changes.
func printed(o api.Object) map[string]any {
	if o == nil {
		return nil
	}
	tree := api.Tree(o)
	delete(tree["metadata"].(map[string]any), "resourceVersion")
	return tree
}

// differ collects changes.
type differ struct {
	whole   bool // the object is created or deleted
	pod     bool
	changes []FieldChange
}

// identity are fields of the metadata that add nothing to the line of an object that is created or deleted.
var identity = map[string]bool{
	"metadata.name": true, "metadata.namespace": true, "metadata.generateName": true, "metadata.uid": true,
	"metadata.creationTimestamp": true, "metadata.generation": true,
}

// compare adds the differences at a path and below. A missing value is nil.
func (d *differ) compare(path string, before, after any) {
	if d.whole && (identity[path] || d.collapse(path, before, after)) {
		return
	}
	mapA, isMapA := before.(map[string]any)
	mapB, isMapB := after.(map[string]any)
	listA, isListA := before.([]any)
	listB, isListB := after.([]any)
	switch {
	case (isMapA || before == nil) && (isMapB || after == nil) && len(mapA)+len(mapB) > 0:
		d.compareMaps(path, mapA, mapB)
	case (isListA || before == nil) && (isListB || after == nil) && (isListA || isListB):
		d.compareLists(path, listA, listB)
	default:
		if a, b := scalar(before), scalar(after); a != b || (before == nil) != (after == nil) {
			d.changes = append(d.changes, FieldChange{Path: path, Old: a, New: b})
		}
	}
}

// collapse summarizes the details of a new object in one line: its pod spec or data, which the manifest has, and the parts of a
// reference to its owner.
func (d *differ) collapse(path string, before, after any) bool {
	switch {
	case path == "spec.template", path == "data", d.pod && path == "spec":
		d.changes = append(d.changes, FieldChange{Path: path, Old: countFields(before), New: countFields(after)})
		return true
	case strings.HasPrefix(path, "metadata.ownerReferences["):
		d.changes = append(d.changes, FieldChange{Path: path, Old: kindIn(before), New: kindIn(after)})
		return true
	}
	return false
}

// countFields writes how many fields a tree has, "" for nil.
func countFields(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("(%d fields)", fieldsOf(v))
}

// kindIn returns the kind of the object that a reference is to.
func kindIn(ref any) string {
	m, _ := ref.(map[string]any)
	return scalar(m["kind"])
}

// fieldsOf counts the scalars of a tree.
func fieldsOf(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += fieldsOf(e)
		}
	case []any:
		for _, e := range v {
			n += fieldsOf(e)
		}
	default:
		n = 1
	}
	return n
}

// mapFields are the maps whose keys users choose; a path has such a key in brackets, as in the API server's messages.
var mapFields = map[string]bool{
	"labels": true, "annotations": true, "matchLabels": true, "nodeSelector": true, "requests": true, "limits": true,
	"allocatable": true, "capacity": true, "hard": true, "used": true,
}

func (d *differ) compareMaps(path string, a, b map[string]any) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	keys = slices.Compact(keys)
	steps := yamltext.SplitPath(path)
	brackets := mapFields[steps[len(steps)-1]]
	for _, k := range keys {
		step := "." + k
		if brackets {
			step = "[" + k + "]"
		}
		d.compare(path+step, a[k], b[k])
	}
}

// compareLists compares items of the same name or type, or else of the same index. The path has the name of an item that
// was added or removed.
func (d *differ) compareLists(path string, a, b []any) {
	namesA, okA := itemNames(a)
	namesB, okB := itemNames(b)
	if !okA || !okB {
		for i := range max(len(a), len(b)) {
			d.compare(path+"["+strconv.Itoa(i)+"]", item(a, i), item(b, i))
		}
		return
	}
	for i, name := range namesB {
		before, after := item(a, slices.Index(namesA, name)), b[i]
		if before == nil {
			after = unnamed(after, name)
		}
		d.compare(path+"["+name+"]", before, after)
	}
	for i, name := range namesA {
		if slices.Index(namesB, name) < 0 {
			d.compare(path+"["+name+"]", unnamed(a[i], name), nil)
		}
	}
}

// itemNames returns the names or types of a list's items. It returns false if an item has neither, or two have the same.
func itemNames(list []any) ([]string, bool) {
	names := make([]string, 0, len(list))
	for _, e := range list {
		m, _ := e.(map[string]any)
		name, ok := m["name"].(string)
		if !ok {
			name, ok = m["type"].(string)
		}
		if !ok || slices.Index(names, name) >= 0 {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

// unnamed returns an item without the field that names it.
func unnamed(v any, name string) any {
	m := maps.Clone(v.(map[string]any))
	maps.DeleteFunc(m, func(k string, e any) bool { return (k == "name" || k == "type") && e == name })
	return m
}

// item returns an item of a list, nil if the index is outside it.
func item(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// Longer texts, such as kubectl's last-applied-configuration, are cut.
const (
	longText      = 200
	longTextShown = 40
)

// scalar prints a value as a manifest shows it.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if len(v) > longText {
			return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(v[:longTextShown], ""), len(v))
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		return "{}"
	case []any:
		return "[]"
	}
	return fmt.Sprint(v)
}
