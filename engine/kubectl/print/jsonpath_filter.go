package print

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// filter reads [?(@.a=="b")]: the elements of lists for which it holds. Only the first text in quotes may have a bracket in it.
func (p *pathReader) filter() (action, error) {
	var quote byte
	text, complete := p.rest[len("[?("):], true
	end := 0
	for ; end < len(text) && text[end] != '\n' && (text[end] != ')' || !complete); end++ {
		switch c := text[end]; {
		case quote == 0 && (c == '"' || c == '\''):
			quote, complete = c, false
		case quote != 0 && c == quote && text[end-1] != '\\':
			complete = true
		}
	}
	if end == len(text) || text[end] == '\n' {
		return nil, errors.New("unterminated filter")
	}
	behind, closed := strings.CutPrefix(text[end+1:], "]")
	if !closed {
		return nil, errors.New("unclosed array expect ]")
	}
	p.rest = behind
	return readFilter(text[:end])
}

const filterSigns = "!<>="

// readFilter reads a comparison, or a path that must lead to something.
func readFilter(text string) (action, error) {
	var f pathFilter
	sign := strings.IndexAny(text, filterSigns)
	right := strings.TrimLeft(text[max(sign, 0):], filterSigns)
	if right == "" && len(text)-sign > 1 { // one of the signs is what is compared with
		right = text[len(text)-1:]
	}
	left := text
	if sign > 0 && right != "" {
		left, f.sign = text[:sign], text[sign:len(text)-len(right)]
	}
	var err error
	if f.left, err = readAction(left); err == nil && f.sign != "" {
		f.right, err = readAction(right)
	}
	return action{f.among}, err
}

// pathFilter compares two paths from an element. Without a sign, it asks whether the left one leads to something.
type pathFilter struct {
	left, right action
	sign        string
}

// among leads to the elements of lists for which the filter holds.
func (f pathFilter) among(r *pathRun, values []any) (kept []any, err error) {
	for _, v := range values {
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("%v is not array or slice and cannot be filtered", firstPart(v))
		}
		for _, e := range list {
			if holds, err := f.holds(r, e); err != nil {
				return nil, err
			} else if holds {
				kept = append(kept, e)
			}
		}
	}
	return kept, nil
}

// longest is how much of a value an error prints, in bytes. The line of an error is cut long before.
//
// Simplified: so the number of bytes that are cut off the error is too small if there are more.
const longest = 64 << 10

// firstPart returns as much of a value as an error prints.
func firstPart(v any) any {
	room := longest
	return pruned(v, &room)
}

// pruned copies a tree in the order in which Go prints it, while there is room.
func pruned(v any, room *int) any {
	breath.Often()
	*room -= 4
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range SortedKeys(v) {
			if *room -= len(k); *room > 0 {
				m[k] = pruned(v[k], room)
			}
		}
		return m
	case []any:
		list := []any{}
		for i := 0; i < len(v) && *room > 0; i++ {
			list = append(list, pruned(v[i], room))
		}
		return list
	case string:
		*room -= len(v)
	}
	return whole(v)
}

func (f pathFilter) holds(r *pathRun, e any) (bool, error) {
	left, err := f.left.of(r, e)
	if f.sign == "" && !limits.IsExceeded(err) {
		return len(left) > 0, nil
	}
	if err != nil || len(left) == 0 {
		return false, err
	}
	right := []any(nil)
	if len(left) == 1 {
		right, err = f.right.of(r, e)
	}
	switch {
	case err != nil || len(left) == 1 && len(right) == 0:
		return false, err
	case len(left) > 1 || len(right) > 1:
		return false, errors.New("can only compare one element at a time")
	case !slices.Contains(comparisons, f.sign):
		return false, fmt.Errorf("unrecognized filter operator %s", f.sign)
	}
	order, err := compare(whole(left[0]), whole(right[0]), f.sign == "==" || f.sign == "!=")
	return err == nil && ordered(f.sign, order), err
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

// number reads a whole number as an int64 and any other as a float64.
func number(text string, base int) (any, error) {
	if n, err := strconv.ParseInt(text, base, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(text, 64)
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
//
// Simplified: a byte of a text compares with bytes only. Go's templates compare it with other whole numbers, too.
func compare(a, b any, equality bool) (int, error) {
	a, b = sized(a), sized(b)
	switch b.(type) {
	case string, bool, int64, float64, byte:
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
	case byte: // of a text
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

// sized returns an int as one of 64 bits: ints of all sizes compare.
func sized(v any) any {
	if n, ok := v.(int); ok {
		return int64(n)
	}
	return v
}

func compareOrdered[T cmp.Ordered](a T, b any) (int, error) {
	if b, ok := b.(T); ok {
		return cmp.Compare(a, b), nil
	}
	return 0, errIncompatible
}
