package print

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// ObjectText prints an object as -o yaml, json or name does.
func ObjectText(o Object, output string) string {
	if output == "name" {
		return line.ResourceName(o.Key())
	}
	return treeText(ObjectTree(o), output)
}

// ListText prints several objects: a List, or their names.
func ListText(groups []Group, output string) string {
	items := []any{}
	var names []string
	for _, g := range groups {
		for _, o := range g.Objects {
			if output == "name" {
				names = append(names, line.ResourceName(o.Key()))
			} else {
				items = append(items, ObjectTree(o))
			}
		}
	}
	if output == "name" {
		return strings.Join(names, "\n")
	}
	return treeText(map[string]any{"apiVersion": "v1", "kind": "List", "items": items, "metadata": map[string]any{"resourceVersion": ""}}, output)
}

// treeText prints a tree with kubectl's own libraries: both sort its keys.
func treeText(tree map[string]any, output string) string {
	text, err := json.MarshalIndent(tree, "", "    ")
	if output == "yaml" {
		text, err = yaml.Marshal(tree)
	}
	if err != nil {
		panic("kubectl: a tree cannot be printed: " + err.Error())
	}
	return string(text)
}

// ObjectTree returns an object as the API server prints it.
func ObjectTree(o Object) map[string]any {
	if own, ok := o.(ownPrinting); ok {
		return own.Tree()
	}
	tree, err := api.Tree(o.(api.Object))
	if err != nil {
		panic("kubectl: an object cannot be printed: " + err.Error())
	}
	kind := o.Key().Kind
	tree["apiVersion"], tree["kind"] = line.APIVersion(kind), string(kind)
	return tree
}
