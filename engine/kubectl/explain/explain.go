// Package explain says what a field of the API is for, as kubectl explain does.
package explain

import (
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// explainText has a line for each field that the simulation reads or writes: Struct.field, with a ! if it is required, and what it
// means here. The names, types and values of all fields are in the schema.
//
//go:embed explain.txt
var explainText string

// notModelled describes every other field.
const notModelled = "Kept as it is written, and no more: nothing that rollplay simulates looks at it."

// fieldWords describe a field.
type fieldWords struct {
	required bool
	text     string
}

// wordsFor returns the description of a field of a struct, or of a kind if the field is empty.
func wordsFor(structName, field string) fieldWords {
	w, ok := lookUp(strings.TrimSuffix(structName+"."+field, "."))
	if !ok && slices.Contains(kinds.Stored(), api.Kind(structName)) {
		w, ok = lookUp("*." + field)
	}
	if !ok {
		w.text = notModelled
	}
	return w
}

func lookUp(name string) (w fieldWords, ok bool) {
	for line := range strings.Lines(explainText) {
		rest, found := strings.CutPrefix(line, name)
		if !found || rest[0] != ' ' && rest[0] != '!' {
			continue
		}
		rest, w.required = strings.CutPrefix(rest, "!")
		w.text = strings.TrimSpace(rest)
		return w, true
	}
	return w, false
}

// Where kubectl explain ends its lines.
const (
	explainWidth = 76
	fieldWidth   = 78
)

// ExplainField says what a type or one of its fields is for, in our own words, and lists its fields.
func ExplainField(name string, recursive bool) (string, error) {
	kind, path, err := explained(name)
	if err != nil {
		return "", err
	}
	if kind == api.KindEvent {
		return "", errors.New("rollplay explains " + line.PluralList(kinds.Stored()) + ", not events")
	}
	text, inner, words, field := "", string(kind), wordsFor(string(kind), ""), ""
	if group := kinds.Of(kind).Group; group != "" {
		text = "GROUP:      " + group + "\n"
	}
	text += "KIND:       " + string(kind) + "\nVERSION:    " + kinds.Of(kind).Version + "\n\n"
	for _, name := range path {
		typ, next, ok := decode.FieldType(inner, name)
		if !ok {
			return text, errors.New("field \"" + path[len(path)-1] + "\" does not exist")
		}
		field = "FIELD: " + name + " <" + typ + ">\n"
		if values := decode.FieldValues(inner, name); len(values) > 0 {
			field += "ENUM:\n    " + strings.Join(values, "\n    ")
		}
		field += "\n\n"
		words, inner = wordsFor(inner, name), next
	}
	text += field + "DESCRIPTION:\n" + indented(words.text, explainWidth, "    ") + "\n    \n"
	if names := decode.FieldNames(inner); len(names) > 0 {
		text += "FIELDS:\n" + fieldList(inner, "  ", recursive, nil)
	}
	return text + "\n", nil
}

// errNoField is the answer to a path that has more than names: deployment.spec[0].
var errNoField = errors.New("invalid jsonpath syntax, first node must be field node")

// explained returns the type and the fields of a path: deployment.spec, deployments.apps.spec (kubectl/pkg/explain/explain.go). Only the
// plural may have its group, or another dot, behind it.
func explained(name string) (kind api.Kind, fields []string, err error) {
	name = strings.TrimSuffix(name, ".")
	first, rest, _ := strings.Cut(name, ".")
	if _, _, err := print.ReadPath(name); err != nil {
		return "", nil, err
	}
	kind, err = line.FindKind(first)
	switch {
	case name == "":
		return "", nil, errors.New("a resource must be present, got: /, Resource=")
	case !isName(first):
		return "", nil, errNoField
	case err != nil && strings.HasPrefix(err.Error(), "rollplay"):
		return "", nil, err
	case err != nil:
		return "", nil, line.Whole(err.Error()) // kubectl does not say that it is an error
	}
	if behind, grouped := strings.CutPrefix(name+".", kinds.Of(kind).Resource()+"."); grouped {
		rest = strings.TrimPrefix(strings.TrimSuffix(behind, "."), ".")
	}
	if rest == "" {
		return kind, nil, nil
	}
	fields = strings.Split(rest, ".")
	if !slices.ContainsFunc(fields, func(f string) bool { return !isName(f) }) {
		return kind, fields, nil
	}
	return "", nil, errNoField
}

func isName(text string) bool { return text != "" && !strings.ContainsAny(text, " \t\r\n,[]$@*") }

// fieldList lists the fields of a struct; if it is recursive, a line each with those below, but of no struct in itself.
func fieldList(structName, indent string, recursive bool, above []string) string {
	var b strings.Builder
	above = append(above, structName)
	for _, name := range decode.FieldNames(structName) {
		typ, inner, _ := decode.FieldType(structName, name)
		w := wordsFor(structName, name)
		b.WriteString(indent + name + "\t<" + typ + ">")
		if w.required {
			b.WriteString(" -required-")
		}
		if values := decode.FieldValues(structName, name); len(values) > 0 {
			b.WriteString("\n" + indent + "enum: " + strings.Join(values, ", "))
		}
		b.WriteString("\n")
		switch {
		case !recursive:
			b.WriteString(indented(w.text, fieldWidth-len(indent), indent+"  ") + "\n\n")
		case inner != "" && !slices.Contains(above, inner):
			b.WriteString(fieldList(inner, indent+"  ", true, above))
		}
	}
	return b.String()
}

// indented breaks a text into lines at blanks and indents them.
func indented(text string, width int, indent string) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return indent + strings.Join(append(lines, line), "\n"+indent)
}
