package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
	"github.com/rollplay/rollplay/web/must"
)

// manifest is one object of a file. Its lines are those of the file. The exported fields are what shards carry.
type manifest struct {
	File   string `json:"file"`             // as it was named
	Source string `json:"source,omitempty"` // the template that helm names in a comment, "" without one
	Line   int    `json:"line"`             // the line of the file on which the text begins, from 1
	Kind   string `json:"kind"`
	Text   string `json:"text,omitempty"` // ends with a line break

	first  int        // the line of the stream at which it begins, from 0; see manifests.text
	value  api.Fields // nil if it cannot be read
	err    error      // why
	judged bool       // false for a kind that concerns no rollout, such as CustomResourceDefinition
}

// key is kind, namespace and name, by which manifests of the same object are recognized.
func (m *manifest) key() string {
	return m.Kind + "/" + m.namespace() + "/" + m.value.Object("metadata").Text("name")
}

// workload reports whether it is of a kind that has rollouts.
func (m *manifest) workload() bool {
	return kinds.Of(api.Kind(m.Kind)).Revisions && !kinds.Custom(m.value.Text("apiVersion"))
}

// inFile is the name of its file.
func (m *manifest) inFile() string { return m.File }

// manifests are the objects of an update that are judged together: a budget may be in another file than its workload.
type manifests []*manifest

// text returns the objects as one stream, and notes where each of them begins.
func (m manifests) text() string {
	next := 0
	return words.Join(m, "---\n", func(m *manifest) string {
		m.first = next
		next += strings.Count(m.Text, "\n") + 1
		return m.Text
	})
}

// at returns the object on a line of the stream, and the line of its file.
func (m manifests) at(line int) (of *manifest, fileLine int) {
	i := len(m) - 1
	for i > 0 && m[i].first >= line {
		i--
	}
	return m[i], max(1, line-m[i].first) + m[i].Line - 1
}

// names lists the files, at most a few of them.
func (m manifests) names() string {
	var names []string
	for _, of := range grouped(m, (*manifest).inFile) {
		names = append(names, of[0].File)
	}
	if more := len(names) - 3; more > 1 {
		return strings.Join(names[:3], ", ") + " and " + words.Plural(more, "more file")
	}
	return strings.Join(names, ", ")
}

// parseStream reads the objects of a text: YAML or JSON, one or many, with the items of Lists one by one. Objects of kinds that concern no
// rollout are recognized by a line and not parsed, because a stream has megabytes of them.
func parseStream(file, text string, enough func() bool) (list manifests, err error) {
	defer must.Caught(&err)
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	for line := 1; text != ""; {
		if enough() {
			return nil, errUnknown
		}
		chunk := text[:endOfDocument(text)]
		m := &manifest{File: file, Line: line, Text: strings.TrimPrefix(chunk, "---")}
		list = append(list, m.parse()...)
		text, line = text[len(chunk):], line+strings.Count(chunk, "\n")
	}
	return list, nil
}

// endOfDocument returns where the next document of a stream begins.
func endOfDocument(text string) int {
	for at := 1; ; {
		i := strings.Index(text[at:], "\n---")
		if i < 0 {
			return len(text)
		}
		at += i + len("\n---")
		if at == len(text) || strings.IndexByte(" \t\n", text[at]) >= 0 {
			return at - len("---")
		}
	}
}

// parse reads a document.
func (m *manifest) parse() manifests {
	if s := sourceLine.FindStringSubmatch(m.Text); s != nil {
		m.Source = s[1]
	}
	var kind []string
	if found := kindLine.FindAllStringSubmatch(m.Text, 2); len(found) == 1 { // twice is an error, which the parser finds
		kind = found[0]
	}
	switch parts := m.jsonParts(); {
	case kind != nil && !concerns(kind[1], m.Text):
		m.Kind = kind[1]
		return manifests{m}
	case parts != nil:
		return parts
	case kind != nil && strings.HasSuffix(kind[1], "List"):
		if items := m.items(); items != nil {
			return items
		}
	}
	must.Wrap(tooLong("this object", len(m.Text), limits.Text), "%s:%d", m.File, m.Line)
	return m.read()
}

// sourceLine is the comment with which helm names the template of an object.
var sourceLine = regexp.MustCompile(`(?m)^# Source: *(\S+)`)

// kindLine is the line with the kind of an object.
var kindLine = regexp.MustCompile(`(?m)^["']?kind["']?: *["']?(\w+)`)

// decides finds what makes an object of a kind that is not simulated decide about a rollout: then it has a finding.
var decides = regexp.MustCompile(`containers"?:|[tT]argetRef"?:|workloadRef"?:`)

