package print

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v2"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/limits"
)

// ObjectText prints an object as -o yaml, json or name does.
func ObjectText(o api.Object, output string) string {
	if output == "name" {
		return line.ResourceName(o.Key())
	}
	return TreeText(Served(o), output)
}

// ListText prints at least one object as a List, and others until they have a number of bytes together.
func ListText(groups []Group, output string, most int) (text string, printed, all int) {
	items := []any{}
	objects := Flat(groups)
	for _, o := range objects {
		if most > 0 {
			tree := Served(o)
			items = append(items, tree)
			most -= treeSize(tree)
		}
	}
	return TreeText(listTree(items), output), len(items), len(objects)
}

// Templates are the forms of output that have a template, by the name of its language.
var Templates = map[string]string{"jsonpath": "jsonpath", "go-template": "go-template", "template": "go-template"}

// ReadTemplate returns what prints trees in a template of jsonpath or go-template.
func ReadTemplate(language, text string) (func(tree any) (string, error), error) {
	if text == "" {
		return nil, errors.New("template format specified but no template given")
	}
	if language == "go-template" {
		t, err := ParseGo(text)
		return func(tree any) (string, error) {
			printed, err := t.Text(api.CopyTree(tree, whole))
			if err != nil && !limits.IsExceeded(err) {
				err = fmt.Errorf("error executing template %q: template: output: executing \"output\": %w", text, err)
			}
			return printed, err
		}, err
	}
	t, err := ParseTemplate(text)
	run := t.begin()
	return func(tree any) (string, error) {
		printed, err := run.text(tree)
		if err != nil && !limits.IsExceeded(err) {
			err = fmt.Errorf("error executing jsonpath %q: Error executing template: %w. Printing more information for debugging the template:\n"+
				"\ttemplate was:\n\t\t%s\n\tobject given to jsonpath engine was:\n\t\t%#v\n\n", text, err, text, firstPart(tree))
		}
		return printed, err
	}, err
}

// usualSize is how many bytes of an object count as no work.
const usualSize = 2 << 10

// List returns several objects as a List. A tree takes ten times as much memory as its text, so what is larger than usual counts as work.
func List(groups []Group) (map[string]any, error) {
	items, work := []any{}, new(limits.Meter)
	for _, o := range Flat(groups) {
		tree := Served(o)
		if err := work.Count(max(0, treeSize(tree)-usualSize) / 16); err != nil {
			return nil, err
		}
		items = append(items, tree)
	}
	return listTree(items), nil
}

// treeSize returns roughly how many bytes a tree has when it is printed.
func treeSize(v any) int {
	breath.Often()
	n := 8
	switch v := v.(type) {
	case string:
		n += len(v)
	case map[string]any:
		for k, e := range v {
			n += len(k) + treeSize(e)
		}
	case []any:
		for _, e := range v {
			n += treeSize(e)
		}
	}
	return n
}

func listTree(items []any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "List", "items": items, "metadata": map[string]any{"resourceVersion": ""}}
}

// TreeText prints a tree with kubectl's own libraries: both sort its keys.
func TreeText(tree map[string]any, output string) string {
	var out breathing
	var err error
	if output == "yaml" { // which sigs.k8s.io/yaml would write as JSON and read again: yamlValue returns what it reads
		encoder := yaml.NewEncoder(&out)
		err = cmp.Or(encoder.Encode(api.CopyTree(tree, yamlValue)), encoder.Close())
	} else {
		text := api.JSON(tree)
		breath.Take()
		err = json.Indent(&out.Buffer, text, "", "    ")
	}
	if err != nil {
		panic("kubectl: a tree cannot be printed: " + err.Error())
	}
	return out.String()
}

// yamlValue returns a value that is no map, list or text as a parser of YAML reads it from JSON: a number without a fraction is an int.
func yamlValue(v any) any {
	var read any
	if err := yaml.Unmarshal(api.JSON(v), &read); err != nil {
		panic("kubectl: a value cannot be printed: " + err.Error())
	}
	return read
}

// breathing takes a breath at each write: in a browser the YAML of a large object takes a third of a second.
type breathing struct{ bytes.Buffer }

func (b *breathing) Write(p []byte) (int, error) {
	breath.Take()
	return b.Buffer.Write(p)
}

// ObjectTree returns an object as the API server prints it.
func ObjectTree(o api.Object) map[string]any {
	if own, ok := o.(ownPrinting); ok {
		return own.Tree()
	}
	tree, kind := api.Tree(o), o.Key().Kind
	tree["apiVersion"], tree["kind"] = kinds.Of(kind).APIVersion(), string(kind)
	return tree
}

// CustomColumns returns what prints objects in the columns NAME:path,NAME:path (kubectl/pkg/cmd/get/customcolumn.go), the names above the
// first ones only. Rows before an error are there, too.
func CustomColumns(spec string, headers bool) (show func([]Group) ([]string, error), err error) {
	if spec == "" {
		return nil, errors.New("custom-columns format specified but no custom columns given")
	}
	var names []string
	var paths []JSONPath
	var unread error // found when the first object is printed
	if err := limits.AtMost(limits.Columns, 1+strings.Count(spec, ","), "columns"); err != nil {
		return nil, err
	}
	work := new(limits.Meter)
	for column := range strings.SplitSeq(spec, ",") {
		name, where, ok := strings.Cut(column, ":")
		if !ok {
			return nil, fmt.Errorf("unexpected custom-columns spec: %s, expected <header>:<json-path-expr>", column)
		}
		p, text, err := ReadPath(where)
		if text == "" && err != nil {
			return nil, err
		}
		names, paths, unread = append(names, name), append(paths, p), cmp.Or(unread, err)
	}
	grid := new(Grid)
	return func(groups []Group) ([]string, error) {
		var rows [][]string
		if headers {
			rows, headers = append(rows, names), false
		}
		if unread != nil {
			return grid.Lines(rows), unread
		}
		for _, o := range Flat(groups) {
			tree, row := Served(o), []string(nil)
			for _, p := range paths {
				text, err := p.column(work, tree)
				switch {
				case limits.IsExceeded(err):
					return nil, err
				case err != nil:
					return grid.Lines(rows), err
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
		return grid.Lines(rows), nil
	}, nil
}

// column prints what a path finds in a tree.
func (t JSONPath) column(work *limits.Meter, tree any) (string, error) {
	values, err := t.Of(work, tree)
	texts := []string(nil)
	for _, v := range values {
		text := goText(v)
		if err = cmp.Or(err, work.Count(len(text)/16)); err != nil {
			break
		}
		texts = append(texts, text)
	}
	return cmp.Or(strings.Join(texts, ","), None), err
}

// goText prints a value as Go does: map[a:b], [a b].
func goText(v any) string { return fmt.Sprint(api.CopyTree(v, whole)) }

// Group is the objects of a type that one table shows.
type Group struct {
	Kind    api.Kind
	Objects []api.Object // also events
}

// Flat returns the objects of all groups.
func Flat(groups []Group) (objects []api.Object) {
	for _, g := range groups {
		objects = append(objects, g.Objects...)
	}
	return objects
}

// KubernetesVersion is that of kubectl, the API server and the kubelets, also where a scenario chooses the rules of an older version.
const KubernetesVersion = "v1.37.1"
