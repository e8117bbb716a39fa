package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// manifest is one object of a file. Its lines and columns are those of the file.
type manifest struct {
	file   string // as it was named
	source string // the template that helm names in a comment, "" without one
	line   int    // the line of the file on which the text begins, from 1
	text   string // ends with a line break
	first  int    // the line of the stream at which it begins, from 0; see manifests.text

	kind   string
	value  api.Fields // nil if it cannot be read
	err    error      // why
	judged bool       // false for a kind that concerns no rollout, such as CustomResourceDefinition
}

// key is kind, namespace and name, by which manifests of the same object are recognized.
func (m *manifest) key() string {
	return m.kind + "/" + m.namespace() + "/" + m.value.Object("metadata").Text("name")
}

// workload reports whether it is of a kind that has rollouts.
func (m *manifest) workload() bool { return kinds.Of(api.Kind(m.kind)).Revisions }

// manifests are the objects of an update that are judged together: a budget may be in another file than its workload.
type manifests []*manifest

// text returns the objects as one stream, and notes where each of them begins.
func (m manifests) text() string {
	next := 0
	return words.Join(m, "---\n", func(m *manifest) string {
		m.first = next
		next += strings.Count(m.text, "\n") + 1
		return m.text
	})
}

// at returns the object on a line of the stream, and the line of its file.
func (m manifests) at(line int) (of *manifest, fileLine int) {
	i := len(m) - 1
	for i > 0 && m[i].first >= line {
		i--
	}
	return m[i], max(1, line-m[i].first) + m[i].line - 1
}

// names lists the files, at most a few of them.
func (m manifests) names() string {
	var names []string
	for _, x := range m {
		if !slices.Contains(names, x.file) {
			names = append(names, x.file)
		}
	}
	if more := len(names) - 3; more > 1 {
		return strings.Join(names[:3], ", ") + " and " + words.Plural(more, "more file")
	}
	return strings.Join(names, ", ")
}

// parseStream reads the objects of a text: YAML or JSON, one or many, with the items of Lists one by one. Objects of kinds that concern no
// rollout are recognized by a line and not parsed, because a stream has megabytes of them.
func parseStream(file, text string) (list manifests) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, d := range yamltext.Split(text) {
		m := &manifest{file: file, line: d.First, text: strings.Join(d.Lines, "\n") + "\n"}
		if s := sourceLine.FindStringSubmatch(m.text); s != nil {
			m.source = s[1]
		}
		if kind := kindLine.FindStringSubmatch(m.text); kind != nil && !concerns(kind[1], m.text) {
			m.kind = kind[1]
			list = append(list, m)
		} else if parts := jsonParts(m); len(parts) > 1 {
			list = append(list, parts...)
		} else {
			list = append(list, m.read(d)...)
		}
	}
	return list
}

// sourceLine is the comment with which helm names the template of an object.
var sourceLine = regexp.MustCompile(`(?m)^# Source: *(\S+)`)

// kindLine is the line with the kind of an object.
var kindLine = regexp.MustCompile(`(?m)^["']?kind["']?: *["']?(\w+)`)

// concerns reports whether an object of a kind may concern a rollout. A kind with containers that is not simulated has a finding.
func concerns(kind, text string) bool {
	switch kind {
	case "CustomResourceDefinition":
		return false
	case "", "List", "Scenario":
		return true
	}
	k, version := kinds.Of(api.Kind(kind)), versionLine.FindStringSubmatch(text)
	return k.Stored() && !k.Inert || strings.Contains(text, "containers:") || strings.Contains(text, `"containers"`) ||
		version != nil && kinds.Typo(version[1], strings.TrimSuffix(kind, "List")) // the reader says what was probably meant
}

var versionLine = regexp.MustCompile(`(?m)^["']?apiVersion["']?: *["']?([\w./]+)`)

