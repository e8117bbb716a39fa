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

	"github.com/rollplay/rollplay/engine/breath"
)

// A tree is a JSON value that package decode has checked against the schema: an object is a map[string]any, a list a
// []any, a scalar a string, int64, float64, bool, Quantity or IntOrString. Nothing in it is null.

// Fields reads an object of a tree. An absent field reads as zero, and so does every field of a nil Fields. Trees hold
// plain maps: convert a Fields before you put it into one.
type Fields map[string]any

// Text returns a string.
func (f Fields) Text(name string) string {
	s, _ := f[name].(string)
	return s
}

// Number returns a whole number; trees that are printed have them as floating point, those that were read as they were written.
func (f Fields) Number(name string) int64 {
	if n, ok := f[name].(float64); ok {
		return int64(n)
	}
	if n, ok := f[name].(json.Number); ok {
		whole, _ := n.Int64()
		return whole
	}
	n, _ := f[name].(int64)
	return n
}

// Object returns an object, nil if it is absent.
func (f Fields) Object(name string) Fields {
	m, _ := f[name].(map[string]any)
	return m
}

// Make returns an object, and adds an empty one if it is absent.
func (f Fields) Make(name string) Fields {
	m, ok := f[name].(map[string]any)
	if !ok {
		m = map[string]any{}
		f[name] = m
	}
	return m
}

// SetAbsent sets a field that is absent. It does nothing to a nil Fields.
func (f Fields) SetAbsent(name string, value any) {
	if _, ok := f[name]; !ok && f != nil {
		f[name] = value
	}
}

// Own replaces an object by a copy, which may be empty, and returns that: whoever shares the fields keeps its own.
func (f Fields) Own(name string) Fields {
	own := map[string]any{}
	maps.Copy(own, f.Object(name))
	f[name] = own
	return own
}

// Items returns the objects of a list.
func (f Fields) Items(name string) []Fields {
	l, _ := f[name].([]any)
	objects := make([]Fields, 0, len(l))
	for _, v := range l {
		breath.Often()
		if m, ok := v.(map[string]any); ok {
			objects = append(objects, m)
		}
	}
	return objects
}

// Texts returns a list of strings.
func (f Fields) Texts(name string) (list []string) {
	l, _ := f[name].([]any)
	for _, v := range l {
		s, _ := v.(string)
		list = append(list, s)
	}
	return list
}

// TextMap returns a map of strings, nil if it is absent.
func (f Fields) TextMap(name string) map[string]string {
	object := f.Object(name)
	if object == nil {
		return nil
	}
	m := make(map[string]string, len(object))
	for k := range object {
		m[k] = object.Text(k)
	}
	return m
}

// CopyTree returns a copy of a tree, with its texts as JSON has them. leaf returns the copy of a value that is not a map, list,
// text, bool or null; without it, that is the value.
func CopyTree(v any, leaf func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		breath.Take()
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[validText(k)] = CopyTree(e, leaf)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			breath.Often()
			list[i] = CopyTree(e, leaf)
		}
		return list
	case []string:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = validText(e)
		}
		return list
	case string:
		return validText(v)
	case nil, bool:
		return v
	}
	if leaf == nil {
		return v
	}
	return leaf(v)
}

// validText returns a text as JSON has it.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// ReadJSON reads one JSON value as a tree; exact keeps numbers as json.Number. It takes a breath before each part of the value, down to
// the fields of the containers of an object. What is deeper is short, because lists have limits.
func ReadJSON(text []byte, exact bool) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if exact {
		d.UseNumber()
	}
	v, err := readPart(d, partsDepth)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("json: more than one value")
	}
	return v, nil
}

// partsDepth is how deep in an object the fields of its containers are.
const partsDepth = 6

func readPart(d *json.Decoder, depth int) (v any, err error) {
	breath.Take()
	if depth == 0 {
		err = d.Decode(&v)
		return v, err
	}
	t, err := d.Token()
	switch t {
	case json.Delim('{'):
		fields := map[string]any{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			if fields[name.(string)], err = readPart(d, depth-1); err != nil {
				return nil, err
			}
		}
		_, err = d.Token()
		return fields, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			item, err := readPart(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = d.Token()
		return list, err
	}
	return t, err
}

// AppendTree appends canonical JSON: sorted keys, no blanks, no HTML escapes. If exact, equal quantities are written
// alike.
func AppendTree(b []byte, v any, exact bool) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			breath.Often()
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, k), ':')
			b = AppendTree(b, v[k], exact)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			breath.Often()
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendTree(b, e, exact)
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
		return append(b, JSON(v)...)
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
