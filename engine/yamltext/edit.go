package yamltext

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// change replaces a part of the body.
type change struct {
	from, to int
	text     string
}

// Set returns the whole text with another value at a path below the document's root: over the one that is there, or as a new field,
// with the objects around it that are missing. The value is written as YAML on one line.
func (d *Document) Set(path []string, value string) (string, error) {
	key, n, missing, err := d.walk(path)
	if err != nil {
		return "", err
	}
	var changes []change
	if len(missing) > 0 {
		field := strings.Join(missing, ": {") + ": " + value + strings.Repeat("}", len(missing)-1)
		changes, err = d.add(n, missing[0], field, field)
	} else {
		changes, err = d.replace(key, n, strings.Join(path, "."), value)
	}
	if err != nil {
		return "", err
	}
	return d.apply(changes, path, func(any) any { return valueOf(value) })
}

// Prepend returns the whole text with a new first entry of the list at a path, which may be missing. An entry that is the first one already
// is not written again.
func (d *Document) Prepend(path []string, entry string) (string, error) {
	key, n, missing, err := d.walk(path)
	if err != nil {
		return "", err
	}
	if len(missing) > 1 {
		return d.Set(path, "["+entry+"]")
	}
	name := path[len(path)-1]
	var changes []change
	given := entry
	switch {
	case len(missing) > 0:
		indent := ""
		if n.Kind == Mapping && len(n.Content) > 0 {
			indent = strings.Repeat(" ", n.Content[0].Column-1)
		}
		changes, err = d.add(n, name, name+": ["+entry+"]", name+":"+d.lineEnd(n)+indent+"- "+entry)
	case n.Kind == Sequence && len(n.Content) > 0 && reflect.DeepEqual(newReader().value(n.Content[0]), valueOf(entry)):
		return d.stream, nil
	case n.Kind != Sequence:
		changes, err = d.replace(key, n, name, "["+entry+"]")
	case d.shared(n):
		err = sharedError(name)
	case n.Style&yaml.FlowStyle != 0:
		if len(n.Content) > 0 {
			entry += ", "
		}
		at := d.content(n) + 1
		changes = []change{{at, at, entry}}
	default:
		at := d.content(n)
		changes = []change{{at, at, "- " + entry + d.lineEnd(n) + strings.Repeat(" ", d.column(at))}}
	}
	if err != nil {
		return "", err
	}
	return d.apply(changes, path, func(v any) any {
		list, _ := v.([]any)
		return slices.Insert(slices.Clone(list), 0, valueOf(given))
	})
}

// Remove returns the whole text without a field, and unchanged if there is no such field.
func (d *Document) Remove(path []string) (string, error) {
	key, n, missing, err := d.walk(path)
	if err != nil || len(missing) > 0 {
		return d.stream, err
	}
	_, parent, _, err := d.walk(path[:len(path)-1])
	if err != nil || key == nil || d.shared(n) || d.shared(key) {
		return "", sharedError(strings.Join(path, "."))
	}
	i, last := keyIndex(parent, path[len(path)-1]), len(parent.Content)-2
	from, to, with := d.keyStart(key), d.end(n), ""
	switch flow := parent.Style&yaml.FlowStyle != 0; {
	case last == 0 && !flow:
		with = "{}"
	case last == 0:
	case i < last && (flow || strings.TrimSpace(d.body[d.lineStart(from):from]) != ""):
		to = d.keyStart(parent.Content[i+2])
	case flow:
		from = d.end(parent.Content[i-1])
	default:
		from, to = d.lineStart(from), nextLine(d.body, to)
	}
	return d.apply([]change{{from, to, with}}, path, nil)
}

// Span returns where a field is in the whole text: from its key to the end of its value. Without such a field both are 0.
func (d *Document) Span(path []string) (from, to int) {
	key, n, missing, err := d.walk(path)
	if err != nil || len(missing) > 0 || key == nil {
		return 0, 0
	}
	return d.inStream(d.offset(key)), d.inStream(d.end(n))
}

// Cut returns the whole text, of which the end may have changed, without the document and its marker.
func (d *Document) Cut(text string) string {
	to := d.starts[len(d.starts)-1]
	if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
		return text[:d.starts[0]] + text[to+i+1:]
	}
	return text[:d.starts[0]]
}

// At returns the node at a path, nil without it. It does not follow aliases and merges.
func (d *Document) At(path []string) *Node {
	n := d.Root()
	for _, name := range path {
		if n != nil && n.Kind == Mapping {
			n = Child(n, name)
		} else if next, ok := (place{value: n}).step(name); ok && n.Kind == Sequence {
			n = next.value
		} else {
			return nil
		}
	}
	return n
}

// walk follows a path. It returns what is there, with its key, and the rest of the path that is missing below it.
func (d *Document) walk(path []string) (key, n *Node, missing []string, err error) {
	if n = d.Root(); n == nil {
		if _, err = d.Value(); err == nil {
			err = errors.New("the document cannot be edited")
		}
		return nil, nil, nil, err
	}
	for i, name := range path {
		if n.Kind == yaml.AliasNode || d.shared(n) {
			return nil, nil, nil, sharedError(strings.Join(path[:i+1], "."))
		}
		next, ok := place{value: n}.step(name)
		switch {
		case !ok:
			return key, n, path[i:], nil
		case n.Kind == Mapping && keyIndex(n, name) < 0:
			return nil, nil, nil, fmt.Errorf("%s cannot be changed here: it is merged with <<; write it out", strings.Join(path[:i+1], "."))
		}
		key, n = next.key, next.value
	}
	return key, n, nil, nil
}

