package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Size holds the resources of a node. A missing resource is not limited.
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

// withNodes returns the text with equal nodes in place of its own, with the labels that its pods select.
func withNodes(source string, count int, size Size) (string, error) {
	text, err := dropKind(source, "Node")
	if err == nil {
		text, err = scenario.DropSpec(text, "nodeGroups")
	}
	if err != nil {
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
	return scenario.SetSpec(text, []string{"nodes"}, "["+strings.Join(nodes, ", ")+"]")
}
