package yamltext

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/limits"
)

// Mark is a part of a line of the whole text.
type Mark struct{ Line, Column, EndColumn int } // from 1; EndColumn is exclusive

// Mark returns the place of a field, which may be missing: then it is that of the nearest one around it. It is the place of the key if
// key is set, or if the value is not on one line.
func (d *Document) Mark(path string, key bool) Mark {
	found, exact := d.find(path)
	node := found.key
	if v := found.value; node == nil || !key && exact && v.Kind == Scalar && v.Style&blockStyles == 0 {
		node = v
	}
	if node == nil || node.Line == 0 {
		return d.MarkLine(d.FirstContent())
	}
	return Mark{d.First + node.Line - 1, node.Column, d.endOf(node)}
}

// blockStyles are scalars that begin on the line below their sign.
const blockStyles = yaml.LiteralStyle | yaml.FoldedStyle

// MarkLine returns the place of a line of the document, counted from 1, from its first letter to its last.
func (d *Document) MarkLine(line int) Mark {
	text := d.Lines[line-1]
	column := len([]rune(text)) - len([]rune(strings.TrimLeft(text, " \t"))) + 1
	end := len([]rune(strings.TrimRight(text, " \t"))) + 1
	return Mark{d.First + line - 1, column, max(end, column+1)}
}

// place is a field in the tree. The key is nil for the root and for an item of a list.
type place struct{ key, value *Node }

// find follows a path as far as it exists.
func (d *Document) find(path string) (p place, exact bool) {
	p.value = d.Root()
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

// step goes to a field or an item, also through an alias.
func (p place) step(step string) (place, bool) {
	node := resolve(p.value)
	if node == nil {
		return place{}, false
	}
	switch node.Kind {
	case Mapping:
		return field(node, step, 0)
	case Sequence:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Content) {
			return place{value: node.Content[i]}, true
		}
	}
	return place{}, false
}

// field finds a key of a mapping, also in what is merged into it with <<. Merges within merges have an end.
func field(node *Node, name string, level int) (place, bool) {
	if i := keyIndex(node, name); i >= 0 {
		return place{node.Content[i], node.Content[i+1]}, true
	}
	for i := 0; i+1 < len(node.Content) && level < limits.Depth; i += 2 {
		if node.Content[i].Value != "<<" {
			continue
		}
		if merged := resolve(node.Content[i+1]); merged != nil && merged.Kind == Mapping {
			if p, ok := field(merged, name, level+1); ok {
				return p, true
			}
		}
	}
	return place{}, false
}

func resolve(node *Node) *Node {
	if node != nil && node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// endOf returns the column behind a node: a scalar's width, a list's or mapping's first line.
func (d *Document) endOf(node *Node) int {
	line := d.Lines[min(node.Line, len(d.Lines))-1]
	width := utf8.RuneCountInString(node.Value)
	switch {
	case node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		width += 2
	case node.Kind == yaml.AliasNode:
		width++
	case node.Kind != Scalar:
		width = utf8.RuneCountInString(line)
	}
	end := min(node.Column+width, utf8.RuneCountInString(strings.TrimRight(line, " \t"))+1)
	return max(end, node.Column+1)
}

// Plain returns the text of a field's plain scalar, "" for anything else.
func (d *Document) Plain(path string) string {
	p, exact := d.find(path)
	node := resolve(p.value)
	if !exact || node == nil || node.Kind != Scalar || node.Style != 0 {
		return ""
	}
	return node.Value
}

// FirstContent returns the first line, from 1, that is neither blank nor a comment.
func (d *Document) FirstContent() int {
	for i, line := range d.Lines {
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
