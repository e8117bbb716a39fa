package scenario

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/node/nodescaler"
)

const nodesDefault = 3

// readNodes reads how many equal nodes there are, or a list of them.
func (r *specReader) readNodes(path string, v any) {
	r.nodes = true
	if _, ok := v.([]any); ok {
		names := map[string]bool{}
		r.listOf(limits.Nodes, func(path string, v any) { r.node(path, v, names) })(path, v)
		return
	}
	count := int64(nodesDefault)
	capacity := map[string]api.Quantity{}
	known := r.capacity(capacity)
	known["count"] = r.number(0, limits.Nodes, func(n int64) { count = n })
	if r.object(path, v, known) != nil {
		r.scenario.Nodes = makeNodes(int(count), capacity)
	}
}

// node reads a node of the list; names has those before it.
func (r *specReader) node(path string, v any, names map[string]bool) {
	n := &api.Node{}
	capacity, zone := map[string]api.Quantity{}, ""
	if r.object(path, v, r.nodeFields(n, capacity, &zone)) == nil {
		return
	}
	r.finishNode(path, n, capacity, zone)
	if names[n.Name] && n.Name != "" {
		r.complain(path+".name", fmt.Sprintf("Duplicate value: %q", n.Name))
	}
	names[n.Name] = true
	r.scenario.Nodes = append(r.scenario.Nodes, n)
}

// nodeFields returns readers for the fields of a node.
func (r *specReader) nodeFields(n *api.Node, capacity map[string]api.Quantity, zone *string) fields {
	known := r.capacity(capacity)
	known["name"] = r.text(&n.Name)
	known["zone"] = r.text(zone)
	known["taints"] = r.list(r.taint(n))
	known["labels"] = r.texts(&n.Labels)
	return known
}

// finishNode completes a node and reports the values that the API server would refuse.
func (r *specReader) finishNode(path string, n *api.Node, capacity map[string]api.Quantity, zone string) {
	SetCapacity(n, capacity)
	SetZone(n, zone)
	for _, e := range validate.Object(n) {
		field := path + "." + strings.TrimPrefix(e.Field, "metadata.")
		if !strings.HasPrefix(e.Field, "status.") {
			r.complain(field, e.Body())
		}
	}
}

// taint returns a reader for a taint, written as kubectl writes it.
func (r *specReader) taint(n *api.Node) func(string, any) {
	return func(path string, v any) {
		s, _ := v.(string)
		t, err := parseTaint(s)
		if err != nil {
			r.invalid(path, v, err.Error())
			return
		}
		n.Spec.Taints = append(n.Spec.Taints, t)
	}
}

var errTaint = errors.New("must be a taint: key=value:NoSchedule or key:NoExecute; " +
	"the effects are NoSchedule, PreferNoSchedule and NoExecute")

// parseTaint reads key=value:effect or key:effect.
func parseTaint(s string) (t api.Taint, err error) {
	pair, effect, _ := strings.Cut(s, ":")
	t.Key, t.Value, _ = strings.Cut(pair, "=")
	t.Effect = effect
	if t.Key == "" || effect != api.NoSchedule && effect != api.NoExecute && effect != "PreferNoSchedule" {
		return t, errTaint
	}
	return t, nil
}

// ZoneLabel says in which failure zone a node is.
const ZoneLabel = "topology.kubernetes.io/zone"

func SetZone(n *api.Node, zone string) {
	if zone != "" {
		n.Labels = api.With(n.Labels, ZoneLabel, zone)
	}
}

// capacity returns readers for the resources of a node. A resource that is 0 or absent is not limited.
func (r *specReader) capacity(to map[string]api.Quantity) fields {
	known := fields{}
	for _, name := range []string{"cpu", "memory", "pods"} {
		known[name] = func(path string, v any) {
			s, ok := word(v)
			q, err := api.ParseQuantity(strings.TrimSpace(s))
			switch {
			case !ok || err != nil:
				r.invalid(path, v, "must be a quantity: 4, 500m, 8Gi")
			case q.Cmp(api.Quantity{}) < 0:
				r.invalid(path, v, errNegative.Error())
			case !q.IsZero():
				to[name] = q
			}
		}
	}
	return known
}

// makeNodes returns nodes with the names node-1, node-2 and so on.
func makeNodes(count int, capacity map[string]api.Quantity) []*api.Node {
	var nodes []*api.Node
	for i := range count {
		n := &api.Node{ObjectMeta: api.ObjectMeta{Name: "node-" + strconv.Itoa(i+1)}}
		SetCapacity(n, capacity)
		nodes = append(nodes, n)
	}
	return nodes
}

func SetCapacity(n *api.Node, capacity map[string]api.Quantity) {
	if len(capacity) > 0 {
		n.Status.Capacity, n.Status.Allocatable = maps.Clone(capacity), maps.Clone(capacity)
	}
}

// LabelNode gives a node the labels that every kubelet puts on its node.
func LabelNode(n *api.Node) {
	addLabels(n, map[string]string{"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": n.Name})
}

// addLabels gives a node those labels that it does not have.
func addLabels(n *api.Node, labels map[string]string) {
	maps.Copy(labels, n.Labels)
	n.Labels = labels
}

// FitNodes gives the nodes of the default cluster the labels that the pods of a text select: a pasted manifest without nodes is meant for
// a cluster in which it can run. If two manifests want different values of one label, the first one counts. A label over which pods spread gets three values: zone-1, zone-2 and zone-3.
func FitNodes(nodes []*api.Node, objects []Manifest) {
	for _, m := range objects {
		spec := api.PodSpecOf(m.Object)
		if spec == nil || len(spec.NodeSelector)+len(spec.TopologySpreadConstraints) == 0 {
			continue
		}
		for i, n := range nodes {
			labels := map[string]string{}
			for _, c := range spec.TopologySpreadConstraints {
				labels[c.TopologyKey] = path.Base(c.TopologyKey) + "-" + strconv.Itoa(1+i%3)
			}
			maps.Copy(labels, spec.NodeSelector)
			addLabels(n, labels)
		}
	}
}

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
			r.complain(path+".name", fmt.Sprintf("Duplicate value: %q", g.Name))
		}
	}
	switch {
	case g.Max < 0 && !wrong:
		r.required(path + ".max")
	case g.Max >= 0 && g.Min > g.Max:
		r.invalid(path+".min", g.Min, "must be less than or equal to `max`")
	case nodes > limits.Nodes:
		r.add(r.doc.at("", path+".max", fmt.Sprintf("rollplay simulates at most %d nodes; up to here the groups may have %d", limits.Nodes, nodes)))
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
