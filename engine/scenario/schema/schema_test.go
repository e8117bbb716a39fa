package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/scenario"
)

// read reads a text as a kind, and returns what its reader complains about.
func read(kind, text string) (diagnostics []scenario.Diagnostic) {
	if kind == "Policy" {
		if _, diagnostics = scenario.ReadPolicy(text); len(diagnostics) == 0 {
			if _, err := check.ReadPolicy(text); err != nil { // its limits are those of the command line, too
				return []scenario.Diagnostic{{Message: err.Error()}}
			}
		}
		return diagnostics
	}
	_, diagnostics = scenario.Parse(text)
	return diagnostics
}

// samples are values of the types that are no objects as JSON, and one that is wrong; "" if nothing is.
var samples = map[string][2]string{
	"any": {"{}", ""}, "string": {`"some"`, "[1]"}, "boolean": {"true", "[1]"}, "const": {"", ""}, "enum": {"", `"other"`}, "count": {`"ready"`, `"many"`},
	"integer": {"", `"some"`}, "duration": {`"10s"`, `"10 q"`}, "range": {`"1s..2s"`, `"2s..1s"`}, "quantity": {"4", "[1]"}, "share": {`"75%"`, "[1]"}, "fraction": {`"0.01%"`, "[1]"},
	"version": {`"1.34"`, `"1.99"`}, "workload": {`"deployment/web"`, `"pod/web"`}, "name": {`"node-1"`, `"A!"`}, "taint": {`"a=b:NoSchedule"`, `"a"`},
	"url": {`"https://a.b"`, `"http://a.b"`},
}

// object is a JSON object.
type object map[string]any

// sample returns a value of a type: an object with the fields that it must have.
func sample(t Type) any {
	text := samples[t.Name][0]
	switch {
	case t.Name == "const" || t.Name == "enum":
		text = strconv.Quote(t.Words[0])
	case t.Name == "integer":
		text, _, _ = strings.Cut(t.Words[0], "..")
	}
	var v any = json.RawMessage(text)
	if o := Objects()[t.Name]; o != nil {
		v = required(o)
	}
	switch {
	case t.List:
		return []any{v}
	case t.Map:
		return object{"a": v}
	}
	return v
}

// required returns an object with the fields that it must have.
func required(o *Object) object {
	fields := object{}
	for _, f := range o.Fields {
		if f.Required {
			fields[f.Name] = sample(f.Types[0])
		}
	}
	return fields
}

// with returns the fields that an object must have, and another one.
func with(o *Object, name string, value any) object {
	fields := required(o)
	switch fields[name] = value; name {
	case "exitCode":
		fields["crash"] = "1s"
	case "ask":
		fields["at"] = "0s"
	}
	return fields
}

// eachObject visits every object of a kind, with its path and a function that writes the document around it.
func eachObject(kind string, visit func(o *Object, path string, document func(any) string)) {
	var walk func(o *Object, path string, document func(any) string, within []string)
	walk = func(o *Object, path string, document func(any) string, within []string) {
		visit(o, path, document)
		for _, f := range o.Fields {
			for _, t := range f.Types {
				inner := Objects()[t.Name]
				if inner == nil || slices.Contains(within, inner.Name) {
					continue
				}
				at := strings.TrimPrefix(path+"."+f.Name, ".")
				if t.List {
					at += "[0]"
				}
				walk(inner, at, func(value any) string {
					if t.List {
						value = []any{value}
					}
					return document(with(o, f.Name, value))
				}, append(slices.Clone(within), inner.Name))
			}
		}
	}
	walk(Objects()[kind], "", func(value any) string {
		b, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		return string(b)
	}, []string{kind})
}

// about returns the first complaint about a field, "" if there is none.
func about(diagnostics []scenario.Diagnostic, path string) string {
	for _, d := range diagnostics {
		if d.Field == path || strings.HasPrefix(d.Message, path+":") || strings.Contains(d.Message, `unknown field "`+path+`"`) || strings.HasPrefix(d.Field, path+"[") ||
			strings.Contains(d.Message, ": "+path[strings.LastIndexByte(path, '.')+1:]+": ") {
			return d.Message
		}
	}
	return ""
}

// TestReadersAgree: the readers read every field of the table and no other, refuse values that the table does not allow, and miss what it
// says is required.
func TestReadersAgree(t *testing.T) {
	fields := 0
	for _, kind := range Kinds {
		eachObject(kind, func(o *Object, path string, document func(any) string) {
			read := func(value any) []scenario.Diagnostic { return read(kind, document(value)) }
			for _, f := range o.Fields {
				fields++
				at := strings.TrimPrefix(path+"."+f.Name, ".")
				for _, typ := range f.Types {
					if why := about(read(with(o, f.Name, sample(typ))), at); strings.Contains(why, "unknown field") || strings.Contains(why, "Invalid value") {
						t.Errorf("%s %s: %s is refused: %s", kind, at, document(sample(typ)), why)
					}
				}
				if typ := f.Types[0]; typ.Name == "integer" && !typ.List {
					_, high, _ := strings.Cut(typ.Words[0], "..")
					if why := about(read(with(o, f.Name, json.RawMessage(high))), at); strings.Contains(why, "whole number") {
						t.Errorf("%s %s: %s is refused: %s", kind, at, high, why)
					}
				}
				for _, wrong := range wrongValues(f) {
					if about(read(with(o, f.Name, json.RawMessage(wrong))), at) == "" {
						t.Errorf("%s %s: %s is allowed", kind, at, wrong)
					}
				}
				if f.Required && path != "" {
					less := required(o)
					delete(less, f.Name)
					if why := about(read(less), at); !strings.Contains(why, "Required value") {
						t.Errorf("%s %s: nobody misses it: %q", kind, at, why)
					}
				}
			}
			if wrong := read(with(o, "zzz", 1)); about(wrong, strings.TrimPrefix(path+".zzz", ".")) == "" {
				t.Errorf("%s %s: zzz is read: %v", kind, path, wrong)
			}
			sameNames(t, kind, o, path, about(read(5), path))
		})
	}
	if t.Logf("%d fields", fields); fields < 150 {
		t.Errorf("only %d fields", fields)
	}
}

