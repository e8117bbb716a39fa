package print

import (
	"encoding/json"
	"strings"
	"testing"
	"text/template"

	"github.com/rollplay/rollplay/engine/api"
)

// templated is the object that the templates of these tests print.
const templated = `{"kind":"Pod","metadata":{"name":"web","labels":{"app":"web","tier":"front"},"generation":3000000},
"spec":{"replicas":2,"share":1.5,"on":true,"off":false,"zero":0,"empty":"","list":["a","b"],"none":[],"containers":[{"name":"c","image":"i:1"},{"name":"d"}]}}`

// goTemplates are templates that Go's own package is asked about, too.
var goTemplates = []string{
	`{{.metadata.name}} {{.metadata.generation}} {{.spec.share}} {{.nothing}} {{.nothing.more}} {{.metadata.labels}} {{.spec.list}}`,
	`{{range .spec.containers}}{{.name}}={{.image}};{{end}}`, `{{range .spec.none}}x{{else}}none{{end}}`, `{{range $k, $v := .metadata.labels}}{{$k}}-{{$v}} {{end}}`,
	`{{range $i, $c := .spec.containers}}{{if $i}}, {{end}}{{$c.name}}{{end}}`, `{{range $c := .spec.containers}}{{$c.name}}{{$.kind}}{{end}}`,
	`{{if .spec.on}}a{{else}}b{{end}}{{if .spec.off}}a{{else if .spec.zero}}b{{else if .spec.replicas}}c{{end}}`,
	`{{with .spec.empty}}a{{else with .kind}}{{.}}{{else}}c{{end}}`, `{{with $x := .spec}}{{$x.replicas}}{{end}}`,
	`{{$n := "no"}}{{range .spec.list}}{{if eq . "b"}}{{$n = .}}{{end}}{{end}}{{$n}}`, `{{range .spec.list}}{{$x := .}}{{$x}}{{end}}`,
	"a {{- .kind -}} b", "{{/* a comment */}}x", "{{- /* another */ -}} y", "{{`raw \\n`}} {{\"a\\tb\"}} {{3}} {{-3}} {{1.5}} {{true}} {{0x10}}",
	`{{len .spec.list}} {{len .kind}} {{len .metadata.labels}}`, `{{index .spec.list 1}} {{index .metadata.labels "app"}} {{(index .spec.containers 0).name}}`,
	`{{printf "%s-%d-%v|%5s" .kind .spec.replicas .spec.on "x"}} {{print 1 2 "a" .kind}} {{println "b"}}`, `{{.kind | printf "%s-%s" "a" | len}}`,
	`{{eq .kind "Pod"}} {{eq .kind "a" "Pod"}} {{ne .kind "a"}} {{eq .spec.replicas 2}} {{lt .spec.replicas 3}} {{le 2 .spec.replicas}} {{gt .spec.share 1.0}} {{ge "b" "a"}}`,
	`{{and .spec.on .kind}} {{and .spec.off (index .spec.list 9)}} {{or .spec.empty "x"}} {{or .spec.zero .spec.off}} {{not .spec.zero}}`,
	`{{eq .nothing "x"}} {{ne .kind "Pod"}} {{eq .spec.on true}}`, `{{ .kind }}{{ "{{" }}{{ "}}" }}`, `{{range .spec.containers}}{{with .image}}{{.}}{{end}}{{end}}`,
	`{{if and (eq .kind "Pod") (gt (len .spec.list) 1)}}yes{{end}}`, "{{if .kind}}\n  x\n{{- end}}", `{{range .nothing}}x{{end}}`,
	// what is refused
	`{{`, `{{.a`, `{{end}}`, `{{if .a}}`, `{{else}}`, `{{nope .a}}`, `{{.kind.x}}`, `{{index .spec.list 5}}`, `{{index .spec.list "a"}}`, `{{len .nothing}}`, `{{len 3}}`, `{{len .spec.list | eq 2}} {{index .spec.list 0 | eq "a"}} {{.spec.share | lt 1.25}}`,
	`{{lt .spec.replicas 1.5}}`, `{{eq .kind 1}}`, `{{range .kind.x}}{{end}}`, `{{}}`, `{{$x}}`, `{{(.kind}}`, `{{.kind 1}}`, `{{"a}}`, `{{if .a}}{{else}}{{else}}{{end}}`, `{{lt .kind .spec}}`,
	`{{not}}`, `{{and}}`, `{{1a}}`, `{{nil}}`, `{{.kind}`, `{{lt 1 2 3}}`, `{{index .nothing 1}}`, `{{if}}x{{end}}`, `{{,$=00}}`, `{{$a, $b := .kind}}`, `{{.x := 1}}`, `{{.kind)}}`,
}

// asReal is the tree as kubectl has it: whole numbers are int64.
func asReal(v any) any {
	return api.CopyTree(v, func(v any) any { return whole(v) })
}

// TestGoTemplates: a template prints what Go's own package prints, or both refuse it.
func TestGoTemplates(t *testing.T) {
	for _, text := range goTemplates {
		compareGo(t, text)
	}
}

func compareGo(t *testing.T, text string) {
	var tree map[string]any
	if err := json.Unmarshal([]byte(templated), &tree); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	real, realErr := template.New("output").Parse(text)
	if realErr == nil {
		realErr = real.Execute(&want, asReal(tree))
	}
	ours, err := ParseGo(text)
	got := ""
	if err == nil {
		got, err = ours.Text(asReal(tree))
	}
	if (err != nil) != (realErr != nil) || err == nil && got != want.String() {
		t.Errorf("%s\n got %q, %v\nwant %q, %v", text, got, err, want.String(), realErr)
	}
}

// TestGoTemplateOfKubectl has the functions that kubectl adds.
func TestGoTemplateOfKubectl(t *testing.T) {
	var tree map[string]any
	if err := json.Unmarshal([]byte(templated), &tree); err != nil {
		t.Fatal(err)
	}
	tmpl, err := ParseGo(`{{exists . "spec" "list" 1}} {{exists .spec "list" 2}} {{exists .metadata "labels" "nope"}} {{base64decode "YWJj"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tmpl.Text(asReal(tree)); err != nil || got != "true false false abc" {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzGoTemplate: no template panics, and what it prints is what Go's own package prints.
func FuzzGoTemplate(f *testing.F) {
	for _, text := range goTemplates {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tree map[string]any
		if err := json.Unmarshal([]byte(templated), &tree); err != nil {
			t.Fatal(err)
		}
		ours, err := ParseGo(text)
		if err != nil {
			return
		}
		got, err := ours.Text(asReal(tree))
		var want strings.Builder
		real, realErr := template.New("output").Parse(text)
		if realErr != nil || err != nil {
			return // some of what Go's package refuses is printed here
		}
		if real.Execute(&want, asReal(tree)) == nil && got != want.String() {
			t.Errorf("%s\n got %q\nwant %q", text, got, want.String())
		}
	})
}
