package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// document is one document of a text, with what was read from it.
type document struct {
	*yamltext.Document
	value    map[string]any // nil until it is read, and if it cannot be
	manifest *Manifest      // of an object without diagnostics
}

// isScenario reports whether it is the document of kind Scenario.
func (d *document) isScenario() bool {
	return d.value["apiVersion"] == scenarioVersion && d.value["kind"] == scenarioKind
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
	v, err := d.Value()
	if limits.IsExceeded(err) {
		return []Diagnostic{d.at("", "", err.Error())}
	} else if err != nil {
		return d.syntaxErrors(err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return []Diagnostic{d.at("", "", "a document must be a Kubernetes object: fields such as apiVersion, kind, metadata "+
			"and spec, one a line")}
	}
	if d.value = m; len(d.Text) > breath.Long {
		d.Forget()
	}
	return nil
}

// at returns a diagnostic about a field of the object at a path, at the field's value, or at its key if the value is no
// scalar. A field that is not there is marked at the nearest one around it. The diagnostic names the field as the object has it.
func (d *document) at(path, field, message string) Diagnostic {
	return d.mark(path, field, message, false)
}

// mark is at, or the same at the field's key if its name is the problem.
func (d *document) mark(path, field, message string, key bool) Diagnostic {
	breath.Take()
	x := d.diagnostic(d.Mark(joinPath(path, field), key), message)
	x.Field = field
	return x
}

func (d *document) diagnostic(at yamltext.Mark, message string) Diagnostic {
	return Diagnostic{Document: d.Number, Line: at.Line, Column: at.Column, EndColumn: at.EndColumn, Message: message}
}

// booleanWord returns the word of a field that Kubernetes' YAML takes for true or false, though few people would: y, on, No. It is empty
// for anything else.
func (d *document) booleanWord(path string) string {
	word := d.Plain(path)
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off":
		return word
	}
	return ""
}

// syntaxErrors returns a diagnostic for each thing that the parser found, with the lines of the whole text.
func (d *document) syntaxErrors(err error) []Diagnostic {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	list, ok := strings.CutPrefix(message, "unmarshal errors:\n")
	if !ok {
		return []Diagnostic{d.syntaxError(message)}
	}
	var diagnostics []Diagnostic
	for line := range strings.Lines(list) {
		if len(diagnostics) == limits.Problems {
			break
		}
		diagnostics = append(diagnostics, d.syntaxError(strings.TrimSpace(line)))
	}
	return diagnostics
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
	} else if strings.HasPrefix(message, "invalid map key: ") {
		line = d.lineOf("{{")
	}
	line = min(max(line, 1), len(d.Lines))
	if strings.Contains(d.Lines[line-1], "{{") {
		message += " ({{ belongs to a template: paste what `helm template` renders)"
	}
	x := d.diagnostic(d.MarkLine(line), "")
	x.Message = fmt.Sprintf("error converting YAML to JSON: yaml: line %d: %s", x.Line, message)
	return x
}

// isGrammarError reports whether a message of the parser comes from the grammar. Messages of the scanner may begin with the same words;
// they describe the missing part, while the grammar names an indicator or a part of the document.
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

// lineOf returns the first line that contains a word, or 1.
func (d *document) lineOf(word string) int {
	i := slices.IndexFunc(d.Lines, func(line string) bool { return strings.Contains(line, word) })
	return max(1, i+1)
}
