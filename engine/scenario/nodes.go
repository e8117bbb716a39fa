package scenario

import (
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
	n := r.nodeOf(path, v, nil)
	if n == nil {
		return
	}
	if names[n.Name] && n.Name != "" {
		r.complain(path+".name", fmt.Sprintf("Duplicate value: %q", n.Name))
	}
	names[n.Name] = true
	r.scenario.Nodes = append(r.scenario.Nodes, n)
}

// nodeOf reads a node from an object that has more fields, and reports the values that the API server would refuse. It returns nil if the
// value is no object.
func (r *specReader) nodeOf(path string, v any, more fields) *api.Node {
	n, capacity, zone := &api.Node{}, map[string]api.Quantity{}, ""
	known := r.capacity(capacity)
	known["name"], known["zone"], known["labels"] = r.text(&n.Name), r.text(&zone), r.texts(&n.Labels)
	known["taints"] = r.list(func(path string, v any) { r.taint(n, path, v) })
	maps.Copy(known, more)
	if r.object(path, v, known) == nil {
		return nil
	}
	SetCapacity(n, capacity)
	SetZone(n, zone)
	for _, e := range validate.Object(n) {
		field := path + "." + strings.TrimPrefix(e.Field, "metadata.")
		if !strings.HasPrefix(e.Field, "status.") {
			r.complain(field, e.Body())
		}
	}
	return n
}

// taint reads a taint, written as kubectl writes it: key=value:effect or key:effect.
func (r *specReader) taint(n *api.Node, path string, v any) {
	s, _ := v.(string)
	pair, effect, _ := strings.Cut(s, ":")
	key, value, _ := strings.Cut(pair, "=")
	if key == "" || effect != api.NoSchedule && effect != api.NoExecute && effect != "PreferNoSchedule" {
		r.invalid(path, v, "must be a taint: key=value:NoSchedule or key:NoExecute; the effects are NoSchedule, PreferNoSchedule and NoExecute")
		return
	}
	n.Spec.Taints = append(n.Spec.Taints, api.Taint{Key: key, Value: value, Effect: effect})
}

func SetZone(n *api.Node, zone string) {
	if zone != "" {
		n.Labels = api.With(n.Labels, api.ZoneLabel, zone)
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
	g := nodescaler.Group{Max: -1, Boot: bootDefault, Idle: idleDefault}
	problems := len(r.diagnostics)
	n := r.nodeOf(path, v, fields{
		"min":  r.number(0, limits.Nodes, func(i int64) { g.Min = int(i) }),
		"max":  r.number(1, limits.Nodes, func(i int64) { g.Max = int(i) }),
		"boot": r.duration(&g.Boot), "idle": r.duration(&g.Idle),
	})
	if n == nil {
		return
	}
	g.Name, g.Node = n.Name, n
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
