package describe

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// generic adds an object of a kind that kubectl has no words of its own for: its fields, by name.
func (d *description) generic(o api.Object) {
	d.head(o)
	d.labelled(o)
	tree := print.Served(o)
	if meta, ok := tree["metadata"].(map[string]any); ok {
		for _, name := range []string{"name", "namespace", "labels", "annotations"} {
			delete(meta, name)
		}
	}
	d.fields(tree, "")
}

// fields adds the fields of a tree, one level of it indented more than the one above.
func (d *description) fields(tree map[string]any, indent string) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch v := tree[name].(type) {
		case map[string]any:
			d.line("%s%s:", indent, fieldTitle(name))
			d.fields(v, indent+"  ")
		case []any:
			d.line("%s%s:", indent, fieldTitle(name))
			for _, e := range v {
				if m, ok := e.(map[string]any); ok {
					d.fields(m, indent+"  ")
				} else {
					d.line("%s  %s", indent, scalarText(e))
				}
			}
		default:
			d.line("%s%s:\t%s", indent, fieldTitle(name), scalarText(v))
		}
	}
}

// scalarText prints a text, a number or a truth of a tree.
func scalarText(v any) string {
	if v == nil {
		return "<nil>"
	}
	return print.Scalar(v)
}

// fieldTitle makes words of a field's name: creationTimestamp is Creation Timestamp. Names with other characters than
// letters, such as those of labels, stay.
func fieldTitle(name string) string {
	var words []string
	from := 0
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		if !upper && (c < 'a' || c > 'z') && c != '-' {
			return name
		}
		if upper && i > 0 && name[i-1] >= 'a' {
			words = append(words, name[from:i])
			from = i
		}
	}
	words = append(words, name[from:])
	for i, w := range words {
		switch upper := strings.ToUpper(w); upper {
		case "API", "URL", "UID", "GUID":
			words[i] = upper
		default:
			words[i] = upper[:1] + w[1:]
		}
	}
	return strings.Join(words, " ")
}
