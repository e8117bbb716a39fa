package decode

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// decoder checks JSON against the schema and collects what the API server would say.
type decoder struct {
	issues []Issue
}

// issuesMax is the number of issues after which the decoder stops collecting, like the API server's.
const issuesMax = 100

func (d *decoder) add(i Issue) {
	if len(d.issues) < issuesMax {
		d.issues = append(d.issues, i)
	}
}

// unknown reports a field that a struct does not have.
func (d *decoder) unknown(path, name string, s *structType) {
	if len(d.issues) < issuesMax {
		d.add(Issue{Path: path, Message: "unknown field " + strconv.Quote(path), Unknown: true,
			Near: api.Nearest(name, slices.Collect(maps.Keys(s.fields)))})
	}
}

// place is where the decoder is, in the two ways of the API server's texts.
type place struct {
	path       string // with indices and keys
	structName string // the Go struct that holds the field
	goPath     string // without indices and keys, but with the names of inlined structs
}

func (p place) field(s *structType, f *fieldType, name string) place {
	goName := name
	if f.embedded != "" {
		goName = f.embedded + "." + name
	}
	return place{join(p.path, name), s.name, join(p.goPath, goName)}
}

func (p place) item(key string) place {
	p.path += "[" + key + "]"
	return p
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// value returns the tree for a JSON value; ok is false if it is absent or wrong.
func (d *decoder) value(t *valueType, v any, p place) (tree any, ok bool) {
	switch {
	case v == nil:
		return nil, false
	case t.kind == anyValue:
		return v, true
	case t.kind == quantityValue || t.kind == intOrStringValue:
		return d.special(t, v, p)
	}
	switch v := v.(type) {
	case map[string]any:
		switch t.kind {
		case structValue:
			return d.structure(t, v, p), true
		case mapValue:
			return d.dictionary(t, v, p)
		}
	case []any:
		if t.kind == listValue {
			return d.list(t, v, p)
		}
	case string:
		if t.kind == stringValue {
			return v, true
		}
	case bool:
		if t.kind == boolValue {
			return v, true
		}
	case json.Number:
		if n, ok := number(t.kind, v.String()); ok {
			return n, true
		}
	}
	d.mismatch(t, v, p)
	return nil, false
}

func (d *decoder) structure(t *valueType, m map[string]any, p place) any {
	s := t.structOf()
	tree := make(map[string]any, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		switch f := s.fields[name]; {
		case f == nil && s.open:
			tree[name] = m[name]
		case f == nil:
			d.unknown(join(p.path, name), name, s)
		default:
			if e, ok := d.value(&f.typ, m[name], p.field(s, f, name)); ok {
				tree[name] = e
			}
		}
	}
	return tree
}

func (d *decoder) list(t *valueType, l []any, p place) (any, bool) {
	if d.tooLong(len(l), p) {
		return nil, false
	}
	tree := make([]any, len(l))
	for i, item := range l {
		breath.Take()
		tree[i] = d.item(t.elem, item, p.item(strconv.Itoa(i)))
	}
	return tree, true
}

func (d *decoder) dictionary(t *valueType, m map[string]any, p place) (any, bool) {
	if d.tooLong(len(m), p) {
		return nil, false
	}
	tree := make(map[string]any, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		tree[k] = d.item(t.elem, m[k], p.item(k))
	}
	return tree, true
}

// tooLong refuses a list or a map of an object with more entries than rollplay reads: controllers, patches and tables look at each of them.
func (d *decoder) tooLong(n int, p place) bool {
	err := limits.AtMost(limits.Parts, n, "entries here")
	if err != nil {
		d.add(Issue{Path: p.path, Message: p.path + ": " + err.Error(), stops: true})
	}
	return err != nil
}

// item returns the tree for an item of a list or a map; an absent or wrong item becomes an empty one.
func (d *decoder) item(t *valueType, v any, p place) any {
	if tree, ok := d.value(t, v, p); ok {
		return tree
	}
	return zeroTree(t)
}

func zeroTree(t *valueType) any {
	switch t.kind {
	case structValue, mapValue:
		return map[string]any{}
	case listValue:
		return []any{}
	}
	return scalars[t.kind].zero
}

// special reads a type that has its own way of reading JSON; what it says about a quantity names no field.
func (d *decoder) special(t *valueType, v any, p place) (any, bool) {
	if t.kind == quantityValue {
		var q api.Quantity
		if err := q.UnmarshalJSON(api.AppendTree(nil, v, false)); err != nil {
			d.add(Issue{Path: p.path, Message: err.Error(), stops: true})
			return nil, false
		}
		return q, true
	}
	if s, ok := v.(string); ok {
		return api.IntOrString{IsString: true, Str: s}, true
	}
	before := len(d.issues)
	n, ok := d.value(&valueType{kind: int32Value}, v, p)
	if !ok {
		for i := before; i < len(d.issues); i++ {
			d.issues[i].stops = true
		}
		return nil, false
	}
	return api.IntOrString{Int: int32(n.(int64))}, true
}

func number(kind valueKind, s string) (any, bool) {
	switch kind {
	case int32Value:
		n, err := strconv.ParseInt(s, 10, 32)
		return n, err == nil
	case int64Value:
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	case floatValue:
		n, err := strconv.ParseFloat(s, 64)
		return n, err == nil
	}
	return nil, false
}

// mismatch reports a value of a wrong type, in the words of encoding/json.
func (d *decoder) mismatch(t *valueType, v any, p place) {
	what := "object"
	switch v := v.(type) {
	case string:
		what = "string"
	case bool:
		what = "bool"
	case []any:
		what = "array"
	case json.Number:
		what = "number"
		if t.kind == int32Value || t.kind == int64Value || t.kind == floatValue {
			what += " " + v.String()
		}
	}
	into := "Go value"
	if p.structName != "" {
		into = "Go struct field " + p.structName[strings.LastIndexByte(p.structName, '.')+1:] + "." + p.goPath
	}
	d.add(Issue{Path: p.path, Message: "json: cannot unmarshal " + what + " into " + into + " of type " + t.goName()})
}
