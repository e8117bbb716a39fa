// Package yamltext reads a YAML stream into values with positions, and edits the text where a value is, so that comments, order and
// style stay as a person wrote them. The reader of scenarios, Break, the version menu, prepared edits and sweeps share it.
//
// # Which parser
//
// A text is read once, by go.yaml.in/yaml/v3, because it is the one of these parsers that gives positions and accepts the same texts as
// Kubernetes' own. Kubernetes reads YAML 1.1 (yes is true, 010 is 8), so the values of scalars are found here. Whatever is unusual is
// left to sigs.k8s.io/yaml: tags, odd keys, many aliases, and every error, because its words and lines are kubectl's. A fuzz test compares
// the two. For the first lesson, on two shared cores, with 40,000 texts that were damaged at random:
//
//	parser                 time      differs from yaml/v2, which Kubernetes uses
//	yaml/v2, values        0.23 ms   has no positions
//	sigs.k8s.io/yaml       0.32 ms   has no positions; its JSON is still to be read
//	yaml/v3, nodes         0.19 ms   1 text refused; its errors name the line where a block begins, not the wrong line
//	yaml/v4.0.0, nodes     0.21 ms   276 texts accepted or refused differently
//	this package           0.27 ms   values and positions; before, positions took a second reading
//
// A text of a megabyte is parsed in parts, with breaths between them, and takes up to 1.7 times as long as in yaml/v2. yaml/v2 is still
// linked below sigs.k8s.io/yaml: kubectl prints -o yaml with it, and the lines of errors need its parser.
package yamltext

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/breath"
)

// Node is a value of a document with its place, as the parser returns it.
type Node = yaml.Node

// The kinds of a Node.
const (
	Mapping  = yaml.MappingNode
	Sequence = yaml.SequenceNode
	Scalar   = yaml.ScalarNode
)

// Document is one document of a stream.
type Document struct {
	Number int      // from 1; documents without content are not counted
	First  int      // the line of the whole text on which it begins, from 1
	Text   string   // without the marker, and without blank lines around it
	Lines  []string // all of its lines without their ends; a marker is three blanks, so that columns stay

	stream string // the whole text
	starts []int  // where each line begins in it
	body   string // the lines joined, which the parser reads
	root   *Node  // parsed when it is first needed
	parsed bool
}

const byteOrderMark = "\ufeff"

// Split splits a text at its --- lines, as kubectl does. Documents without content are left out.
func Split(text string) []*Document {
	from := len(text) - len(strings.TrimPrefix(text, byteOrderMark))
	all := strings.Split(text[from:], "\n")
	var docs []*Document
	d, raw := &Document{First: 1, stream: text}, 0 // raw is the line with which the text of d begins
	marker := ""                                   // what is behind the dashes there
	flush := func(end int, rest string) {
		if d.hasContent() {
			d.Number = len(docs) + 1
			d.Text = strings.Trim(marker+strings.Join(all[raw:end], "\n"), "\n") + "\n"
			docs = append(docs, d)
		}
		d, raw, marker = &Document{First: end + 1, stream: text}, end+1, rest+"\n"
	}
	for i, line := range all {
		if i%512 == 511 {
			breath.Take()
		}
		start := from
		from += len(line) + 1
		line = strings.TrimSuffix(line, "\r")
		rest, dashes := strings.CutPrefix(line, "---")
		switch {
		case dashes && (rest == "" || rest[0] == ' ' || rest[0] == '\t'):
			flush(i, rest)
			line = "   " + strings.ReplaceAll(rest, "\t", " ") // what follows keeps its column
		case strings.TrimRight(line, " \t") == "...":
			flush(i, "")
			line = ""
		}
		d.Lines, d.starts = append(d.Lines, line), append(d.starts, start)
	}
	flush(len(all), "")
	return docs
}

// hasContent reports whether there is anything but blanks, comments and directives.
func (d *Document) hasContent() bool {
	for _, line := range d.Lines {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != '%' {
			return true
		}
	}
	return false
}

// Root returns the document's tree, nil if its text cannot be parsed.
func (d *Document) Root() *Node {
	if !d.parsed {
		d.parsed = true
		d.body = strings.Join(d.Lines, "\n")
		var root Node
		if err := yaml.NewDecoder(breath.NewReader(d.body)).Decode(&root); err == nil && len(root.Content) > 0 {
			d.root = root.Content[0]
		}
	}
	return d.root
}

// Forget drops the tree, which is several times as large as the text. Root parses it again.
func (d *Document) Forget() { d.root, d.parsed, d.body = nil, false, "" }

// Child returns the value of a key of a mapping, nil without it. It does not follow aliases and merges.
func Child(n *Node, key string) *Node {
	if i := keyIndex(n, key); i >= 0 {
		return n.Content[i+1]
	}
	return nil
}

// keyIndex returns the index of a key among the content of a mapping, -1 without it.
func keyIndex(n *Node, key string) int {
	if n != nil && n.Kind == Mapping {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key && n.Content[i].Kind == Scalar {
				return i
			}
		}
	}
	return -1
}

// Word returns a scalar value of a mapping as it is written, "" without it.
func Word(n *Node, key string) string {
	if v := Child(n, key); v != nil && v.Kind == Scalar {
		return v.Value
	}
	return ""
}
