package decode

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// FieldNames lists the fields of a struct of the API, such as Deployment, Container or Probe; nil if the schema has no such
// struct.
func FieldNames(structName string) []string {
	if s := schema()[structName]; s != nil {
		return slices.Sorted(maps.Keys(s.fields))
	}
	return nil
}

// FieldType returns the type of a field as kubectl explain writes it: integer, []Container, map[string]string. Inner is the
// struct whose fields come next, empty if there are none.
func FieldType(structName, field string) (typ, inner string, ok bool) {
	s := schema()[structName]
	if s == nil || s.fields[field] == nil {
		return "", "", false
	}
	t := &s.fields[field].typ
	typ = t.explained()
	if t.kind == anyValue && (field == "time" || strings.HasSuffix(field, "Time") || strings.HasSuffix(field, "Timestamp") || strings.HasSuffix(field, "At")) {
		typ = "string" // the schema has times as "any"
	}
	for t.elem != nil {
		t = t.elem
	}
	if t.kind == structValue {
		inner = t.name
	}
	return typ, inner, true
}

// FieldValues lists the values that a field may have, an empty one in quotes; nil if it may have any of its type.
func FieldValues(structName, field string) []string {
	if s := schema()[structName]; s != nil && s.fields[field] != nil {
		return typeValues()[s.fields[field].typ.name]
	}
	return nil
}

// typeValues holds the values of each type that has few of them, from the last lines of schemaText; under v2 are the
// structs of that package.
var typeValues = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(schemaText) {
		if name, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); name[0] == '=' {
			values := strings.Split(list, "|")
			values[0] = cmp.Or(values[0], `""`)
			all[name[1:]] = values
		}
	}
	return all
})

// explained returns the type in the words of the API's description.
func (t *valueType) explained() string {
	switch t.kind {
	case listValue:
		return "[]" + t.elem.explained()
	case mapValue:
		return "map[string]" + t.elem.explained()
	case structValue:
		return t.name
	case anyValue:
		return cmp.Or(t.name, scalars[anyValue].explained)
	}
	return scalars[t.kind].explained
}
