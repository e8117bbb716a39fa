package print

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/limits"
)

// Template is what follows -o jsonpath=: texts, and in braces paths, quoted texts and ranges (client-go/util/jsonpath).
//
// Simplified: a map under * comes by its keys; upstream takes them as Go's maps do.
type Template []piece

// piece is a text, a path, or what {range} repeats for each value of a path.
type piece struct {
	text   string
	path   path
	body   Template
	isLoop bool
}

// path leads from a value to others, step by step.
type path []step

// step leads from a value to others, and counts what it looks at.
type step func(m *limits.Meter, v any) ([]any, error)

var errUnclosed = errors.New("unclosed action")

// ParseTemplate reads a template.
func ParseTemplate(text string) (Template, error) {
	t, rest, err := parsePieces(text, false)
	if err == nil && rest != "" {
		err = errors.New("not in range, nothing to end")
	}
	if err != nil {
		return nil, fmt.Errorf("error parsing jsonpath %s, %w", text, err)
	}
	return t, limits.AtMost(limits.Steps, t.steps(), "steps of a template")
}

// steps counts the texts of a template and the steps of its paths.
func (t Template) steps() (n int) {
	for _, p := range t {
		n += 1 + len(p.path) + p.body.steps()
	}
	return n
}

// parsePieces reads up to the {end} of a range, or to the end of the text.
func parsePieces(text string, loop bool) (t Template, rest string, err error) {
	for text != "" {
		literal, behind, action := strings.Cut(text, "{")
		if literal != "" {
			t = append(t, piece{text: literal})
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
		p := piece{}
		switch {
		case word == "end" && loop:
			return t, text, nil
		case word == "end":
			return nil, "", errors.New("not in range, nothing to end")
		case word == "range":
			p.isLoop = true
			if p.body, text, err = parsePieces(text, true); err != nil {
				return nil, "", err
			}
			inside = strings.TrimSpace(of)
		case inside != "" && (inside[0] == '"' || inside[0] == '\''):
			t = append(t, piece{text: unquoted(inside)})
			continue
		}
		if p.path, err = parsePath(inside); err != nil {
			return nil, "", err
		}
		t = append(t, p)
	}
	if loop {
		return nil, "", errors.New("unclosed range")
	}
	return t, "", nil
}

// cutOutside cuts a text at the first such sign that is not in quotes.
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
	return func(_ *limits.Meter, v any) ([]any, error) {
		if m, ok := v.(map[string]any); ok && m[name] != nil {
			return []any{m[name]}, nil
		}
		return nil, nil
	}
}

// wildcard returns the values of a list or a map.
func wildcard(m *limits.Meter, v any) ([]any, error) {
	switch v := v.(type) {
	case []any:
		return v, m.Count(len(v))
	case map[string]any:
		if err := m.Count(len(v)); err != nil {
			return nil, err
		}
		values := make([]any, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			values = append(values, v[k])
		}
		return values, nil
	}
	return nil, nil
}

// recursive returns a value and everything in it.
func recursive(m *limits.Meter, v any) ([]any, error) {
	all := []any{v}
	inner, err := wildcard(m, v)
	for i := 0; i < len(inner) && err == nil; i++ {
		var deeper []any
		deeper, err = recursive(m, inner[i])
		all = append(all, deeper...)
	}
	return all, err
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
	return func(_ *limits.Meter, v any) ([]any, error) {
		list, ok := v.([]any)
		if !ok {
			return nil, nil
		}
		i, j := low, high
		if i < 0 {
			i += len(list)
		}
		if j < 0 || j == 0 && (isSlice || low < 0) {
			j += len(list)
		}
		if i < 0 || i >= len(list) && !isSlice {
			return nil, fmt.Errorf("array index out of bounds: index %d, length %d", low, len(list))
		}
		return list[min(i, len(list)):max(min(j, len(list)), min(i, len(list)))], nil
	}, nil
}

// filter reads @.a=="b": the elements of a list for which it holds.
func filter(text string) (step, error) {
	left, right, op := text, "", ""
	for _, sign := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if before, after, ok := strings.Cut(text, sign); ok {
			left, right, op = before, after, sign
			break
		}
	}
	p, err := comparedPath(strings.TrimSpace(left))
	if err != nil {
		return nil, err
	}
	want, err := operand(strings.TrimSpace(right))
	if err != nil {
		return nil, err
	}
	return func(m *limits.Meter, v any) (kept []any, err error) {
		list, err := wildcard(m, v)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			got, err := p.of(m, e)
			if err != nil {
				return nil, err
			}
			passes := len(got) > 0
			if passes && op != "" {
				if passes, err = holds(m, got, op, want, e); err != nil {
					return nil, err
				}
			}
			if passes {
				kept = append(kept, e)
			}
		}
		return kept, nil
	}, nil
}

