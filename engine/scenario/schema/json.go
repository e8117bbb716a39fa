package schema

import (
	"encoding/json"
	"strings"
)

// ID is the name of the JSON Schema's file.
const ID = "rollplay-v1alpha1.json"

// fragment is a part of a JSON Schema.
type fragment map[string]any

// durations are patterns of JSON Schema.
const (
	number   = `[0-9]*\.?[0-9]+`
	duration = `(0|(` + number + `(ms|s|m|h))+)`
	quantity = `^` + number + `(e[0-9]+|[mkMGTPE]|[KMGTPE]i)?$`
)

// fragments are the types that are no objects.
var fragments = map[string]func(words []string) fragment{
	"any":      func([]string) fragment { return fragment{} },
	"string":   func([]string) fragment { return fragment{"type": "string"} },
	"boolean":  func([]string) fragment { return fragment{"enum": []any{true, false, "true", "false"}} },
	"const":    func(words []string) fragment { return fragment{"const": words[0]} },
	"enum":     func(words []string) fragment { return fragment{"enum": words} },
	"count":    func([]string) fragment { return fragment{"enum": countNames()} },
	"integer":  integer,
	"duration": func([]string) fragment { return pattern(`^` + duration + `$`) },
	"range": func(words []string) fragment {
		return pattern(`^(` + strings.Join(append(words, duration+`( *\.\. *`+duration+`)?`), "|") + `)$`)
	},
	"quantity": func([]string) fragment {
		return fragment{"anyOf": []fragment{{"type": "number", "minimum": 0}, pattern(quantity)}}
	},
	"share": func([]string) fragment {
		return fragment{"anyOf": []fragment{{"type": "integer", "minimum": 0}, pattern(`^[0-9]+%?$`)}}
	},
	"fraction": func([]string) fragment {
		return fragment{"anyOf": []fragment{{"type": "number", "minimum": 0}, pattern(`^[0-9]+(\.[0-9]+)?%?$`)}}
	},
	"version":  func([]string) fragment { return pattern(`^1\.3[3-7]$`) },
	"workload": func([]string) fragment { return pattern(`^(deployment|statefulset|replicaset)/[^/]+(/[^/]+)?$`) },
	"name":     func([]string) fragment { return pattern(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`) },
	"taint":    func([]string) fragment { return pattern(`^[^=:]+(=[^:]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$`) },
	"url":      func([]string) fragment { return pattern(`^https://`) },
}

func pattern(p string) fragment { return fragment{"type": "string", "pattern": p} }

// countNames are the names of the counts that a question may be about.
func countNames() (names []string) {
	for _, f := range Objects()["Counts"].Fields {
		names = append(names, f.Name)
	}
	return names
}

// integer returns the schema of whole numbers in a range: 0..255.
func integer(words []string) fragment {
	low, high, _ := strings.Cut(words[0], "..")
	return fragment{"type": "integer", "minimum": json.Number(low), "maximum": json.Number(high)}
}

func (t Type) fragment() fragment {
	one := fragment{"$ref": "#/$defs/" + t.Name}
	if own := fragments[t.Name]; own != nil {
		one = own(t.Words)
	} else if t.Name == "Text" {
		one = fragment{"anyOf": []fragment{{"type": "string"}, one}}
	}
	switch {
	case t.List:
		return fragment{"type": "array", "items": one}
	case t.Map:
		return fragment{"type": "object", "additionalProperties": one}
	}
	return one
}

// fragment returns the schema of a field; editors show the description.
func (f *Field) fragment() fragment {
	s := f.Types[0].fragment()
	if len(f.Types) > 1 {
		s = fragment{"anyOf": []fragment{s, f.Types[1].fragment()}}
	} else if s["$ref"] != nil {
		s = fragment{"allOf": []fragment{s}}
	}
	s["description"], s["x-zh"], s["x-since"], s["x-type"] = f.En, f.Zh, f.Since, f.Type()
	if f.Default != "" {
		s["x-default"] = f.Default
	}
	return s
}

func (o *Object) fragment() fragment {
	properties, required := fragment{}, []string{}
	for i := range o.Fields {
		f := &o.Fields[i]
		properties[f.Name] = f.fragment()
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return fragment{"type": "object", "description": o.En, "x-zh": o.Zh,
		"properties": properties, "required": required, "additionalProperties": false}
}

// JSON returns the JSON Schema of the documents of this apiVersion. kinds are all that rollplay simulates, by version: its editor offers
// them, too. Documents of other kinds, such as Deployments, are left to other schemas.
func JSON(kinds map[string][]string) ([]byte, error) {
	defs := fragment{}
	for name, o := range Objects() {
		defs[name] = o.fragment()
	}
	var documents []fragment
	for _, kind := range Kinds {
		documents = append(documents, fragment{
			"if": fragment{"required": []string{"kind"}, "properties": fragment{
				"kind": fragment{"const": kind}, "apiVersion": fragment{"const": "rollplay/v1alpha1"},
			}},
			"then": fragment{"$ref": "#/$defs/" + kind},
		})
	}
	return json.MarshalIndent(fragment{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "rollplay/v1alpha1",
		"type": "object", "allOf": documents, "$defs": defs, "x-kinds": kinds,
	}, "", " ")
}
