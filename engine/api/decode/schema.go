package decode

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/api"
)

// schemaText names the fields and types of the API, one struct a line. It is made from the pinned k8s.io/api by
// engine/oracle/conformance/schemagen; the syntax is explained there.
//
//go:embed schema.txt
var schemaText string

// schema holds the structs of schemaText by name.
var schema = sync.OnceValue(func() map[string]*structType {
	structs := map[string]*structType{}
	for line := range strings.Lines(schemaText) {
		name, fields, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if name[0] == '=' { // see typeValues
			break
		}
		structs[name] = parseStruct(name, fields)
	}
	return structs
})

// structType is a struct of the API.
type structType struct {
	name   string
	fields map[string]*fieldType
	open   bool // other fields are kept as they are
}

// fieldType is a field of a struct. Embedded is the Go name of the inlined struct that it comes from, which the API
// server's texts show: Probe holds ProbeHandler's field httpGet.
type fieldType struct {
	embedded string
	typ      valueType
}

// valueKind is how a value looks in JSON.
type valueKind uint8

const (
	stringValue valueKind = iota
	int32Value
	int64Value
	boolValue
	floatValue
	quantityValue
	intOrStringValue
	anyValue // not looked into
	listValue
	mapValue
	structValue
)

// scalarKinds maps the words of schema.txt. A time is only met in fields that the server owns.
var scalarKinds = map[string]valueKind{
	"string": stringValue, "int32": int32Value, "int64": int64Value, "bool": boolValue, "float64": floatValue,
	"quantity": quantityValue, "intorstring": intOrStringValue, "time": anyValue, "any": anyValue, "bytes": stringValue,
}

// scalars are the kinds below listValue: their Go types, what kubectl explain calls them, and what an item becomes that is null.
var scalars = [...]struct {
	goName, explained string
	zero              any
}{
	stringValue:      {"string", "string", ""},
	int32Value:       {"int32", "integer", int64(0)},
	int64Value:       {"int64", "integer", int64(0)},
	boolValue:        {"bool", "boolean", false},
	floatValue:       {"float64", "number", ""},
	quantityValue:    {"interface {}", "Quantity", api.Quantity{}},
	intOrStringValue: {"interface {}", "IntOrString", api.IntOrString{}},
	anyValue:         {"interface {}", "Object", ""},
}

// valueType is the type of a field, an item or a map's value.
type valueType struct {
	pointer bool // absent and zero are different things
	kind    valueKind
	name    string     // of a struct; of a scalar or map with a Go type of its own, as the API server's texts show it
	elem    *valueType // of a list or map
}

func parseStruct(name, fields string) *structType {
	s := &structType{name: name, fields: map[string]*fieldType{}}
	for _, f := range strings.Fields(fields) {
		key, typ, _ := strings.Cut(f, ":")
		embedded := ""
		if i := strings.LastIndexByte(key, '/'); i >= 0 {
			embedded, key = strings.ReplaceAll(key[:i], "/", "."), key[i+1:]
		}
		s.fields[key] = &fieldType{embedded, parseType(typ)}
	}
	return s
}

func parseType(s string) valueType {
	var t valueType
	s, t.pointer = strings.CutPrefix(s, "*")
	if rest, ok := strings.CutPrefix(s, "[]"); ok {
		t.kind, t.elem = listValue, api.Ptr(parseType(rest))
		return t
	}
	if rest, ok := strings.CutPrefix(s, "{}"); ok {
		rest, t.name, _ = strings.Cut(rest, "=")
		t.kind, t.elem = mapValue, api.Ptr(parseType(rest))
		return t
	}
	word, name, _ := strings.Cut(s, "=")
	kind, ok := scalarKinds[word]
	if !ok {
		kind, name = structValue, word
	}
	t.kind, t.name = kind, name
	return t
}

// goName returns the type as Go prints it, which the API server does in its texts: []v1.Container, v1.PullPolicy.
func (t *valueType) goName() string {
	switch {
	case strings.Contains(t.name, "."):
		return t.name
	case slices.Contains(typeValues()["v2"], t.name):
		return "v2." + t.name
	case t.name != "":
		return "v1." + t.name
	case t.kind == listValue:
		return "[]" + t.elem.pointerName()
	case t.kind == mapValue:
		return "map[string]" + t.elem.pointerName()
	}
	return scalars[t.kind].goName
}

// pointerName is goName with the star that a pointer has inside a list or map.
func (t *valueType) pointerName() string {
	if t.pointer {
		return "*" + t.goName()
	}
	return t.goName()
}

// structOf returns the struct of a struct type. Of a kind that schema.txt does not have only the metadata is checked.
func (t *valueType) structOf() *structType {
	if s := schema()[t.name]; s != nil {
		return s
	}
	s := parseStruct(t.name, "metadata:ObjectMeta")
	s.open = true
	return s
}
