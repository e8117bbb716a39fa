package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// nodesAssumed is how many nodes are assumed if the manifests do not need more.
const nodesAssumed = 3

// hostname is the label that differs on every node.
const hostname = "kubernetes.io/hostname"

// assumeNodes assumes nodes if none are given: with the labels that the pods before and after the update select, and as many as the pods
// need that avoid each other, with one to drain. They have room for every pod, so that they never decide.
func (c *Check) assumeNodes() {
	now, _ := c.source.Scenario()
	objects := now.Objects
	if c.was != nil {
		objects = slices.Concat(c.was.Objects, now.Objects)
	}
	isNode := func(m scenario.Manifest) bool { return m.Object.Key().Kind == api.KindNode }
	if c.input.Nodes != "" || slices.ContainsFunc(objects, isNode) {
		return
	}
	apart := 1
	c.assumed = nodesAssumed
	for _, m := range objects {
		if slices.Contains(avoided(m.Object), hostname) {
			apart += c.most(m.Object)
		}
		if d, ok := m.Object.(*api.DaemonSet); ok && d.Spec.UpdateStrategy.RollingUpdate != nil {
			if at := d.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable; at != nil && !at.IsString {
				c.assumed = max(c.assumed, 2*int(at.Int)) // nodes of one step must not look like all
			}
		}
	}
	c.assumed = min(max(c.assumed, apart), limits.Nodes)
	nodes, labels := make([]*api.Node, c.assumed), false
	list := make([]string, c.assumed)
	for i := range nodes {
		nodes[i] = &api.Node{}
	}
	scenario.FitNodes(nodes, objects)
	for i, n := range nodes {
		labels = labels || len(n.Labels) > 0
		list[i] = fmt.Sprintf(`{"name": "node-%d", "labels": %s}`, i+1, api.JSON(n.Labels))
	}
	if c.assumed > nodesAssumed || labels && c.input.Old != "" {
		c.input.Nodes = "nodes: [" + strings.ReplaceAll(strings.Join(list, ", "), `"labels": null`, `"labels": {}`) + "]\n"
	}
}

// avoided lists the node labels whose values pods of a workload must not share.
func avoided(o api.Object) (labels []string) {
	t := api.TemplateOf(o)
	if t == nil || t.Spec.Affinity == nil || t.Spec.Affinity.PodAntiAffinity == nil {
		return nil
	}
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Namespace: o.Key().Namespace, Labels: t.Labels}}
	for i := range t.Spec.Affinity.PodAntiAffinity.Required {
		if term := &t.Spec.Affinity.PodAntiAffinity.Required[i]; term.Matches(pod, pod) {
			labels = append(labels, term.TopologyKey)
		}
	}
	return labels
}

// most returns how many pods a workload has at most during an update, without terminating ones.
func (c *Check) most(o api.Object) int {
	n := 1
	switch o := o.(type) {
	case *api.Deployment:
		surge, _ := deployment.Bounds(o)
		n = int(*o.Spec.Replicas + surge)
	case *api.StatefulSet:
		n = int(*o.Spec.Replicas)
	}
	for _, a := range c.scalers {
		if a.target == o.Key() {
			n = max(n, 2*int(a.max))
		}
	}
	return n
}

// domains says which labels of nodes decide, because pods avoid each other over labels of which a cluster has few values.
func (c *Check) domains(o api.Object) (list []string) {
	n := c.most(o)
	for _, label := range avoided(o) {
		if label != hostname && n > nodesAssumed {
			list = append(list, "Its pods must not share a value of the node label "+label+", and an update needs "+strconv.Itoa(n)+
				" of them. It depends on the nodes; give them with --nodes.")
		}
	}
	return list
}

// withIPv4 returns manifests whose Services have the IP family of the check's own cluster. Which ones yours has is not known, and
// no rollout depends on it. All lines stay where they are.
func withIPv4(text string) string {
	if !strings.Contains(text, "IPv6") {
		return text
	}
	lines := strings.Split(text, "\n")
	for _, d := range yamltext.Split(text) {
		if !strings.Contains(d.Text, "IPv6") {
			continue
		}
		objects := []*yamltext.Node{d.Root()}
		if items := yamltext.Child(d.Root(), "items"); items != nil {
			objects = append(objects, items.Content...)
		}
		for _, o := range objects {
			setIPv4(lines[d.First-1:], o)
		}
	}
	return strings.Join(lines, "\n")
}

// setIPv4 changes the families of an object, if it is a Service, in the lines of its document.
func setIPv4(lines []string, o *yamltext.Node) {
	families := yamltext.Child(yamltext.Child(o, "spec"), "ipFamilies")
	if yamltext.Word(o, "kind") != "Service" || families == nil {
		return
	}
	for _, family := range families.Content {
		if family.Value == "IPv6" {
			line, at := []rune(lines[family.Line-1]), family.Column-1
			lines[family.Line-1] = string(line[:at]) + strings.Replace(string(line[at:]), "IPv6", "IPv4", 1)
		}
	}
}
