package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Size is what a node offers. A resource that is missing is not limited.
type Size map[string]api.Quantity

// ParseSize reads cpu=4,memory=8Gi,pods=110.
func ParseSize(s string) (Size, error) {
	size := Size{}
	for _, pair := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || !slices.Contains(sizeNames, name) {
			return nil, fmt.Errorf("%q is no size of a node: write cpu=4,memory=8Gi,pods=110", s)
		}
		q, err := api.ParseQuantity(value)
		if err != nil || q.Cmp(api.Quantity{}) <= 0 {
			return nil, fmt.Errorf("%s=%s is no amount", name, value)
		}
		size[name] = q
	}
	return size, nil
}

var sizeNames = []string{"cpu", "memory", "pods"}

// String writes a size as ParseSize reads it.
func (s Size) String() string {
	var list []string
	for _, name := range sizeNames {
		if q, ok := s[name]; ok {
			list = append(list, name+"="+q.String())
		}
	}
	return strings.Join(list, ",")
}

// withNodes returns the text with equal nodes in place of its own, labelled as its pods ask for.
func withNodes(source string, count int, size Size) (string, error) {
	text, err := dropDocuments(source, "Node")
	if err != nil {
		return "", err
	}
	if text, err = dropNodes(text); err != nil {
		return "", err
	}
	labels := ""
	if s, _ := scenario.Parse(source); s != nil {
		n := []*api.Node{{}}
		scenario.FitNodes(n, s.Objects)
		for _, k := range slices.Sorted(maps.Keys(n[0].Labels)) {
			labels += strconv.Quote(k) + ": " + strconv.Quote(n[0].Labels[k]) + ", "
		}
	}
	nodes := make([]string, count)
	for i := range nodes {
		nodes[i] = "{name: node-" + strconv.Itoa(i+1)
		for _, name := range sizeNames {
			if q, ok := size[name]; ok {
				nodes[i] += ", " + name + ": " + strconv.Quote(q.String())
			}
		}
		if labels != "" {
			nodes[i] += ", labels: {" + strings.TrimSuffix(labels, ", ") + "}"
		}
		nodes[i] += "}"
	}
	return setInScenario(text, []string{"nodes"}, "["+strings.Join(nodes, ", ")+"]")
}

// dropNodes takes the fields about nodes out of the Scenario document.
func dropNodes(source string) (string, error) {
	source, err := dropField(source, "nodes")
	if err != nil {
		return "", err
	}
	return dropField(source, "nodeGroups")
}

// dropField takes a field out of the spec of the Scenario document.
func dropField(source, name string) (string, error) {
	docs, err := documents(source)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(docs, isScenario)
	if at < 0 {
		return source, nil
	}
	spec := child(docs[at], "spec")
	for i := 0; spec != nil && i+1 < len(spec.Content); i += 2 {
		if spec.Content[i].Value != name {
			continue
		}
		if spec.Style&yaml.FlowStyle != 0 {
			return "", errors.New("the nodes cannot be changed here: write spec: of the Scenario over several lines")
		}
		lines := strings.SplitAfter(source, "\n")
		from, to := spec.Content[i].Line-1, lastLine(spec.Content[i+1])
		if i == 0 && len(spec.Content) == 2 {
			lines[from] = strings.Repeat(" ", spec.Content[i].Column-1) + "{}\n"
			return strings.Join(append(lines[:from+1:from+1], lines[to:]...), ""), nil
		}
		return strings.Join(append(lines[:from:from], lines[to:]...), ""), nil
	}
	return source, nil
}

// lastLine returns the last line of a node.
func lastLine(n *yaml.Node) int {
	line := n.Line
	for _, c := range n.Content {
		line = max(line, lastLine(c))
	}
	return line
}

// dropDocuments leaves out the documents of some kinds.
func dropDocuments(source string, kinds ...string) (string, error) {
	var kept []string
	for _, piece := range pieces(source) {
		var doc struct {
			Kind  string
			Items []struct{ Kind string }
		}
		if err := yaml.Unmarshal([]byte(piece), &doc); err != nil {
			kept = append(kept, piece) // its reader has the words for it
			continue
		}
		n := 0
		for _, item := range doc.Items {
			if slices.Contains(kinds, item.Kind) {
				n++
			}
		}
		switch {
		case n > 0 && n < len(doc.Items):
			return "", fmt.Errorf("a List has a %s beside other objects: write them as documents of their own", kinds[0])
		case n == 0 && !slices.Contains(kinds, doc.Kind):
			kept = append(kept, piece)
		}
	}
	return strings.Join(kept, "---\n"), nil
}

// pieces cuts a stream at its --- lines.
func pieces(source string) (list []string) {
	var piece strings.Builder
	for line := range strings.Lines(source) {
		if rest, marker := strings.CutPrefix(line, "---"); marker && strings.TrimSpace(rest) == "" {
			list = append(list, piece.String())
			piece.Reset()
			continue
		}
		piece.WriteString(line)
	}
	return append(list, piece.String())
}
