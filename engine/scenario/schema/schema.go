// Package schema is the one table of the fields of rollplay's own documents, kind Scenario and kind Policy: type, default, allowed values,
// the version that brought a field, and a sentence in English and Chinese. The reference page, the JSON Schema, the editor's completion and
// the mutation tests come from it, and a test compares it with the readers. The program in the browser does not link it.
package schema

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed fields.txt
var table string

// Object is a kind, or an object within one.
type Object struct {
	Name   string
	En, Zh string // one sentence
	Fields []Field
}

// Field is a field of an object.
type Field struct {
	Name     string
	Required bool
	Types    []Type // alternatives: string or []string
	Default  string
	Since    string // the version of rollplay that brought it
	En, Zh   string // one sentence
}

// Type is what a value may be. A List has items of the type, a Map values of it.
type Type struct {
	List, Map bool
	Name      string   // one of the types in json.go, or an Object
	Words     []string // what belongs to the type: the allowed values, 0..255, a word in place of a duration
}

// Kinds are the kinds of documents.
var Kinds = []string{"Scenario", "Policy"}

// Objects are the objects of the table by name.
var Objects = sync.OnceValue(func() map[string]*Object {
	objects := map[string]*Object{}
	var o *Object
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case cells[0] == "" || cells[0][0] == '#':
		case cells[0][0] == '+':
			o.Fields = append(o.Fields, objects[cells[0][1:]].Fields...)
		case len(cells) == 3:
			o = &Object{Name: cells[0], En: cells[1], Zh: cells[2]}
			objects[o.Name] = o
		default:
			o.Fields = append(o.Fields, fieldOf(cells))
		}
	}
	return objects
})

// Names are the names of the objects in the order of the table.
func Names() (names []string) {
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			names = append(names, cells[0])
		}
	}
	return names
}

// fieldOf reads a row; an empty default is written with one blank less.
func fieldOf(cells []string) Field {
	f := Field{Default: strings.Trim(cells[2], "| "), En: cells[len(cells)-2], Zh: cells[len(cells)-1], Since: cells[len(cells)-3]}
	if len(cells) == 5 {
		f.Default, f.Since = "", strings.TrimPrefix(cells[2], "| ")
	}
	f.Name, f.Required = strings.CutSuffix(cells[0], "!")
	for _, t := range strings.Split(cells[1], " or ") {
		f.Types = append(f.Types, typeOf(t))
	}
	return f
}

func typeOf(text string) (t Type) {
	text, t.List = strings.CutPrefix(text, "[]")
	text, t.Map = strings.CutPrefix(text, "map ")
	words := strings.Fields(text)
	t.Name, t.Words = words[0], words[1:]
	return t
}

// String writes a type as the table does.
func (t Type) String() string {
	s := strings.Join(append([]string{t.Name}, t.Words...), " ")
	switch {
	case t.List:
		return "[]" + s
	case t.Map:
		return "map " + s
	}
	return s
}

// Type returns the field's alternatives in one line.
func (f *Field) Type() string {
	var list []string
	for _, t := range f.Types {
		list = append(list, t.String())
	}
	return strings.Join(list, " or ")
}
