package print

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// path leads from a value to others, step by step.
type path []step

// step leads from a value to others, and counts what it looks at.
type step func(w *walk, v any) []any

// walk is an evaluation. It has ended at its first error: what would come behind that leads to nothing.
type walk struct {
	meter *limits.Meter // of the work; nil if nothing counts it
	err   error
}

// count counts work, and says whether there may be more.
func (w *walk) count(n int) bool {
	if breath.Often(); w.err == nil && w.meter != nil {
		w.err = w.meter.Count(n)
	}
	return w.err == nil
}

func (w *walk) fail(err error) { w.err = cmp.Or(w.err, err) }

var errUnclosed = errors.New("unclosed action")

// ParseTemplate reads what follows -o jsonpath=: texts, and in braces paths, quoted texts and ranges (client-go/util/jsonpath). It becomes
// a Go template that calls its paths.
//
// Simplified: a map under * comes by its keys; upstream takes them as Go's maps do.
func ParseTemplate(text string) (GoTemplate, error) {
	t, _, err := parsePieces(text, false)
	if err != nil {
		return nil, fmt.Errorf("error parsing jsonpath %s, %w", text, err)
	}
	return t, limits.AtMost(limits.Steps, t.size(), "steps of a template")
}

// parsePieces reads up to the {end} of a range, or to the end of the text.
func parsePieces(text string, loop bool) (t GoTemplate, rest string, err error) {
	for text != "" {
		literal, behind, action := strings.Cut(text, "{")
		if literal != "" {
			t = append(t, goNode{text: literal})
		}
		if !action {
			break
		}
		inside, behind, closed := cutOutside(behind, '}')
		if text = behind; !closed {
			return nil, "", errUnclosed
		}
		inside = strings.TrimSpace(inside)
		word, of, _ := strings.Cut(inside, " ")
		n := goNode{}
		switch {
		case word == "end" && loop:
			return t, text, nil
		case word == "end":
			return nil, "", errors.New("not in range, nothing to end")
		case word == "range":
			n.word = "range"
			if n.body, text, err = parsePieces(text, true); err != nil {
				return nil, "", err
			}
			inside = strings.TrimSpace(of)
		case inside != "" && (inside[0] == '"' || inside[0] == '\''):
			t = append(t, goNode{text: unquoted(inside)})
			continue
		}
		p, err := parsePath(inside)
		if err != nil {
			return nil, "", err
		}
		n.pipe = goPipe{{{query: append(path{}, p...), lists: n.word == "range"}}}
		t = append(t, n)
	}
	if loop {
		return nil, "", errors.New("unclosed range")
	}
	return t, "", nil
}