// concerns reports whether an object of a kind may concern a rollout.
func concerns(kind, text string) bool {
	switch kind {
	case "CustomResourceDefinition":
		return false
	case "", "List", "Scenario", "LimitRange":
		return true
	}
	k, version := kinds.Of(api.Kind(kind)), versionLine.FindStringSubmatch(text)
	return k.Stored() && (!k.Inert || k.Routes) || decides.MatchString(text) ||
		version != nil && kinds.Typo(version[1], strings.TrimSuffix(kind, "List")) // the reader says what was probably meant
}

var versionLine = regexp.MustCompile(`(?m)^["']?apiVersion["']?: *["']?([\w./]+)`)

// read parses an object, and returns nothing for a text without one.
func (m *manifest) read() (list manifests) {
	for _, d := range yamltext.Split(m.Text) {
		text := strings.TrimRight(strings.Join(d.Lines, "\n"), "\n") + "\n"
		one := &manifest{File: m.File, Source: m.Source, Line: m.Line + d.First - 1, Text: text}
		v, err := d.Value()
		tree, _ := v.(map[string]any)
		one.value, one.err = tree, err
		one.Kind = one.value.Text("kind")
		one.judged = concerns(one.Kind, one.Text)
		if items := one.value.Items("items"); strings.HasSuffix(one.Kind, "List") && len(items) > 0 {
			list = append(list, one.flow(items)...)
		} else {
			list = append(list, one)
		}
	}
	return list
}

// flow returns the items of a List in flow style, which all have its line.
func (m *manifest) flow(items []api.Fields) (list manifests) {
	for _, item := range items {
		one := &manifest{File: m.File, Source: m.Source, Line: m.Line, Text: string(api.JSON(map[string]any(item))) + "\n"}
		list = append(list, one.read()...)
	}
	return list
}

// items returns the items of a List in block style, as kubectl prints it; they keep their lines. It returns nil for others.
func (m *manifest) items() (list manifests) {
	lines := strings.SplitAfter(m.Text, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.TrimRight(l, " \n") == "items:" }) + 1
	if at == 0 || at == len(lines) {
		return nil
	}
	dash := lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], " "))] + "- "
	for from := at; from < len(lines) && strings.HasPrefix(lines[from], dash); {
		to := from + 1
		for to < len(lines) && (strings.HasPrefix(lines[to], dash[:len(dash)-2]+" ") || strings.TrimSpace(lines[to]) == "") {
			to++
		}
		one := &manifest{File: m.File, Source: m.Source, Line: m.Line + from}
		one.Text = strings.Replace(lines[from], "-", " ", 1) + strings.Join(lines[from+1:to], "")
		list, from = append(list, one.read()...), to
	}
	return list
}

// jsonParts returns the objects of a document that is JSON: one or more behind each other, with the items of Lists one by one. It returns
// nil for anything else.
func (m *manifest) jsonParts() (list manifests) {
	if !strings.HasPrefix(strings.TrimSpace(m.Text), "{") {
		return nil
	}
	for d, rest, line := json.NewDecoder(strings.NewReader(m.Text)), m.Text, m.Line; d.More(); {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil
		}
		list = append(list, m.part(string(raw), skip(&rest, &line, string(raw)))...)
	}
	return list
}

// skip returns the line on which a part of a text begins, and moves the text and its line behind the part. The work is that of the text
// once, however many parts it has.
func skip(rest *string, line *int, part string) (begins int) {
	i := strings.Index(*rest, part) // parts have the bytes of the text
	begins = *line + strings.Count((*rest)[:i], "\n")
	*rest, *line = (*rest)[i+len(part):], begins+strings.Count(part, "\n")
	return begins
}

// part returns the object of a JSON text that begins on a line, or the items of a List.
func (m *manifest) part(raw string, line int) (list manifests) {
	var head struct {
		Kind  string            `json:"kind"`
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal([]byte(raw), &head) == nil && strings.HasSuffix(head.Kind, "List") {
		for _, item := range head.Items {
			list = append(list, m.part(string(item), skip(&raw, &line, string(item)))...)
		}
		return list
	}
	one := &manifest{File: m.File, Source: m.Source, Line: line, Text: raw + "\n"}
	if one.Kind = head.Kind; !concerns(head.Kind, raw) {
		return manifests{one}
	}
	return one.read()
}

// sound reports whether an object looks like one of Kubernetes. The reader says what is wrong with others.
func (m *manifest) sound() bool {
	version := m.value.Text("apiVersion")
	return m.err == nil && m.Kind != "" && m.Kind != "Scenario" && version != "" && !kinds.Typo(version, strings.TrimSuffix(m.Kind, "List")) &&
		!kinds.Gone(version, api.Kind(m.Kind))
}

// templateLine returns the line of the file with the first {{, if the object cannot be read because of it; else 0. In a string, {{ is data.
func (m *manifest) templateLine() int {
	if i := strings.Index(m.Text, "{{"); m.err != nil && i >= 0 {
		return m.Line + strings.Count(m.Text[:i], "\n")
	}
	return 0
}