// read parses an object; of a List it returns the items.
func (m *manifest) read(d *yamltext.Document) manifests {
	v, err := d.Value()
	tree, _ := v.(map[string]any)
	m.value, m.err = tree, err
	m.kind = m.value.Text("kind")
	m.judged = concerns(m.kind, m.text)
	if items := m.items(d.Root()); len(items) > 0 {
		return items
	}
	return manifests{m}
}

// items returns the items of a List, which keep their lines and columns.
func (m *manifest) items(root *yamltext.Node) (list manifests) {
	if !strings.HasSuffix(m.kind, "List") || len(m.value.Items("items")) == 0 {
		return nil
	}
	items := yamltext.Child(root, "items")
	lines := strings.SplitAfter(m.text, "\n")
	for i, item := range items.Content {
		from, to := item.Line, len(lines)
		if i+1 < len(items.Content) {
			to = items.Content[i+1].Line - 1
		} else if next := after(root, items); next != nil {
			to = next.Line - 1
		}
		if from > to || item.Column < 2 || strings.Trim(lines[from-1][:item.Column-1], " -") != "" {
			return nil // several items on a line, or not ASCII: the engine reads the List itself
		}
		text := strings.Repeat(" ", item.Column-1) + lines[from-1][item.Column-1:] + strings.Join(lines[from:to], "")
		one := &manifest{file: m.file, source: m.source, line: m.line + from - 1, text: strings.TrimRight(text, "\n") + "\n"}
		list = append(list, one.read(yamltext.Split(one.text)[0])...)
	}
	return list
}

// after returns the key that follows a value of a mapping, nil for the last one.
func after(root, value *yamltext.Node) *yamltext.Node {
	if i := slices.Index(root.Content, value); i+1 < len(root.Content) {
		return root.Content[i+1]
	}
	return nil
}

// jsonParts returns the objects of a document that is JSON: one or more behind each other, with the items of Lists one by one. It returns
// nil for anything else.
func jsonParts(m *manifest) (list manifests) {
	if !strings.HasPrefix(strings.TrimSpace(m.text), "{") {
		return nil
	}
	for d, from := json.NewDecoder(strings.NewReader(m.text)), 0; d.More(); from = int(d.InputOffset()) {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil
		}
		list = append(list, m.part(string(raw), from+strings.IndexByte(m.text[from:], '{'))...)
	}
	return list
}

// part returns the object that begins at an offset of a JSON text, or the items of a List.
func (m *manifest) part(raw string, at int) (list manifests) {
	var head struct {
		Kind  string            `json:"kind"`
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal([]byte(raw), &head) == nil && strings.HasSuffix(head.Kind, "List") {
		from := 0
		for _, item := range head.Items {
			from += strings.Index(raw[from:], string(item)) // items have the bytes of the text
			list = append(list, m.part(string(item), at+from)...)
			from += len(item)
		}
		return list
	}
	begin := strings.LastIndexByte(m.text[:at], '\n') + 1
	one := &manifest{file: m.file, source: m.source, line: m.line + strings.Count(m.text[:begin], "\n"),
		text: strings.Repeat(" ", at-begin) + raw + "\n"}
	return one.read(yamltext.Split(one.text)[0])
}

// sound reports whether an object looks like one of Kubernetes. The reader says what is wrong with others.
func (m *manifest) sound() bool {
	version := m.value.Text("apiVersion")
	return m.err == nil && m.kind != "" && m.kind != "Scenario" && version != "" && !kinds.Typo(version, strings.TrimSuffix(m.kind, "List"))
}

// templateLine returns the line of the file with the first {{, if the object cannot be read because of it; else 0. In a string, {{ is data.
func (m *manifest) templateLine() int {
	if i := strings.Index(m.text, "{{"); m.err != nil && i >= 0 {
		return m.line + strings.Count(m.text[:i], "\n")
	}
	return 0
}

// problem returns an error for a text that cannot be a manifest, nil without one.
func (m *manifest) problem() error {
	if line := m.templateLine(); line > 0 {
		return fmt.Errorf("%s:%d: this is a template; render it first: helm template … | rollplay check -", m.file, line)
	}
	return nil
}
