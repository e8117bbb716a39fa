package print

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

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
	return func(w *walk, v any) (kept []any) {
		for _, e := range wildcard(w, v) {
			got := p.from(w, e)
			if len(got) > 0 && (op == "" || holds(w, got, op, want, e)) {
				kept = append(kept, e)
			}
		}
		return kept
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
		n, err := number(text, 10)
		if err != nil {
			return nil, fmt.Errorf("cannot parse number %s", text)
		}
		value = n
	case text == "true" || text == "false":
		value = text == "true"
	default:
		return path{func(w *walk, _ any) []any {
			w.fail(errors.New("unrecognized identifier " + text))
			return nil
		}}, nil
	}
	return path{func(*walk, any) []any { return []any{value} }}, nil
}

func comparedPath(text string) (path, error) {
	p, err := parsePath(text)
	return append(p, typed), err
}

// number reads a whole number as an int64 and any other as a float64.
func number(text string, base int) (any, error) {
	if n, err := strconv.ParseInt(text, base, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(text, 64)
}

// holds compares a field of an element with the right side of a filter.
func holds(w *walk, got []any, op string, right path, e any) bool {
	want := right.from(w, e)
	switch {
	case w.err != nil || len(want) == 0:
		return false
	case len(got) > 1 || len(want) > 1:
		w.fail(errors.New("can only compare one element at a time"))
		return false
	}
	order, err := compare(got[0], want[0], op == "==" || op == "!=")
	w.fail(err)
	return ordered(op, order)
}

// ordered says whether the order of two values is what a sign asks for.
func ordered(sign string, order int) bool {
	if order == 0 {
		return sign != "!=" && strings.HasSuffix(sign, "=")
	}
	return sign == "!=" || order < 0 && sign[0] == '<' || order > 0 && sign[0] == '>'
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

// typed returns a number as upstream has read it.
func typed(_ *walk, v any) []any { return []any{whole(v)} }