func plainError(path string) error {
	return fmt.Errorf("%s cannot be changed here: write it as a plain number or text", path)
}

func sharedError(path string) error {
	return fmt.Errorf("%s cannot be changed here: an anchor shares it with another field; write it out", path)
}

// shared reports whether an alias elsewhere stands for a node or for something in it.
func (d *Document) shared(n *Node) bool {
	inside, outside := map[*Node]bool{}, map[*Node]bool{}
	var visit func(m *Node, in bool)
	visit = func(m *Node, in bool) {
		in = in || m == n
		if in {
			inside[m] = true
		} else if m.Alias != nil {
			outside[m.Alias] = true
		}
		for _, c := range m.Content {
			visit(c, in)
		}
	}
	if strings.Contains(d.body, "*") {
		visit(d.root, false)
	}
	for target := range outside {
		if inside[target] {
			return true
		}
	}
	return false
}

func (d *Document) replace(key, n *Node, name, value string) ([]change, error) {
	from, to := d.offset(n), d.end(n)
	switch {
	case d.shared(n):
		return nil, sharedError(name)
	case isBlock(n):
		return d.replaceBlock(key, n, name, value)
	case isNull(n) && from > 0 && strings.IndexByte(":-?", d.body[from-1]) >= 0:
		value = " " + value
	case isNull(n) && key != nil && d.skipSpace(d.end(key)) == from: // {key}
		from, to, value = d.end(key), d.end(key), ": "+value
	}
	return []change{{from, to, value}}, nil
}

// replaceBlock writes a value on the line of its key, in place of the lines below.
func (d *Document) replaceBlock(key, n *Node, name, value string) ([]change, error) {
	if key == nil {
		return nil, plainError(name)
	}
	at := d.skipSpace(d.end(key)) + 1 // behind the colon
	sign, first := d.properties(n), d.lineStart(d.content(n))
	if n.Kind == Scalar {
		sign, first = d.headerEnd(d.content(n)), nextLine(d.body, d.content(n))
	} else if sign == d.offset(n) {
		sign = at
	}
	changes := []change{{at, sign, " " + value}}
	if end := d.end(n); end > first {
		changes = append(changes, change{first, nextLine(d.body, end), ""})
	}
	return changes, nil
}

// add writes a field as the first one of a mapping. A null becomes a mapping.
func (d *Document) add(n *Node, name, flow, block string) ([]change, error) {
	switch {
	case n.Kind == Scalar && n.Style == 0 && isNullWord(n.Value):
		return d.replace(nil, n, name, "{"+flow+"}")
	case n.Kind != Mapping:
		return nil, fmt.Errorf("%s cannot be added here: write the object around it out", name)
	case d.shared(n):
		return nil, sharedError(name)
	case n.Style&yaml.FlowStyle != 0:
		if len(n.Content) > 0 {
			flow += ", "
		}
		at := d.content(n) + 1
		return []change{{at, at, flow}}, nil
	}
	at := d.keyStart(n.Content[0])
	return []change{{at, at, block + d.lineEnd(n) + strings.Repeat(" ", d.column(at))}}, nil
}

// keyStart returns where a key begins, with the sign ? of a long one.
func (d *Document) keyStart(key *Node) int {
	at := d.offset(key)
	if before := strings.TrimRight(d.body[:at], " "); len(before) < at && strings.HasSuffix(before, "?") {
		if line := before[d.lineStart(at) : len(before)-1]; strings.Trim(line, " -") == "" {
			return len(before) - 1
		}
	}
	return at
}

func (d *Document) lineStart(at int) int { return strings.LastIndexByte(d.body[:at], '\n') + 1 }

func (d *Document) column(at int) int { return utf8.RuneCountInString(d.body[d.lineStart(at):at]) }

// lineEnd returns how the line ends on which a node begins.
func (d *Document) lineEnd(n *Node) string {
	rest := d.stream[d.inStream(d.offset(n)):]
	if i := strings.IndexByte(rest, '\n'); i > 0 && rest[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// apply makes changes and reads the result: an edit changes the value at its path and nothing else, or it is an error.
func (d *Document) apply(changes []change, path []string, to func(any) any) (string, error) {
	was, err := d.Value()
	if err != nil {
		return "", err
	}
	text := d.stream
	for _, c := range slices.Backward(changes) {
		text = text[:d.inStream(c.from)] + c.text + text[d.inStream(c.to):]
	}
	if docs := Split(text); d.Number <= len(docs) {
		if is, err := docs[d.Number-1].Value(); err == nil && reflect.DeepEqual(is, with(was, path, to)) {
			return text, nil
		}
	}
	return "", plainError(strings.Join(path, "."))
}

// with returns a value with another one at a path, or without that field if to is nil.
func with(v any, path []string, to func(any) any) any {
	if len(path) == 0 {
		return to(v)
	}
	if list, ok := v.([]any); ok {
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(list) {
			return nil
		}
		list = slices.Clone(list)
		list[i] = with(list[i], path[1:], to)
		return list
	}
	m, _ := v.(map[string]any)
	m = maps.Clone(m)
	if m == nil {
		m = map[string]any{}
	}
	if len(path) == 1 && to == nil {
		delete(m, path[0])
		return m
	}
	m[path[0]] = with(m[path[0]], path[1:], to)
	return m
}

// valueOf reads a value on one line; nil if it cannot be read.
func valueOf(text string) any {
	docs := Split("v: " + text)
	if len(docs) == 0 {
		return nil
	}
	v, err := docs[0].Value()
	if m, ok := v.(map[string]any); ok && err == nil {
		return m["v"]
	}
	return nil
}
