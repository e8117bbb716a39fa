package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A tree is a JSON value that the decoder has checked against the schema: an object is a map[string]any, a list a
// []any, a scalar a string, int64, float64, bool, Quantity or IntOrString. Nothing in it is null.

// parseTree reads JSON, numbers as json.Number.
func parseTree(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errTrailing
	}
	return v, nil
}

var errTrailing = errors.New("json: more than one value")

// prune returns the tree without what means the same as its absence: zero scalars, empty lists, maps and structs,
// unless they are behind a pointer. What stays behind an item or a map's key stays as an empty value.
func prune(t *valueType, v any) (pruned any, empty bool) {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			if t.kind == mapValue {
				m[k], _ = prune(t.elem, e)
			} else if f := t.structOf().fields[k]; f != nil {
				if p, empty := prune(&f.typ, e); !empty || f.typ.pointer {
					m[k] = p
				}
			}
		}
		return m, len(m) == 0
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i], _ = prune(t.elem, e)
		}
		return l, len(l) == 0
	case Quantity:
		return v, v.IsZero()
	case IntOrString:
		return v, v == IntOrString{}
	}
	return v, v == "" || v == int64(0) || v == float64(0) || v == false
}

// appendTree appends canonical JSON: sorted keys, no blanks, no HTML escapes. If exact, equal quantities are written
// alike.
func appendTree(b []byte, v any, exact bool) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, k), ':')
			b = appendTree(b, v[k], exact)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendTree(b, e, exact)
		}
		return append(b, ']')
	}
	return appendScalar(b, v, exact)
}

func appendScalar(b []byte, v any, exact bool) []byte {
	switch v := v.(type) {
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		return append(b, v...)
	case Quantity:
		if exact {
			return appendString(b, v.exact())
		}
		return appendString(b, v.String())
	case IntOrString:
		if v.IsString {
			return appendString(b, v.Str)
		}
		return strconv.AppendInt(b, int64(v.Int), 10)
	}
	return append(b, "null"...)
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