// cutOutside cuts a text at the first sign of a kind that is not in quotes.
func cutOutside(text string, sign byte) (before, after string, found bool) {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == sign:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, "'", `\\`, `\`)

func unquoted(text string) string { return escapes.Replace(text[1 : len(text)-1]) }

// parsePath reads .a.b[0].c, @.a, $.a[*].b, ..a and [?(@.a=="b")].
func parsePath(text string) (p path, err error) {
	breath.Often()
	text = strings.TrimLeft(text, "@$")
	for text != "" {
		switch {
		case strings.HasPrefix(text, ".."):
			p = append(p, recursive)
			text = text[1:]
			if len(text) > 1 && text[1] == '[' {
				text = text[1:]
			}
		case text[0] == '.':
			var name string
			if name, text = fieldName(text[1:]); name == "*" {
				p = append(p, wildcard)
			} else if name != "" {
				p = append(p, field(name))
			}
		case text[0] == '[':
			inside, rest, closed := cutOutside(text[1:], ']')
			if !closed {
				return nil, errors.New("unterminated array")
			}
			s, err := subscript(inside)
			if err != nil {
				return nil, err
			}
			p, text = append(p, s), rest
		case text[0] == ' ': // what follows would be printed behind it
			return p, nil
		default:
			return nil, fmt.Errorf("unrecognized character in action: %#U", rune(text[0]))
		}
	}
	return p, nil
}

// fieldName reads a name in which dots are escaped with a backslash.
func fieldName(text string) (name, rest string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '.', '[', ' ', ']', '}', '@':
			return strings.ReplaceAll(text[:i], `\`, ""), text[i:]
		}
	}
	return strings.ReplaceAll(text, `\`, ""), ""
}

func field(name string) step {
	return func(_ *walk, v any) []any {
		if m, ok := v.(map[string]any); ok && m[name] != nil {
			return []any{m[name]}
		}
		return nil
	}
}

// wildcard returns the values of a list or a map.
func wildcard(w *walk, v any) (values []any) {
	switch v := v.(type) {
	case []any:
		if w.count(len(v)) {
			return v
		}
	case map[string]any:
		if w.count(len(v)) {
			for _, k := range SortedKeys(v) {
				values = append(values, v[k])
			}
		}
	}
	return values
}

// recursive returns a value and everything in it.
func recursive(w *walk, v any) []any {
	all := []any{v}
	for _, inner := range wildcard(w, v) {
		all = append(all, recursive(w, inner)...)
	}
	return all
}

// subscript reads the text between brackets.
func subscript(text string) (step, error) {
	switch {
	case text == "*":
		return wildcard, nil
	case strings.HasPrefix(text, "?(") && strings.HasSuffix(text, ")"):
		return filter(text[2 : len(text)-1])
	case text != "" && text[0] == '\'':
		return field(unquoted(text)), nil
	}
	from, to, isSlice := strings.Cut(text, ":")
	low, err := strconv.Atoi(from)
	if err != nil && !(isSlice && from == "") {
		return nil, fmt.Errorf("invalid array index %s", text)
	}
	high := low + 1
	switch {
	case isSlice && to == "":
		high = 0
	case isSlice:
		if high, err = strconv.Atoi(to); err != nil {
			return nil, fmt.Errorf("invalid array index %s", text)
		}
	}
	return func(w *walk, v any) []any {
		list, ok := v.([]any)
		if !ok {
			return nil
		}
		i, j := low, high
		if i < 0 {
			i += len(list)
		}
		if j < 0 || j == 0 && (isSlice || low < 0) {
			j += len(list)
		}
		if i < 0 || i >= len(list) && !isSlice {
			w.fail(fmt.Errorf("array index out of bounds: index %d, length %d", low, len(list)))
			return nil
		}
		return list[min(i, len(list)):max(min(j, len(list)), min(i, len(list)))]
	}, nil
}

// Query is a path by itself.
type Query = path

// Of returns the values to which a path leads.
func (p path) Of(m *limits.Meter, v any) ([]any, error) {
	w := &walk{meter: m}
	values := p.from(w, v)
	return values, w.err
}

func (p path) from(w *walk, v any) []any {
	values := []any{v}
	for _, s := range p {
		var next []any
		if !w.count(len(values)) {
			return nil
		}
		for _, v := range values {
			next = append(next, s(w, v)...)
		}
		values = next
	}
	return values
}

// texts prints each of the values to which a path leads.
func (p path) texts(w *walk, v any, print func(any) string) (texts []string) {
	for _, v := range p.from(w, v) {
		text := print(v)
		if !w.count(len(text) / 16) {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// Scalar prints a value: a text as it is, what has parts as JSON.
func Scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return string(api.JSON(v))
}

// ReadPath reads a path as --sort-by, custom-columns and kubectl wait have it: {.a.b}, .a.b or a.b. text is the path in full.
func ReadPath(given string) (p path, text string, err error) {
	inner, braced := strings.CutPrefix(given, "{")
	if braced {
		inner, braced = strings.CutSuffix(inner, "}")
	}
	if inner = strings.TrimPrefix(inner, "."); inner == "" || braced != strings.HasPrefix(given, "{") || strings.ContainsAny(inner, "{}") {
		return nil, "", errors.New("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'")
	}
	p, err = parsePath("." + inner)
	return p, "{." + inner + "}", err
}