// sameNames compares the fields that a reader lists for an object with those of the table.
func sameNames(t *testing.T, kind string, o *Object, path, message string) {
	_, list, ok := strings.Cut(message, "must be an object with the fields ")
	if !ok {
		if path != "" && o.Name != "Text" {
			t.Errorf("%s %s: a number is no object: %q", kind, path, message)
		}
		return
	}
	var names []string
	for _, f := range o.Fields {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, ", "); got != list {
		t.Errorf("%s %s: the table has %s, the reader %s", kind, path, got, list)
	}
}

// wrongValues are some that a field must not have.
func wrongValues(f Field) (list []string) {
	if len(f.Types) > 1 {
		return nil
	}
	typ := f.Types[0]
	wrong := samples[typ.Name][1]
	if typ.Name == "integer" {
		low, high, _ := strings.Cut(typ.Words[0], "..")
		if !typ.List {
			list = append(list, "-1", high+"0", "1.5")
		}
		if low == "1" {
			list = append(list, "0")
		}
	}
	switch {
	case typ.List || typ.Map:
		return append(list, "5")
	case wrong != "":
		list = append(list, wrong)
	}
	return list
}

// TestSentences: everything has a sentence in both languages, and a version; every type is known.
func TestSentences(t *testing.T) {
	han := func(s string) bool {
		return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Han, c) })
	}
	for _, o := range Objects() {
		if !strings.HasSuffix(o.En, ".") || !han(o.Zh) {
			t.Errorf("%s: %q, %q", o.Name, o.En, o.Zh)
		}
		for _, f := range o.Fields {
			if !strings.HasSuffix(f.En, ".") || han(f.En) || !han(f.Zh) || !strings.HasSuffix(f.Zh, "。") || !regexp.MustCompile(`^0\.[1-6]$`).MatchString(f.Since) {
				t.Errorf("%s.%s: %q, %q, since %q", o.Name, f.Name, f.En, f.Zh, f.Since)
			}
			for _, typ := range f.Types {
				if fragments[typ.Name] == nil && Objects()[typ.Name] == nil {
					t.Errorf("%s.%s: no type %s", o.Name, f.Name, typ.Name)
				}
			}
		}
	}
	if len(Names()) != len(Objects()) {
		t.Errorf("%d names of %d objects", len(Names()), len(Objects()))
	}
}

// TestJSON: the patterns are those that editors understand, every reference leads somewhere, and the table's own samples match.
func TestJSON(t *testing.T) {
	b, err := JSON(map[string][]string{"apps/v1": {"Deployment"}})
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"#/\$defs/(\w+)"`).FindAllSubmatch(b, -1) {
		if s.Defs[string(m[1])] == nil {
			t.Errorf("nothing is called %s", m[1])
		}
	}
	for name, f := range fragments {
		typ := Type{Name: name, Words: []string{"0..9"}}
		p, ok := f(typ.Words)["pattern"].(string)
		if good := strings.Trim(samples[name][0], `"`); ok && !regexp.MustCompile(p).MatchString(good) {
			t.Errorf("%s: %s does not match %s", name, good, p)
		}
		if bad := strings.Trim(samples[name][1], `"`); ok && name != "range" && regexp.MustCompile(p).MatchString(bad) {
			t.Errorf("%s: %s matches %s", name, bad, p)
		}
	}
	if fmt.Sprint(Objects()["Goal"].Fields[0].Name) != "desired" {
		t.Error("a goal has no counts")
	}
}

// TestFieldFragments: a field's schema allows what its types allow, and editors show its default.
func TestFieldFragments(t *testing.T) {
	for field, want := range map[string]string{
		"title":            `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/Text"}]}`,
		"clientConnection": `{"allOf":[{"$ref":"#/$defs/ClientConnection"}]}`,
		"draws":            `{"enum":["ordered","keyed"],"x-default":"ordered"}`,
		"links":            `{"items":{"$ref":"#/$defs/Link"},"type":"array"}`,
	} {
		o := Objects()["ScenarioSpec"]
		s := o.Fields[slices.IndexFunc(o.Fields, func(f Field) bool { return f.Name == field })].fragment()
		for _, words := range []string{"description", "x-zh", "x-since", "x-type"} {
			delete(s, words)
		}
		if got, _ := json.Marshal(s); string(got) != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}
