package session

import "strings"

// Field is a field of a manifest in the editor's text: spec.strategy.rollingUpdate.maxSurge of a Deployment.
type Field struct {
	Path, Value, Kind string
	Line              int
}

// fieldsMax bounds the fields of a text that are listed.
const fieldsMax = 600

// Fields lists the fields of the manifests in the editor's text, without the scenario's own document. It reads lines, so a text
// with errors has fields, too.
func (d *Document) Fields() (all []Field) {
	var path fieldPath
	first := 0 // of the document
	kind := ""
	for i, line := range strings.Split(d.Text, "\n") {
		if strings.HasPrefix(line, "---") {
			all = endDocument(all, first, kind)
			path, first, kind = nil, len(all), ""
			continue
		}
		key, value, ok := path.take(line)
		if !ok {
			continue
		}
		if key == "kind" {
			kind = value
		}
		if len(all) < fieldsMax {
			all = append(all, Field{Path: key, Value: value, Line: i + 1})
		}
	}
	return endDocument(all, first, kind)
}

// endDocument gives the fields of a document their kind, and leaves out those of a scenario.
func endDocument(all []Field, first int, kind string) []Field {
	if kind == "Scenario" {
		return all[:first]
	}
	for i := first; i < len(all); i++ {
		all[i].Kind = kind
	}
	return all
}

// fieldPath is the keys above a line, each with its indentation.
type fieldPath []struct {
	indent int
	key    string
}

// take reads a line: its path of keys and its value, ok if it has a key. An entry of a list counts as indented to what follows
// the dash, so both ways to indent lists have the same paths.
func (p *fieldPath) take(line string) (path, value string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	for strings.HasPrefix(rest, "- ") {
		trimmed := strings.TrimLeft(rest[2:], " ")
		indent += len(rest) - len(trimmed)
		rest = trimmed
	}
	key, value, found := strings.Cut(rest, ":")
	if !found || key == "" || strings.ContainsAny(key, " #{}[]\"'") || value != "" && value[0] != ' ' {
		return "", "", false
	}
	for n := len(*p); n > 0 && (*p)[n-1].indent >= indent; n-- {
		*p = (*p)[:n-1]
	}
	for _, above := range *p {
		path += above.key + "."
	}
	*p = append(*p, struct {
		indent int
		key    string
	}{indent, key})
	return path + key, strings.TrimSpace(value), true
}
