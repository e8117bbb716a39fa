package scenario

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/node/nodescaler"
)

// The defaults of a group of nodes, in ms: the cluster-autoscaler's --scale-down-unneeded-time, and
// a usual time for a cloud's machine to come up [X].
const (
	idleDefault = 10 * 60 * 1000
	bootDefault = 60 * 1000
)

// nodeGroup reads a group of nodes: {name: pool, min: 1, max: 5, cpu: 4, boot: 45s, idle: 5m}. Its nodes look like those of the list nodes.
func (r *specReader) nodeGroup(path string, v any) {
	r.nodes = true
	n, capacity, zone := &api.Node{}, map[string]api.Quantity{}, ""
	g := nodescaler.Group{Node: n, Max: -1, Boot: bootDefault, Idle: idleDefault}
	known := r.nodeFields(n, capacity, &zone)
	known["min"] = r.number(0, limits.Nodes, func(i int64) { g.Min = int(i) })
	known["max"] = r.number(1, limits.Nodes, func(i int64) { g.Max = int(i) })
	known["boot"] = r.duration(&g.Boot)
	known["idle"] = r.duration(&g.Idle)
	problems := len(r.diagnostics)
	if r.object(path, v, known) == nil {
		return
	}
	g.Name = n.Name
	r.finishNode(path, n, capacity, zone)
	r.checkGroup(path, &g, len(r.diagnostics) > problems)
	SetGroup(n, g.Name)
	r.scenario.Groups = append(r.scenario.Groups, g)
}

// SetGroup makes a node one of a group.
func SetGroup(n *api.Node, group string) {
	addLabels(n, map[string]string{nodescaler.GroupLabel: group})
	LabelNode(n)
	delete(n.Labels, "kubernetes.io/hostname") // each machine has its own
}

// checkGroup reports sizes that cannot be.
func (r *specReader) checkGroup(path string, g *nodescaler.Group, wrong bool) {
	nodes := g.Max
	for i := range r.scenario.Groups {
		nodes += r.scenario.Groups[i].Max
		if r.scenario.Groups[i].Name == g.Name && g.Name != "" {
			r.add(r.doc.at(path+".name", fmt.Sprintf("%s.name: Duplicate value: %q", path, g.Name)))
		}
	}
	switch {
	case g.Max < 0 && !wrong:
		r.required(path + ".max")
	case g.Max >= 0 && g.Min > g.Max:
		r.invalid(path+".min", g.Min, "must be less than or equal to `max`")
	case nodes > limits.Nodes:
		r.add(r.doc.at(path+".max", fmt.Sprintf("rollplay simulates at most %d nodes; up to here the groups may have %d", limits.Nodes, nodes)))
	}
}

// firstNodes returns the nodes that the groups have from the start, with names that no other node has.
func (s *Scenario) firstNodes() (nodes []*api.Node) {
	taken := map[string]bool{}
	for _, n := range s.Nodes {
		taken[n.Name] = true
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		for k, left := 1, g.Min; left > 0; k++ {
			n := api.Copy(g.Node)
			if n.Name = g.Name + "-" + strconv.Itoa(k); !taken[n.Name] {
				nodes, left = append(nodes, n), left-1
				taken[n.Name] = true
			}
		}
	}
	return nodes
}
