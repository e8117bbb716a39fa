package sweep

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/api"
)

// A text is edited where the value stands, so that comments, order and style stay as a person wrote them.

// documents parses a stream. Positions of its nodes are those of the whole text.
func documents(text string) (list []*yaml.Node, err error) {
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var doc yaml.Node
		switch err := d.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		case len(doc.Content) == 1:
			list = append(list, doc.Content[0])
		}
	}
}

// isScenario says whether a document describes the scenario.
func isScenario(root *yaml.Node) bool {
	return text(root, "kind") == "Scenario" && strings.HasPrefix(text(root, "apiVersion"), "rollplay/")
}

// isObject says whether a document, or an item of a List, is the object with this key.
func isObject(root *yaml.Node, key api.Key) bool {
	meta := child(root, "metadata")
	namespace := text(meta, "namespace")
	if namespace == "" {
		namespace = "default"
	}
	return text(root, "kind") == string(key.Kind) && text(meta, "name") == key.Name && namespace == key.Namespace
}

// findObject returns the node of an object, nil if the text has none.
func findObject(docs []*yaml.Node, key api.Key) *yaml.Node {
	for _, d := range docs {
		if isObject(d, key) {
			return d
		}
		if items := child(d, "items"); items != nil {
			if found := findObject(items.Content, key); found != nil {
				return found
			}
		}
	}
	return nil
}

// child returns the value of a key of a mapping, nil without it.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// text returns a scalar value of a mapping, "" without it.
func text(n *yaml.Node, key string) string {
	if v := child(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// set writes a value at a path below a node: over the one that is there, or as a new field.
func set(source string, root *yaml.Node, path []string, value string) (string, error) {
	n := root
	for i, name := range path {
		next := child(n, name)
		if next == nil {
			return insert(source, n, path[i:], value)
		}
		n = next
	}
	return replace(source, n, value, strings.Join(path, "."))
}

// replace writes over a scalar that stands on one line.
func replace(source string, n *yaml.Node, value, path string) (string, error) {
	at := offset(source, n)
	end := at + scalarLength(source[at:], n)
	if end == at {
		return "", fmt.Errorf("%s cannot be changed here: write it as a plain number or text", path)
	}
	return source[:at] + value + source[end:], nil
}

// scalarLength returns how many bytes of a text a scalar takes, 0 if that is not plain to see.
func scalarLength(source string, n *yaml.Node) int {
	if n.Kind != yaml.ScalarNode {
		return 0
	}
	quote := byte(0)
	switch n.Style &^ yaml.TaggedStyle {
	case 0:
		if n.Value != "" && strings.HasPrefix(source, n.Value) {
			return len(n.Value)
		}
		return 0
	case yaml.DoubleQuotedStyle:
		quote = '"'
	case yaml.SingleQuotedStyle:
		quote = '\''
	}
	if quote == 0 || source == "" || source[0] != quote {
		return 0
	}
	end := strings.IndexByte(source[1:], quote) + 2
	if end < 2 || source[1:end-1] != n.Value { // with an escape, or over several lines
		return 0
	}
	return end
}

// insert adds a field, with those around it that are missing too, as the first of a mapping.
func insert(source string, n *yaml.Node, path []string, value string) (string, error) {
	field := strings.Join(path, ": {") + ": " + value + strings.Repeat("}", len(path)-1)
	if n.Kind != yaml.MappingNode || n.Alias != nil {
		return "", fmt.Errorf("%s cannot be added here: write the object around it out", path[0])
	}
	at := offset(source, n)
	if n.Style&yaml.FlowStyle != 0 {
		at = at + strings.IndexByte(source[at:], '{') + 1
		if len(n.Content) > 0 {
			field += ", "
		}
		return source[:at] + field + source[at:], nil
	}
	first := n.Content[0]
	at = offset(source, first)
	return source[:at] + field + "\n" + strings.Repeat(" ", first.Column-1) + source[at:], nil
}

// offset returns where a node begins in the text.
func offset(source string, n *yaml.Node) int {
	at := 0
	for range n.Line - 1 {
		at += strings.IndexByte(source[at:], '\n') + 1
	}
	column := 1
	for i := range source[at:] {
		if column == n.Column {
			return at + i
		}
		column++
	}
	return len(source)
}

// setInScenario sets a field of the spec of the Scenario document, which is added if the text has none.
func setInScenario(source string, path []string, value string) (string, error) {
	docs, err := documents(source)
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		if isScenario(d) {
			return set(source, d, append([]string{"spec"}, path...), value)
		}
	}
	field := strings.Join(path, ": {") + ": " + value + strings.Repeat("}", len(path)-1)
	return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {" + field + "}\n---\n" + source, nil
}

// SetSeed returns the text with another seed.
func SetSeed(source string, seed uint64) (string, error) {
	return setInScenario(source, []string{"seed"}, strconv.FormatUint(seed, 10))
}

// Pair gives the plan's runs keyed draws: what chance decides for a pod depends on its workload, revision and ordinal alone, so a
// difference between two runs comes from their settings.
func (p *Plan) Pair() error {
	text, err := setInScenario(p.Recording.Scenario, []string{"draws"}, "keyed")
	if err == nil {
		p.Recording.Scenario = text
	}
	return err
}

// SetField sets a field of an object's spec: {"strategy", "rollingUpdate", "maxSurge"}.
func SetField(source string, object api.Key, path []string, value string) (string, error) {
	docs, err := documents(source)
	if err != nil {
		return "", err
	}
	root := findObject(docs, object)
	if root == nil {
		return "", fmt.Errorf("%s is not in the text: it comes with a command", object)
	}
	return set(source, root, append([]string{"spec"}, path...), value)
}
