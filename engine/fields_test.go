package engine

import (
	"flag"
	"slices"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/scenario/schema"
)

// place is the path to a field of a kind: spec, template, spec, containers, image.
type place []step

// step is a field, with its type as kubectl explain writes it: []Container, integer, IntOrString.
type step struct{ name, typ string }

func (p place) String() string {
	var names []string
	for _, s := range p {
		names = append(names, s.name)
	}
	return strings.Join(names, ".")
}

// scenarioFields are the structs of a Scenario document, which is not in the schema of Kubernetes.
var scenarioFields = sync.OnceValue(func() map[string][][2]string {
	structs := map[string][][2]string{}
	named := func(object string) string {
		if object == "Scenario" {
			return object
		}
		return "Scenario" + object
	}
	for name, o := range schema.Objects() {
		for _, f := range o.Fields {
			t := f.Types[len(f.Types)-1]
			typ := "string"
			switch {
			case schema.Objects()[t.Name] != nil:
				typ = named(t.Name)
			case t.Name == "integer":
				typ = "integer"
			case t.Name == "quantity":
				typ = "Quantity"
			}
			if t.List {
				typ = "[]" + typ
			} else if t.Map {
				typ = "map[string]" + typ
			}
			structs[named(name)] = append(structs[named(name)], [2]string{f.Name, typ})
		}
	}
	return structs
})

// fieldsOf lists the fields of a struct with their types.
func fieldsOf(structName string) (list [][2]string) {
	if own, ok := scenarioFields()[structName]; ok {
		return own
	}
	for _, name := range decode.FieldNames(structName) {
		typ, _, _ := decode.FieldType(structName, name)
		list = append(list, [2]string{name, typ})
	}
	return list
}

// elemOf takes the list or map off a type: Container of []Container.
func elemOf(typ string) string {
	for {
		rest, list := strings.CutPrefix(typ, "[]")
		rest, table := strings.CutPrefix(rest, "map[string]")
		if !list && !table {
			return typ
		}
		typ = rest
	}
}

// everyField is the stride of TestEveryField.
var everyField = flag.Int("everyField", 101, "TestEveryField tests one in this many mutations")

var placesByKind = map[string][]place{}

// placesOf lists every field of a kind, those near the root first, without those of the status, which a manifest does not set; except a node's.
func placesOf(kind string) []place {
	list := placesByKind[kind]
	if list == nil {
		list = slices.DeleteFunc(places(kind), func(p place) bool { return kind != "Node" && p[0].name == "status" && len(p) > 1 })
		slices.SortStableFunc(list, func(a, b place) int { return len(a) - len(b) })
		placesByKind[kind] = list
	}
	return list
}

// places lists every field of a kind. A struct that stands within itself is entered once.
func places(kind string) []place {
	var list []place
	var walk func(structName string, to place, within []string)
	walk = func(structName string, to place, within []string) {
		for _, f := range fieldsOf(structName) {
			p := append(slices.Clone(to), step{f[0], f[1]})
			list = append(list, p)
			if inner := elemOf(f[1]); !slices.Contains(within, inner) {
				walk(inner, p, append(slices.Clone(within), inner))
			}
		}
	}
	walk(kind, nil, []string{kind})
	return list
}
