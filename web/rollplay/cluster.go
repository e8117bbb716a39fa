package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// cluster is what --cluster says about the cluster that the manifests go to.
type cluster struct {
	nodes     string    // as a Scenario has them
	count     int       // of the nodes
	standing  manifests // quotas, budgets and autoscalers that concern the manifests and are not among them
	notes     []string
	manifests manifests // that are applied, or are deployed now
}

// readCluster reads the output of kubectl get nodes,quota,pdb,hpa -A -o yaml. now are the manifests of the update, old those that are
// deployed now, if they are known.
func readCluster(file, text string, now, old manifests) *cluster {
	c := &cluster{manifests: now}
	if len(old) > 0 {
		c.manifests = old
	}
	var nodes []any
	list := must.Have(parseStream(fileName(file), text, func() bool { return false }))
	for _, m := range list {
		must.Wrap(m.err, "%s:%d", m.File, m.Line)
		if m.Kind != string(api.KindNode) {
			continue
		}
		name := m.value.Object("metadata").Text("name")
		switch {
		case !ready(m.value):
			c.notes = append(c.notes, "node "+name+" of --cluster is not ready and was left out")
		case m.value.Object("spec")["unschedulable"] == true:
			c.notes = append(c.notes, "node "+name+" of --cluster is cordoned and was left out")
		default:
			nodes = append(nodes, node(m.value, now))
		}
	}
	must.Be(len(nodes) > 0, "%s: there is no Node that is ready; write it with: kubectl get nodes,quota,pdb,hpa -A -o yaml", file)
	c.nodes, c.count = "nodes: "+string(api.JSON(nodes))+"\n", len(nodes)
	for _, m := range list {
		if c.concerns(m, now, old) {
			c.standing = append(c.standing, c.clean(m))
		}
	}
	c.notes = append(c.notes, fmt.Sprintf("the cluster has %s, empty but for the pods of these manifests", words.Plural(c.count, "node")))
	return c
}

// concerns reports whether an object of the cluster is about a workload of the manifests and is not one of them.
func (c *cluster) concerns(m *manifest, now, old manifests) bool {
	same := func(x *manifest) bool { return x.key() == m.key() }
	about := func(w *manifest) bool {
		return w.workload() && w.namespace() == m.namespace() && m.selects(w) && expressed(m.value, w.value)
	}
	return slices.ContainsFunc(now, about) && !slices.ContainsFunc(now, same) && !slices.ContainsFunc(old, same)
}

// expressed reports whether the labels of a workload's pods fit the expressions of a budget.
func expressed(o, workload api.Fields) bool {
	var s api.LabelSelector
	err := json.Unmarshal(api.JSON(map[string]any{"matchExpressions": o.Object("spec").Object("selector")["matchExpressions"]}), &s)
	labels := workload.Object("spec").Object("template").Object("metadata").TextMap("labels")
	return err == nil && s.Matches(labels)
}

// clean returns an object as a manifest: without what the server has added, and a quota without what other pods take of it.
func (c *cluster) clean(m *manifest) *manifest {
	meta, spec := m.value.Object("metadata"), maps.Clone(m.value.Object("spec"))
	if m.Kind == string(api.KindResourceQuota) {
		spec["hard"] = c.left(m)
	}
	tree := map[string]any{"apiVersion": m.value["apiVersion"], "kind": m.Kind, "spec": spec,
		"metadata": map[string]any{"name": meta["name"], "namespace": m.namespace(), "annotations": ignoring(meta)}}
	x := *m
	x.Text, x.value, x.judged = string(api.JSON(tree))+"\n", tree, true
	return &x
}

// ready reports whether pods can be bound to a node.
func ready(node api.Fields) bool {
	conditions := node.Object("status").Items("conditions")
	return len(conditions) == 0 || slices.ContainsFunc(conditions, func(c api.Fields) bool {
		return c.Text("type") == "Ready" && c.Text("status") == "True"
	})
}

// node returns a node as a Scenario writes it, which is short, with what decides where pods fit. Of its labels it has those that the
// manifests name, because a cloud adds dozens.
func node(value api.Fields, now manifests) any {
	meta, spec := value.Object("metadata"), value.Object("spec")
	n := map[string]any{"name": meta["name"]}
	room := value.Object("status").Object("allocatable")
	if len(room) == 0 {
		room = value.Object("status").Object("capacity")
	}
	for _, name := range []string{"cpu", "memory", "pods"} {
		if room[name] != nil {
			n[name] = room[name]
		}
	}
	labels := map[string]any{}
	for name, v := range meta.Object("labels") {
		switch {
		case name == "topology.kubernetes.io/zone":
			n["zone"] = v
		case slices.ContainsFunc(now, func(m *manifest) bool { return strings.Contains(m.Text, name) }):
			labels[name] = v
		}
	}
	if len(labels) > 0 {
		n["labels"] = labels
	}
	taints := []string{}
	for _, t := range spec.Items("taints") {
		taints = append(taints, strings.TrimSuffix(t.Text("key")+"="+t.Text("value"), "=")+":"+t.Text("effect"))
	}
	if len(taints) > 0 {
		n["taints"] = taints
	}
	return n
}

// ignoring returns the annotation of an object that ignores findings, which is the only one that decides something here.
func ignoring(meta api.Fields) map[string]any {
	if text := meta.Object("annotations")[check.IgnoreAnnotation]; text != nil {
		return map[string]any{check.IgnoreAnnotation: text}
	}
	return nil
}

// left returns the limits of a quota less what pods of others take: its usage, without the usage of the workloads that are deployed now.
func (c *cluster) left(m *manifest) map[string]any {
	hard, used := m.value.Object("spec").TextMap("hard"), m.value.Object("status").TextMap("used")
	own := c.usage(m)
	left, others := map[string]any{}, []string{}
	for _, resource := range slices.Sorted(maps.Keys(hard)) {
		limit, err := api.ParseQuantity(hard[resource])
		if err != nil {
			left[resource] = hard[resource] // the API server's words come later
			continue
		}
		if all, err := api.ParseQuantity(used[resource]); err == nil && all.Cmp(own[resource]) > 0 {
			taken := all.Sub(own[resource])
			if limit = limit.Sub(taken); limit.Cmp(api.Quantity{}) < 0 {
				limit = api.Quantity{}
			}
			others = append(others, resource+" "+taken.String())
		}
		left[resource] = limit.String()
	}
	if len(others) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("of the quota %s/%s other pods use %s", m.namespace(), m.value.Object("metadata").Text("name"),
			strings.Join(others, ", ")))
	}
	return left
}

// usage adds up what the pods of the workloads take of a quota.
func (c *cluster) usage(m *manifest) map[string]api.Quantity {
	var quota api.ResourceQuota
	json.Unmarshal(api.JSON(m.value), &quota) //nolint:errcheck // the check says what is wrong
	sum := map[string]api.Quantity{}
	s, _ := scenario.Parse(c.manifests.judged().text())
	if s == nil {
		return sum // the check says what is wrong
	}
	for _, x := range s.Objects {
		t, pods := api.TemplateOf(x.Object), c.count // as many as a DaemonSet has
		if t == nil || x.Object.Key().Namespace != m.namespace() || !quota.InScope(apiserver.ScopesOf(t.Spec)) {
			continue
		}
		if scalable, ok := x.Object.(api.Scalable); ok {
			pods = int(scalable.Replicas())
		}
		for resource, amount := range apiserver.UsageOf(t.Spec) {
			for range pods {
				sum[resource] = sum[resource].Add(amount)
			}
		}
	}
	return sum
}
