package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// document is one document of a YAML stream.
type document struct {
	number int      // from 1; documents without content are not counted
	first  int      // the line of the whole text on which it begins, from 1
	text   string   // without the marker, and without blank lines around it
	lines  []string // all of its lines without their ends; a marker is three blanks, so that columns stay

	value    map[string]any // nil until it is read, and if it cannot be
	manifest *Manifest      // of an object without diagnostics
	root     *yaml.Node     // parsed for the first position
	parsed   bool
}

// isScenario says whether it is the document of kind Scenario.
func (d *document) isScenario() bool {
	return d.value["apiVersion"] == scenarioVersion && d.value["kind"] == scenarioKind
}

// splitStream splits a text at its --- lines, as kubectl does. Documents without content are left out.
func splitStream(text string) []*document {
	all := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	var docs []*document
	d, raw := &document{first: 1}, 0 // raw is the line with which the text of d begins
	marker := ""                     // what stands behind the dashes there
	flush := func(end int, rest string) {
		if d.hasContent() {
			d.number = len(docs) + 1
			d.text = strings.Trim(marker+strings.Join(all[raw:end], "\n"), "\n") + "\n"
			docs = append(docs, d)
		}
		d, raw, marker = &document{first: end + 1}, end+1, rest+"\n"
	}
	for i, line := range all {
		if i%512 == 511 {
			breath.Take()
		}
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
		d.lines = append(d.lines, line)
	}
	flush(len(all), "")
	return docs
}

// hasContent says whether there is anything but blanks, comments and directives.
func (d *document) hasContent() bool {
	for _, line := range d.lines {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != '%' {
			return true
		}
	}
	return false
}

// openingComment returns the comment with which a text begins, without its signs: the lesson of a scenario.
func openingComment(text string) string {
	var lesson []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			if len(lesson) == 0 && (line == "" || line == "---") {
				continue
			}
			break
		}
		lesson = append(lesson, strings.TrimPrefix(comment, " "))
	}
	return strings.TrimSpace(strings.Join(lesson, "\n"))
}

// read turns the document into a tree of JSON values. Its diagnostics have the parser's sentences.
func (d *document) read() []Diagnostic {
	text := strings.Join(d.lines, "\n")
	aliases := strings.Contains(text, "&") && strings.Contains(text, "*")
	if aliases && expandedSize(d.tree(), map[*yaml.Node]int{}) > limits.Expanded {
		message := fmt.Sprintf("the document has more than %d bytes with its aliases written out", limits.Expanded)
		return []Diagnostic{d.at("", message)}
	}
	var parsed any
	err := unmarshal(text, aliases, &parsed)
	if err != nil {
		return d.syntaxErrors(err)
	}
	v, err := asJSON(parsed)
	if err != nil {
		return d.syntaxErrors(err)
	}
	if depth(v) > limits.Depth {
		return []Diagnostic{d.at("", fmt.Sprintf("the document is nested more than %d levels deep", limits.Depth))}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return []Diagnostic{d.at("", "a document must be a Kubernetes object: fields such as apiVersion, kind, metadata "+
			"and spec, one a line")}
	}
	d.value = m
	return nil
}

// expandedSize returns roughly how long a node is with its aliases written out. The parser bounds their number, but not
// the bytes. Sizes that are known are kept, so that the work is bounded by the text.
func expandedSize(node *yaml.Node, sizes map[*yaml.Node]int) int {
	if node == nil {
		return 0
	}
	if n, ok := sizes[node]; ok {
		return n
	}
	n := len(node.Value) + 4
	sizes[node] = n // for an alias within its own anchor, which the parser rejects
	if node.Kind == yaml.AliasNode {
		n += expandedSize(node.Alias, sizes)
	}
	for _, c := range node.Content {
		n = min(n+expandedSize(c, sizes), 2*limits.Expanded)
	}
	sizes[node] = n
	return n
}

func depth(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n = max(n, depth(e))
		}
	case []any:
		for _, e := range v {
			breath.Take()
			n = max(n, depth(e))
		}
	default:
		return 0
	}
	return n + 1
}

// syntaxErrors returns a diagnostic for each thing that the parser found, with the lines of the whole text.
func (d *document) syntaxErrors(err error) []Diagnostic {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	var diagnostics []Diagnostic
	if list, ok := strings.CutPrefix(message, "unmarshal errors:\n"); ok {
		for line := range strings.Lines(list) {
			if len(diagnostics) == limits.Problems {
				break
			}
			diagnostics = append(diagnostics, d.syntaxError(strings.TrimSpace(line)))
		}
		return diagnostics
	}
	return []Diagnostic{d.syntaxError(message)}
}

// syntaxError corrects one message of the parser, `line 3: could not find expected ':'`. Its lines are counted from
// the document's first. The parser names no line if it is the first; and of an error that is found by the grammar, not
// by the scanner, it names the line before.
func (d *document) syntaxError(message string) Diagnostic {
	line := 1
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, text, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, message = n, text
			if isGrammarError(text) {
				line++
			}
		}
	} else if name, ok := between(message, "unknown anchor '", "'"); ok {
		line = d.lineOf("*" + name)
	} else if name, ok := between(message, "anchor '", "'"); ok {
		line = d.lineOf("&" + name)
	}
	line = min(max(line, 1), len(d.lines))
	x := d.lineDiagnostic(line)
	x.Message = fmt.Sprintf("error converting YAML to JSON: yaml: line %d: %s", x.Line, message)
	return x
}

// isGrammarError says whether a message of the parser comes from the grammar. The scanner too has messages that begin
// so; they name what is missing in words, the grammar names an indicator or a part of the document.
func isGrammarError(message string) bool {
	what, ok := strings.CutPrefix(message, "did not find expected ")
	switch {
	case !ok:
		return false
	case what == "key", what == "node content", what == "'-' indicator", what == "<document start>":
		return true
	}
	return strings.HasPrefix(what, "',' or")
}

func between(s, before, after string) (string, bool) {
	_, rest, ok := strings.Cut(s, before)
	middle, _, found := strings.Cut(rest, after)
	return middle, ok && found
}

// lineOf returns the first line that holds a word, 1 if none does.
func (d *document) lineOf(word string) int {
	for i, line := range d.lines {
		if strings.Contains(line, word) {
			return i + 1
		}
	}
	return 1
}

// lineDiagnostic marks a line of the document, counted from 1, from its first letter to its last.
func (d *document) lineDiagnostic(line int) Diagnostic {
	text := d.lines[line-1]
	column := len([]rune(text)) - len([]rune(strings.TrimLeft(text, " \t"))) + 1
	end := len([]rune(strings.TrimRight(text, " \t"))) + 1
	return Diagnostic{Document: d.number, Line: d.first + line - 1, Column: column, EndColumn: max(end, column+1)}
}
