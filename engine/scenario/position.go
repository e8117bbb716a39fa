package scenario

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// at returns a diagnostic about a field of the document, at the field's value, or at its key if the value is no
// scalar. A field that is not there is marked at the nearest one around it.
func (d *document) at(field, message string) Diagnostic {
	return d.mark(field, message, false)
}

// atKey is at for a field whose name is the problem.
func (d *document) atKey(field, message string) Diagnostic {
	return d.mark(field, message, true)
}

func (d *document) mark(field, message string, key bool) Diagnostic {
	breath.Take()
	x := Diagnostic{Document: d.number, Field: field, Message: message}
	found, exact := d.find(field)
	node := found.key
	if v := found.value; node == nil || !key && exact && v.Kind == yaml.ScalarNode && v.Style&blockStyles == 0 {
		node = v
	}
	if node == nil || node.Line == 0 {
		at := d.lineDiagnostic(d.firstContent())
		x.Line, x.Column, x.EndColumn = at.Line, at.Column, at.EndColumn
		return x
	}
	x.Line, x.Column = d.first+node.Line-1, node.Column
	x.EndColumn = d.endOf(node)
	return x
}

// blockStyles are scalars that begin on the line below their sign.
const blockStyles = yaml.LiteralStyle | yaml.FoldedStyle

// place is a field in the node tree. The key is nil for the root and for an item of a list.
type place struct{ key, value *yaml.Node }

// find follows a path as far as it exists.
func (d *document) find(path string) (p place, exact bool) {
	p.value = d.tree()
	for _, step := range SplitPath(path) {
		next, ok := p.step(step)
		if !ok && (step == "labels" || step == "annotations") {
			// The API server says spec.template.labels and means those of the metadata (D-19).
			if meta, found := p.step("metadata"); found {
				next, ok = meta.step(step)
			}
		}
		if !ok {
			return p, false
		}
		p = next
	}
	return p, true
}

// step goes to a field or an item.
func (p place) step(step string) (place, bool) {
	node := resolve(p.value)
	if node == nil {
		return place{}, false
	}
	switch node.Kind {
	case yaml.MappingNode:
		return field(node, step, 0)
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Content) {
			item := node.Content[i]
			return place{value: item}, true
		}
	}
	return place{}, false
}

// field finds a key of a mapping, also in what is merged into it with <<. Merges within merges have an end.
func field(node *yaml.Node, name string, level int) (place, bool) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return place{node.Content[i], node.Content[i+1]}, true
		}
	}
	for i := 0; i+1 < len(node.Content) && level < limits.Depth; i += 2 {
		if node.Content[i].Value != "<<" {
			continue
		}
		merged := resolve(node.Content[i+1])
		if merged != nil && merged.Kind == yaml.MappingNode {
			if p, ok := field(merged, name, level+1); ok {
				return p, true
			}
		}
	}
	return place{}, false
}

// resolve follows an alias to what it stands for.
func resolve(node *yaml.Node) *yaml.Node {
	if node != nil && node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// tree parses the document, once.
func (d *document) tree() *yaml.Node {
	if !d.parsed {
		d.parsed = true
		var root yaml.Node
		if err := yaml.NewDecoder(breath.NewReader(strings.Join(d.lines, "\n"))).Decode(&root); err == nil && len(root.Content) > 0 {
			d.root = root.Content[0]
		}
	}
	return d.root
}

// endOf returns the column behind a node: a scalar's width, a list's or mapping's first line.
func (d *document) endOf(node *yaml.Node) int {
	line := d.lines[min(node.Line, len(d.lines))-1]
	width := utf8.RuneCountInString(node.Value)
	switch {
	case node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		width += 2
	case node.Kind == yaml.AliasNode:
		width++
	case node.Kind != yaml.ScalarNode:
		width = utf8.RuneCountInString(line)
	}
	end := min(node.Column+width, utf8.RuneCountInString(strings.TrimRight(line, " \t"))+1)
	return max(end, node.Column+1)
}

// booleanWord returns what a field says if it is a word that Kubernetes' YAML takes for true or false, though few people
// would: y, on, No. It is empty for anything else.
func (d *document) booleanWord(path string) string {
	p, exact := d.find(path)
	node := resolve(p.value)
	if !exact || node == nil || node.Kind != yaml.ScalarNode || node.Style != 0 {
		return ""
	}
	switch strings.ToLower(node.Value) {
	case "y", "n", "yes", "no", "on", "off":
		return node.Value
	}
	return ""
}

// firstContent returns the first line, from 1, that is neither blank nor a comment.
func (d *document) firstContent() int {
	for i, line := range d.lines {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return i + 1
		}
	}
	return 1
}

// SplitPath splits spec.containers[0].resources.limits[cpu] into its names, numbers and keys.
func SplitPath(path string) []string {
	var steps []string
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		if key, ok := strings.CutPrefix(path, "["); ok {
			step, rest, _ := strings.Cut(key, "]")
			steps, path = append(steps, step), rest
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		if end > 0 {
			steps = append(steps, path[:end])
		}
		path = path[end:]
	}
	return steps
}