// operand reads the right side of a comparison: "a text", a number, true or false, or the path of another field. Other words are
// an error only where something is compared with them.
func operand(text string) (path, error) {
	var value any
	switch {
	case text == "" || strings.IndexByte("@$.", text[0]) >= 0:
		return comparedPath(text)
	case text[0] == '"' || text[0] == '\'':
		value = unquoted(text)
	case strings.IndexByte("+-0123456789", text[0]) >= 0:
		n, err := number(text)
		if err != nil {
			return nil, fmt.Errorf("cannot parse number %s", text)
		}
		value = n
	case text == "true" || text == "false":
		value = text == "true"
	default:
		return path{func(*limits.Meter, any) ([]any, error) { return nil, errors.New("unrecognized identifier " + text) }}, nil
	}
	return path{func(*limits.Meter, any) ([]any, error) { return []any{value}, nil }}, nil
}

func comparedPath(text string) (path, error) {
	p, err := parsePath(text)
	return append(p, typed), err
}

// number reads a whole number as an int64 and any other as a float64.
func number(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(text, 64)
}

// holds compares a field of an element with the right side of a filter.
func holds(m *limits.Meter, got []any, op string, right path, e any) (bool, error) {
	want, err := right.of(m, e)
	switch {
	case err != nil || len(want) == 0:
		return false, err
	case len(got) > 1 || len(want) > 1:
		return false, errors.New("can only compare one element at a time")
	}
	order, err := compare(got[0], want[0], op == "==" || op == "!=")
	switch op {
	case "==":
		return order == 0, err
	case "!=":
		return order != 0, err
	case "<":
		return order < 0, err
	case "<=":
		return order <= 0, err
	case ">":
		return order > 0, err
	}
	return order >= 0, err
}

var (
	errInvalidType  = errors.New("invalid type for comparison")
	errIncompatible = errors.New("incompatible types for comparison")
)

// compare orders two values as client-go does (third_party/forked/golang/template/funcs.go): only values of one type, so that comparing
// 1.5 with 1 is an error.
func compare(a, b any, equality bool) (int, error) {
	switch b.(type) {
	case string, bool, int64, float64:
	default:
		return 0, errInvalidType
	}
	switch a := a.(type) {
	case string:
		return compareOrdered(a, b)
	case int64:
		return compareOrdered(a, b)
	case float64:
		return compareOrdered(a, b)
	case bool:
		if other, ok := b.(bool); !ok {
			return 0, errIncompatible
		} else if equality {
			return strings.Compare(strconv.FormatBool(a), strconv.FormatBool(other)), nil
		}
	}
	return 0, errInvalidType
}

func compareOrdered[T cmp.Ordered](a T, b any) (int, error) {
	if b, ok := b.(T); ok {
		return cmp.Compare(a, b), nil
	}
	return 0, errIncompatible
}

// typed returns a number without a fraction as an int64, which upstream reads it as; trees hold all numbers as float64.
func typed(_ *limits.Meter, v any) ([]any, error) {
	if n, ok := v.(float64); ok && float64(int64(n)) == n {
		v = int64(n)
	}
	return []any{v}, nil
}

// of returns the values to which a path leads.
func (p path) of(m *limits.Meter, v any) (values []any, err error) {
	values = []any{v}
	for _, s := range p {
		var next []any
		if err := m.Count(len(values)); err != nil {
			return nil, err
		}
		for _, v := range values {
			found, err := s(m, v)
			if err != nil {
				return nil, err
			}
			next = append(next, found...)
		}
		values = next
	}
	return values, nil
}

// Text prints a tree in a template.
func (t Template) Text(tree any) (string, error) {
	var b strings.Builder
	err := t.print(&b, new(limits.Meter), tree)
	return b.String(), err
}

func (t Template) print(b *strings.Builder, m *limits.Meter, tree any) error {
	for _, p := range t {
		if b.Len() > limits.Output {
			return nil // the rest would be cut
		}
		if p.path == nil && !p.isLoop && p.text != "" {
			b.WriteString(p.text)
			continue
		}
		values, err := p.path.of(m, tree)
		if err != nil {
			return err
		}
		for i, v := range values {
			if p.isLoop {
				if err := p.body.print(b, m, v); err != nil {
					return err
				}
				continue
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			if err := writeValue(b, m, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeValue prints a value, of which the metered work is its size.
func writeValue(b *strings.Builder, m *limits.Meter, v any) error {
	text := scalar(v)
	b.WriteString(text)
	return m.Count(len(text) / 16)
}

// scalar prints a value: a text as it is, what has parts as JSON.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text, _ := json.Marshal(v) // a tree can always be printed
	return string(text)
}

// relaxed reads a path as --sort-by and custom-columns have it: {.a.b}, .a.b or a.b. text is the path in full.
func relaxed(given string) (p path, text string, err error) {
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
